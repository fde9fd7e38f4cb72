from scenthound.app.judgement_words import WordWeight
from scenthound.app.topic_preview import PreviewPage, TopicPreview
from scenthound.cli.views.topic_preview import preview_lines


def text(preview: TopicPreview, width: int = 60) -> str:
    return "\n".join(line.plain for line in preview_lines(preview, width))


def test_each_page_has_its_probability_its_words_and_its_address() -> None:
    words = [WordWeight("coral", 0.4), WordWeight("reef", 0.2), WordWeight("shop", -0.1)]
    keeps = [PreviewPage("http://a.test/1", "Corals \x1b[31mand reefs", 0.91, words)]
    leaves = [PreviewPage("http://a.test/2", "", 0.2, [], label=False)]
    shown = text(TopicPreview("my crawls/coral", 0.5, 40, 30, keeps, leaves))
    assert "Of 40 pages it would keep 30 and leave 10 (from 0.50 on a page counts)." in shown
    assert "Would keep, 1 of 30, doubtful ones among them" in shown
    assert "0.91  Corals" in shown
    assert "\x1b" not in shown, "a title is not trusted"
    assert "for coral, reef  against shop" in shown
    assert "0.20  (no title)  labelled no" in shown
    assert "scenthound label 'my crawls/coral' URL --yes" in shown


def test_nothing_to_keep_is_said() -> None:
    assert "Would keep: none" in text(TopicPreview("x", 0.5, 0, 0, [], []))
