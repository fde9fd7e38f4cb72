"""What can go wrong by our own or the user's doing. What the web does is never an exception: see `model.Failed`.

ScenthoundError            everything below; its text is one a person can act on
├── UsageError             something the user typed or wrote
│   ├── ConfigError        topic.toml or an option: unknown key, bad value
│   │   └── OntologyError  an ontology that is not there, or cannot be read
│   ├── UnknownName        no strategy, judge ... of that name; names the nearest
│   └── ScopeError         a scope rule that does not parse
├── LibraryError           the folder and what is in it
│   ├── LibraryMissing     no library there
│   ├── LibraryBusy        another crawl writes to it
│   ├── LibraryVersion     made by a newer version
│   ├── LibraryDamaged     a part of it cannot be read: which, and how to mend it
│   ├── LeaseLost          a worker that writes about hosts which another one has by now
│   └── LibraryFull        no room left, or a folder that cannot be written
├── RecordingError         a WARC file or its index that cannot be read
├── SourceError            a search source that does not answer, or not as such a source should
├── NothingFetched         a crawl that brought no page: which seed, why, and what to do next
├── SeedsFailed            a crawl that went well, but for some of its seeds: which, and why
└── ModelError             a model file that cannot be used
"""

MOST_REPEATED = 200
"""Characters of what somebody wrote that a message repeats."""


def shown(value: object) -> str:
    """What somebody wrote, as a message repeats it: in quotes, and cut where it is long."""
    text = repr(value)
    return text if len(text) <= MOST_REPEATED else f"{text[:MOST_REPEATED]}..."


class ScenthoundError(Exception):
    """Base of all errors that are shown to a person. `exit_code` is what the command line returns."""

    exit_code = 1


class UsageError(ScenthoundError):
    exit_code = 2


class ConfigError(UsageError):
    pass


class UnknownName(UsageError):
    pass


class ScopeError(UsageError):
    pass


class OntologyError(ConfigError):
    pass


class LibraryError(ScenthoundError):
    exit_code = 3


class LibraryMissing(LibraryError):
    pass


class LibraryBusy(LibraryError):
    pass


class LibraryVersion(LibraryError):
    pass


class LibraryDamaged(LibraryError):
    exit_code = 8


class LibraryFull(LibraryError):
    pass


class LeaseLost(LibraryError):
    pass


class RecordingError(ScenthoundError):
    exit_code = 4


class ModelError(ScenthoundError):
    exit_code = 5


class SourceError(ScenthoundError):
    exit_code = 6

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class NothingFetched(ScenthoundError):
    exit_code = 7


class SeedsFailed(ScenthoundError):
    exit_code = 9
