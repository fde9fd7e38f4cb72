from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Response
from scenthound.parse.forms import FormField, SearchForm, search_forms

HTML = (("Content-Type", "text/html"),)


def forms(html: str) -> list[SearchForm]:
    return search_forms(Response("http://a.test/x/", 200, HTML, html.encode()))


def test_a_search_form_with_its_fields() -> None:
    [form] = forms(
        """<form action="../find?old=1"><input type=hidden name=lang value=en><input name=q>
        <select name=sort><option value=new>New<option selected>Best</select>
        <input type=checkbox name=all><input type=checkbox name=pdf checked>
        <input type=submit name=go value=Go></form>"""
    )
    assert form.action == "http://a.test/find?old=1"
    assert form.asks == "q"
    assert form.fields == (
        FormField("lang", "hidden", "en"),
        FormField("q", "text"),
        FormField("sort", "select", "Best"),
        FormField("pdf", "checkbox", "on"),
    )
    assert form.url("dengue fever") == "http://a.test/find?lang=en&q=dengue+fever&sort=Best&pdf=on"


def test_what_is_no_search() -> None:
    assert forms("<form method=post action=/x><input name=q></form>") == []
    assert forms("<form><input name=user><input type=password name=p></form>") == []
    assert forms("<form><input name=first><input name=last></form>") == [], "two texts: nobody knows which is which"
    assert forms("<form><input type=hidden name=x></form>") == []
    assert forms('<form action="javascript:go()"><input name=q></form>') == []
    assert forms("<p>no form here") == []


def test_the_same_form_at_top_and_bottom_is_one() -> None:
    assert len(forms("<form action=/s><input name=q></form>" * 2)) == 1


@given(st.text(max_size=200))
def test_nothing_raises(text: str) -> None:
    for form in forms(f"<form action='{text}'><input name='{text}'><input name=q type=search>"):
        form.url(text)
