import pytest

from scenthound.model import Response
from scenthound.parse.usage_preferences import UsagePreferences, combined, of_answer, of_value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("train-ai=n", {"train-ai": False}),
        ("train-ai=n, search=y", {"train-ai": False, "search": True}),
        ("Train-AI=N;x=1, search=maybe", {"train-ai": False}),
        ("ai-train=no, search=yes", {"train-ai": False, "search": True}),
        ("", {}),
        ("n", {}),
    ],
)
def test_values(value: str, said: dict[str, bool]) -> None:
    assert of_value(value).said == said


def test_whoever_says_no_is_heard() -> None:
    together = combined([of_value("train-ai=y, search=y"), of_value("train-ai=n"), of_value("train-ai=y")])
    assert str(together) == "search=y, train-ai=n"


@pytest.mark.parametrize(
    ("said", "use", "refused"),
    [
        ("train-ai=n", "train-ai", True),
        ("train-ai=n", "train-genai", True),
        ("train-ai=n, train-genai=y", "train-genai", False),
        ("bots=n", "search", True),
        ("bots=n, search=y", "search", False),
        ("tdm=n", "train-ai", True),
        ("tdm=n", "search", False),
        ("", "train-ai", False),
    ],
)
def test_a_use_that_nothing_is_said_of_is_part_of_a_wider_one(said: str, use: str, refused: bool) -> None:
    assert of_value(said).refuses(use) is refused


def test_headers_and_the_head_of_a_page_speak() -> None:
    def page(body: str, *headers: tuple[str, str]) -> str:
        answer = Response("http://a.test/", 200, (("Content-Type", "text/html"), *headers), body.encode())
        return str(of_answer(answer))

    assert page("", ("Content-Usage", "train-ai=n")) == "train-ai=n"
    assert page("", ("TDM-Reservation", "1")) == "tdm=n"
    assert page("", ("X-Robots-Tag", "noindex, noai")) == "train-ai=n"
    assert page("<meta name='tdm-reservation' content=1>") == "tdm=n"
    assert page('<META content="noai, noimageai" NAME="robots">') == "train-ai=n"
    assert page("<p>noai tdm-reservation") == ""


def test_a_license_is_noted() -> None:
    assert UsagePreferences(licenses=("https://a.test/rsl.xml",)).refuses("license")
    assert not UsagePreferences().refuses("license")
