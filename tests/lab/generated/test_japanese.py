from scenthound.lab.generated.japanese import in_japanese, japanese
from scenthound.lab.webs import MadeUpWeb, WebSpec
from scenthound.model import Link, Response
from scenthound.parse.page import parse


def test_words_of_one_stem_are_one_word_and_spaces_are_gone() -> None:
    assert japanese("corals") == japanese("coral")
    assert japanese("coral reef") == japanese("coral") + japanese("reef")
    assert japanese("the coral").endswith(japanese("coral"))
    assert all(ord(char) > 127 for char in japanese("The coral, and the reef."))


def test_the_web_has_the_same_links_and_targets_in_another_writing() -> None:
    english, other = MadeUpWeb(WebSpec(generated=400)), MadeUpWeb(WebSpec(generated=400, language="ja"))
    assert english.identity != other.identity
    [there, here] = [web.topics()[0] for web in (english, other)]
    assert (there.targets, there.seeds) == (here.targets, here.seeds)
    link = Link(here.targets[0])
    pages = []
    for web in (english, other):
        answer = web.answer(link)
        assert isinstance(answer, Response)
        pages.append(parse(answer, ""))
    assert [one.url for one in pages[0].links] == [one.url for one in pages[1].links]
    assert (pages[0].language, pages[1].language) == ("en", "ja")
    assert any(keyword.term in pages[1].text for keyword in here.keywords)


def test_what_is_no_page_stays_as_it_is() -> None:
    file = Response("http://a.test/x.pdf", 200, (("Content-Type", "application/pdf"),), b"%PDF")
    assert in_japanese(file) is file
