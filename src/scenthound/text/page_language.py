"""Which language a page is in: by its letters, by what it says of itself, or by its words.

letters that one language alone writes   that language, whatever the page says: templates say `en` of everything
what the page says                       lang attribute, Content-Language
stop words of the topic's language       that one; a tenth of the words is enough, and costs next to nothing
its words                                where they are recognised for sure
else                                     the topic's
"""

from __future__ import annotations

from scenthound.text import stopwords
from scenthound.text.language_recognition import ON_A_PAGE, by_script, recognize
from scenthound.text.languages import UNKNOWN, code

LOOKED_AT = 3_000
"""Characters of a text that are looked at."""

FEWEST_WORDS, HARDLY = 40, 0.1
"""Words that a text needs to be told by them; and the share of stop words below which it is in another language."""

FIRST_WORDS = 200
"""In which an ordinary text of the topic's language has stop words enough, so that the others need not be counted."""


def page_language(text: str, stated: str, assumed: str) -> str:
    """`stated`: what the page says; `assumed`: the language of the topic. A code as pages have it."""
    text = text[:LOOKED_AT]
    if script := by_script(text):
        return script
    return stated or recognized_in(text, assumed) or assumed


def recognized_in(text: str, assumed: str) -> str:
    """The language of a text in letters that many languages share; empty where it may well be the assumed one."""
    words = text[:LOOKED_AT].lower().split()
    if len(words) < FEWEST_WORDS:
        return ""
    stop = stopwords.of(assumed or "en")
    if stop and sum(map(stop.__contains__, words)) >= HARDLY * len(words):
        return ""
    found = recognize(text[:LOOKED_AT])
    return found.language if found is not None and found.known >= ON_A_PAGE else ""


def in_another_language(text: str, language: str) -> bool:
    """Whether hardly a word is a stop word of this language, and the text is recognised as another one's."""
    stop = stopwords.of(language)
    words = text[:LOOKED_AT].lower().split()
    enough = HARDLY * len(words)
    if not stop or len(words) < FEWEST_WORDS or sum(map(stop.__contains__, words[:FIRST_WORDS])) >= enough:
        return False
    if sum(map(stop.__contains__, words)) >= enough:
        return False
    found = recognize(text[:LOOKED_AT])
    return found is not None and code(language) not in (found.language, UNKNOWN)
