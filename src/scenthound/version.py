"""Which Scenthound this is. It stands apart from the package's front door, so that whoever needs it imports no more."""

__version__ = "0.1.0"
