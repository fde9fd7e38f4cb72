from pathlib import Path

from scenthound.app.topic import TopicChange
from scenthound.app.topic_words import read_words
from scenthound.cli.views.topic import topic_text, understood_text
from scenthound.config import from_dict


def test_what_was_understood_in_a_line_and_what_was_left_out_in_another() -> None:
    told = understood_text(read_words("pages about coral bleaching but not about aquariums"))
    assert told.splitlines() == [
        " Understood: coral bleaching 1.00; language English.",
        " Left out, because it is said not to be meant: aquariums.",
    ]


def test_a_topic_its_notes_and_how_to_go_on() -> None:
    settings = from_dict({"topic": {"name": "ferns", "keywords": ["ferns"]}})
    change = TopicChange(Path("my ferns"), settings, ("A note.",), {"http://a.test/": "It is gone."})
    text = topic_text(change, True, [Path("web.warc.gz")])
    assert "0 examples, 0 seeds, language en\nLeft out: It is gone.\nA note.\n" in text
    assert text.endswith("Next: scenthound crawl 'my ferns' --seed URL --replay web.warc.gz")
    assert "Next" not in topic_text(change, False)
