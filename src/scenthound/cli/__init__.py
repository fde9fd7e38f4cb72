"""The command line: `scenthound`, one file per command, over the use cases of `app`.

    main.py          the program: its commands in groups, its errors as one line each
    commands/        the options and the help of each command, and nothing that takes long to load
    views/           drawing: what the use cases tell, as screens, lines, tables and JSON
    interrupts.py    what Ctrl-C does

A new command is a function in a file of its own, and a line in the list in main.py. What another face of the program
would need as well, such as a web page, is in `app`.
"""
