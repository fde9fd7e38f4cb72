"""Words that say nothing about a topic.

English has a list made by hand: the function words, and what apostrophes leave over (`don't` is read as `don` and
`t`). Other languages take the most frequent words of their background table, which are function words nearly
without exception.
"""

from __future__ import annotations

from scenthound.text.background import background

_ENGLISH = """
a an the this that these those such same own other another both each either neither every all any some no none
few many more most much less least several enough
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves one ones someone anyone everyone somebody anybody
everybody nobody something anything everything nothing
who whom whose which what whatever whichever whoever when whenever where wherever why how however
am is are was were be been being have has had having do does did doing done
can could may might must shall should will would ought cannot
and or but nor so yet if then else than because since while whereas although though unless until whether as
of to in on at by for with without within from into onto upon over under above below between among through during
before after about against across along around behind beside besides beyond near off out up down toward towards
per via except
not only also too very just even still again once ever never always often sometimes here there now thus
hence therefore rather quite almost already perhaps maybe further furthermore moreover otherwise instead
yes ok etc ie eg vs
don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn mustn needn mightn shan ain
ll ve re
"""

ENGLISH = frozenset(_ENGLISH.split())


def of(language: str) -> frozenset[str]:
    """The stop words of a language; none where nothing is known about it."""
    if language == "en":
        return ENGLISH
    table = background(language)
    return table.stopwords if table else frozenset()
