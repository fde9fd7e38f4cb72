"""The commands: a file each, named like the command, with its options and its help. What they do is elsewhere; what is
heavy is imported when the command runs, so that `--help` is quick. `shared_options.py` has the options of several.
"""
