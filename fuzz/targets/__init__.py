"""What is fuzzed: by name, each with what it reads and what must hold.

| name | reads | besides no crash and no hang |
|---|---|---|
| `urls` | a URL, absolute or relative | canonical form is stable, bounded, and the same by every way to it |
| `html` | a web page | the page is the same twice; links are canonical; sizes are bounded by the source |
| `documents` | a PDF, a text, a table | what cannot be read has a problem; links are canonical; sizes are bounded |
| `robots` | a robots.txt | a plain matcher, rule by rule, says the same; the order of rules does not matter |
| `charset` | bytes and a label | valid UTF-8 without NUL, bounded, stable |
| `codings` | a coded body | no more comes out than was allowed, however it is cut into pieces |
| `lists` | a sitemap or feed | links are canonical and bounded |
| `cdxj` | an index of an archive | URLs are canonical, and nothing is read that is not there |
| `warc` | a WARC file | every URL that is listed is answered; what we write ourselves is read back |
| `settings` | a topic.toml | settings that are accepted survive being saved; edits change nothing else |
| `scope` | a scope rule | a rule printed and read again is the same rule |
| `ontology` | a SKOS or OWL file | edges lead to concepts; labels are there |
| `trails` | a history, trails by hand, HAR, bookmarks | each step comes from one before it |
| `label-table` | labels as CSV | written and read again they are the same labels |
| `label-file` | a `labels.jsonl` | what is added is there afterwards, and what was there stays |
| `topics` | a topic as a sentence, a search | weights sum to 1; the query is one that SQLite takes |
| `models` | a model file | a file that is refused is refused with a reason |

`web.py` and `documents.py` have what servers send, where nothing may be raised at all; `files.py` what people and
programs leave on the disk, `words.py` what people type: there a clear `ScenthoundError` is an answer.
"""

from __future__ import annotations

from fuzz.targets.target import TARGETS, Target

__all__ = ["TARGETS", "Target"]

import fuzz.targets.documents
import fuzz.targets.files
import fuzz.targets.web
import fuzz.targets.words  # noqa: F401
