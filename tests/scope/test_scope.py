from typing import ClassVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.errors import ScopeError
from scenthound.model import Link
from scenthound.scope.conditions import Condition, InAllowRule, NotInDenyRule
from scenthound.scope.grammar import parse
from scenthound.scope.rules import And, Depth, Host, Language, Match, Not, Or, Path, Rule, Scheme, Site, Type
from scenthound.scope.scope import Scope
from tests.counting import calls_of

URLS = st.sampled_from(
    [
        "http://example.org/",
        "https://www.example.org/health/a",
        "http://cs.cornell.edu/a/print/b",
        "http://localhost:8000/x?sort=1",
        "https://www.example.co.uk/health",
        "https://de.example.org/karte.png",
    ]
)
LANGUAGES = st.sampled_from(["", "en", "de"])
DEPTHS = st.integers(0, 6)
LEAVES = st.one_of(
    st.sampled_from(["example.org", "example.co.uk", "localhost"]).map(Site),
    st.sampled_from(["*.edu", "www.example.org", "localhost", "localhost:8000"]).map(Host),
    st.sampled_from(["/health", "*/print/*", '/a "b" (c)', "/a\\"]).map(Path),
    st.builds(Depth, st.sampled_from(["<", "<=", "=", ">=", ">"]), DEPTHS),
    st.sampled_from(["http", "https"]).map(Scheme),
    st.sampled_from(["sort=", r"\.org/", 'a"b\\\\c', "[0-9]{4}"]).map(Match),
    st.sampled_from(["en", "de", "yue"]).map(Language),
    st.sampled_from(["html", "image", "pdf"]).map(Type),
)


def combined(rules):
    several = st.lists(rules, min_size=2, max_size=3).map(tuple)
    return st.one_of(rules.map(Not), several.map(And), several.map(Or))


RULES = st.recursive(LEAVES, combined, max_leaves=8)


@settings(deadline=None)
@given(RULES)
def test_a_rule_survives_being_written_down(rule):
    assert parse(str(rule)) == rule


@settings(deadline=None)
@given(RULES, RULES, st.tuples(URLS, DEPTHS, LANGUAGES))
def test_and_or_not_are_what_logic_says(one, two, link):
    first, second = one(*link), two(*link)
    assert parse(f"({one}) and ({two})")(*link) == (first and second)
    assert parse(f"({one}) or ({two})")(*link) == (first or second)
    assert parse(f"not ({one})")(*link) == (not first)
    assert parse(f"not (({one}) and ({two}))")(*link) == parse(f"not ({one}) or not ({two})")(*link)


@settings(deadline=None)
@given(st.text(alphabet='sitehopan dr:*()"\\/<=3.[+', max_size=60))
@example("(" * 5000)
@example("not " * 2000)
@example('site:"')
def test_any_text_is_a_rule_or_a_scope_error(text):
    try:
        rule = parse(text)
    except ScopeError:
        return
    assert parse(str(rule)) == rule


@pytest.mark.parametrize(
    ("rule", "url", "holds"),
    [
        ("site:example.org", "https://deep.www.example.org/", True),
        ("site:example.org", "https://notexample.org/", False),
        ("site:Bücher.example", "http://www.xn--bcher-kva.example/", True),
        ("host:www.example.org", "http://www.example.org:8080/", True),
        ("host:www.example.org", "http://example.org/", False),
        ("host:localhost:8000", "http://localhost:9000/", False),
        ("host:*.edu", "http://cs.cornell.edu/", True),
        ("host:*.edu", "http://cornell.edu.example.org/", False),
        ("host:WWW.*.org", "http://www.a.b.org/", True),
        ("path:/health", "http://a.org/health/x", True),
        ("path:/health", "http://a.org/x/health", False),
        ("path:*/print/*", "http://a.org/x/print/y", True),
        ("path:*/print/*", "http://a.org/print", False),
        ("path:/a*a", "http://a.org/a", False),
        ("depth:<=3", "http://a.org/", True),
        ("depth:>3", "http://a.org/", False),
        ("scheme:https", "http://a.org/", False),
        ('match:"/20[0-9]{2}/"', "http://a.org/2024/x", True),
        ("type:html", "http://a.org/", True),
        ("type:html", "http://a.org/x.php?file=y.pdf", True),
        ("type:html", "http://a.org/v1.2/notes.v3", True),
        ("type:html", "http://en.wiki.org/wiki/File:Aedes.jpg", True),
        ("type:html", "http://a.org/x.jpg", False),
        ("type:image", "http://a.org/X.JPG?size=3", True),
        ("type:document", "http://a.org/x.pdf", True),
        ("type:pdf", "http://a.org/x.pdf", True),
        ("type:.PDF", "http://a.org/x.pdf", True),
        ("type:pdf", "http://a.org/x.doc", False),
        ("not (type:document or type:archive)", "http://a.org/x.tar.gz", False),
        ("language:de", "http://de.wiki.org/wiki/Malaria", True),
        ("language:en", "http://de.wiki.org/wiki/Malaria", False),
        ("language:de-AT", "http://a.org/de_CH/x", True),
        ("language:de", "http://a.org/x?page=1&lang=de", True),
        ("language:fr", "http://a.org/x", True),
        ("language:de", "http://de.org/x", False),
        ("language:it and not path:/health", "http://a.org/it/x", True),
        ("site:a.org or site:b.org and path:/x", "http://a.org/", True),
        ("(site:a.org or site:b.org) and path:/x", "http://a.org/", False),
        ("not site:a.org or site:a.org", "http://a.org/", True),
        ("", "http://a.org/", True),
    ],
)
def test_rules(rule, url, holds):
    assert parse(rule)(url, 3, "fr-CA") is holds


