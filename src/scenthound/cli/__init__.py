"""The command line: `scenthound`.

    main.py        the program: its commands in groups, its errors as one line each
    commands/      one file a command, named like it: its options and its help
    views/         how things look on a terminal, in plain lines and as JSON
    arguments.py   which URL is meant, which day, how an answer is printed

What a command does is a use case of `app/`; here is only what a second face of the program would not need.

A new command is a function in a file of its own in commands/, and a line in the list in main.py.
"""
