"""The options and the help of each command. What a command does it imports when it is run, so that help is quick."""