@pytest.mark.parametrize(
    ("rule", "character", "says"),
    [
        ("site:a.org path:/x", 12, "'and' or 'or' is missing"),
        ("(site:a.org", 12, "')' is missing"),
        ("site:a.org)", 11, "too many ')'"),
        ("site:a.org and", 15, "expected here"),
        ("sight:a.org", 1, "there is no rule 'sight'"),
        ("site:www.a.org", 1, "write site:a.org, or host:www.a.org"),
        ("host:http://a.org", 1, "without http://"),
        ("depth:3", 1, "depth:<=3"),
        ("scheme:ftp", 1, "scheme:https"),
        ('path:/x or match:"("', 12, "not a regular expression"),
        ("a.org", 1, "name:value"),
        ('match:"(a+)+$"', 1, "repeated group"),
        ('match:"((?:a|aa))*$"', 1, "repeated group"),
        ('match:".*.*.*.*"', 1, "3 times"),
        (f'match:"{"a" * 501}"', 1, "500 characters"),
        ("type:imgae", 1, "did you mean image?"),
        ("type:zzzzzz", 1, "there are html, image"),
        ("language:english", 1, "language:en"),
    ],
)
def test_errors_name_the_place_and_the_next_step(rule, character, says):
    with pytest.raises(ScopeError) as caught:
        parse(rule)
    assert f"character {character}:" in str(caught.value)
    assert says in str(caught.value)


def test_a_mistake_in_a_long_rule_is_shown_with_what_stands_around_it():
    with pytest.raises(ScopeError) as caught:
        parse("site:a.org or " * 300 + "siet:b.org" + " or site:c.org" * 300)
    assert len(str(caught.value)) < 1_000
    shown, mark = str(caught.value).splitlines()[-2:]
    assert shown[mark.index("^") :].startswith("siet:b.org")


def test_many_stars_do_not_take_for_ever():
    rule = parse("path:" + "*a" * 300 + "*b")
    url = "http://a.org/" + "a" * 1900
    assert not rule(url, 0)
    assert calls_of(lambda: rule(url, 0)) < 1_000  # about one for each star; there are more ways than atoms


def test_scope_names_the_rule_that_refused():
    scope = Scope(allow="site:a.org", deny="path:*/print/* or host:old.a.org", depth=3)
    assert scope.refuses(Link("http://www.a.org/x"), 3) is None
    assert scope.refuses(Link("http://b.org/"), 1) == "scope: not in allow rule"
    assert scope.refuses(Link("http://a.org/x/print/y"), 1) == "scope: deny rule path:*/print/*"
    assert scope.refuses(Link("http://old.a.org/"), 1) == "scope: deny rule host:old.a.org"
    assert scope.refuses(Link("http://a.org/"), 4) == "depth over 3"


def test_a_link_speaks_the_language_of_its_page_unless_its_url_says_otherwise():
    scope = Scope(allow="language:en", language="en")
    assert scope.refuses(Link("http://a.org/x"), 1, "en-GB") is None
    assert scope.refuses(Link("http://a.org/x"), 1, "de") == "scope: not in allow rule"
    assert scope.refuses(Link("http://a.org/en/x"), 1, "de") is None
    assert scope.refuses(Link("http://de.a.org/x"), 1, "en") == "scope: not in allow rule"
    assert scope.refuses(Link("http://a.org/x"), 1) is None  # not found on a page: the crawl's language


def test_only_web_pages_on_request():
    scope = Scope(html_only=True)
    assert scope.refuses(Link("http://a.org/x.PDF"), 1) == "scope: no web page but document (.pdf)"
    assert scope.refuses(Link("http://a.org/x"), 1) is None
    assert Scope().refuses(Link("http://a.org/x.pdf"), 1) is None


def test_an_empty_scope_refuses_nothing():
    assert Scope().refuses(Link("http://a.org/"), 1_000) is None


class Broken(Condition, frozen=True):
    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        raise RuntimeError("no idea")


class Secure(Condition, frozen=True):
    by_url_alone: ClassVar[bool] = False

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        return None if link.url.startswith("https:") else f"not secure, {language}"


@pytest.mark.parametrize("condition", [InAllowRule, NotInDenyRule])
def test_a_rule_that_fails_refuses(condition):
    class BrokenRule(Rule, frozen=True):
        def __call__(self, url: str, depth: int, language: str = "") -> bool:
            raise RuntimeError("no idea")

    scope = Scope(also=[condition(BrokenRule())])
    assert scope.refuses(Link("http://a.org/"), 0) == "scope: a rule failed (RuntimeError: no idea)"


def test_a_condition_that_fails_refuses():
    for scope in (Scope(also=[Broken()]), Scope(first=[Broken()])):
        assert scope.refuses(Link("http://a.org/"), 0) == "scope: a rule failed (RuntimeError: no idea)"


def test_conditions_of_its_own_stand_before_the_settings_or_after():
    link = Link("http://a.org/x.pdf")
    assert Scope(html_only=True, language="en", first=[Secure()]).refuses(link, 1) == "not secure, en"
    assert Scope(html_only=True, also=[Secure()]).refuses(link, 1) == "scope: no web page but document (.pdf)"
    assert Scope(also=[Secure()]).refuses(Link("https://a.org/"), 1) is None


def test_what_a_scope_goes_by_is_what_its_conditions_go_by():
    plain = Scope(allow="site:a.org", deny="path:/x", html_only=True)
    assert (plain.by_url_alone, plain.minds_depth) == (True, False)
    assert not Scope(also=[Secure()]).by_url_alone
    assert Scope(depth=3).minds_depth
    assert Scope(deny="site:a.org and not depth:<=2").minds_depth
