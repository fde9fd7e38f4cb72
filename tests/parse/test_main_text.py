from scenthound.model import Response
from scenthound.parse.main_text import main_text, plain_main_text

PAGE = """<!doctype html><title>Otters</title>
<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul></nav>
<div class="cookie-banner">We use cookies. Accept all?</div>
<main><article><h1>Otters</h1>
<p>Otters are carnivorous mammals in the subfamily Lutrinae, and they live in <a href="rivers">rivers</a> and seas.</p>
<h2>Food</h2><p>Most of them eat fish, crayfish and crabs, and some eat frogs, birds and small mammals as well.</p>
<ul><li>fish<li>crabs</ul>
<table><tr><th>Kind<th>Length<tr><td>Sea otter<td>1.4 m<tr><td>River otter<td>1.1 m</table>
<pre>otter --swim</pre>
<p>They sleep in dens by the water, and play by sliding down muddy banks into the river whenever they can.</p>
</article></main>
<footer><p>Copyright 2026 The Zoo. All rights reserved.</p></footer>"""


def of(html: str) -> str:
    answer = Response("http://zoo.example/x/", 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())
    return main_text(answer).markdown


def test_what_a_page_says_and_nothing_else() -> None:
    text = of(PAGE)
    assert text.startswith("# Otters\n\nOtters are carnivorous")
    assert "[rivers](http://zoo.example/x/rivers)" in text
    assert "\n\n## Food\n\n" in text
    assert "- fish\n- crabs\n" in text
    assert "| Kind | Length |\n| --- | --- |\n| Sea otter | 1.4 m |" in text
    assert "```\notter --swim\n```" in text
    for noise in ("Home", "About us", "cookies", "Copyright"):
        assert noise not in text


def test_how_much_of_a_page_is_not_main_text() -> None:
    body = PAGE.encode()
    found = main_text(Response("http://zoo.example/x/", 200, (), body))
    assert 0 < found.words < found.all_words
    assert 0.1 < found.boilerplate < 0.4


def test_small_print_goes_and_what_is_about_the_subject_stays() -> None:
    long = "The law of copyright gives authors rights in their works for a time. " * 3
    assert of(f"<p>{long}</p><p>Last modified: 3 May 1996</p>") == f"{long.strip()}\n"
    assert of("<p>Copyright law.</p>") == "Copyright law.\n"


def test_a_list_beside_text_is_content() -> None:
    text = of("<h2>Courses</h2><ul><li><a href=a>Operating Systems</a><li><a href=b>Databases</a></ul>")
    assert "- [Operating Systems](http://zoo.example/x/a)" in text


def test_a_page_in_another_charset_and_one_without_anything() -> None:
    headers = (("Content-Type", "text/html; charset=shift_jis"),)
    body = "<p>カワウソは川に住む。魚を食べる。</p>".encode("shift_jis")
    assert main_text(Response("http://a.example/", 200, headers, body)).markdown == "カワウソは川に住む。魚を食べる。\n"
    assert main_text(Response("http://a.example/", 200, (), b"")).markdown == "\n"


def test_marks_of_ours_in_a_page_do_no_harm() -> None:
    assert of("<p>\U000f0000\U0010ffffOtters swim \U000f0001well.</p>") == "Otters swim well.\n"


def test_plain_text_is_all_main_text() -> None:
    found = plain_main_text("1. Otters\n\n*swim* fast")
    assert found.markdown == "1\\. Otters\n\n\\*swim\\* fast\n"
    assert found.words == found.all_words == 4
