import pytest

from scenthound.text.page_language import page_language

ENGLISH = "The fern is a plant that has no flowers and no seeds, and it likes the shade of the woods. " * 4
GERMAN = "Der Farn ist eine Pflanze, die keine Blüten und keine Samen hat, und sie liebt den Schatten der Wälder. " * 4
JAPANESE = "シダは花も種もつけない植物で、森の日陰を好みます。"
THAI = "เฟิร์นเป็นพืชที่ไม่มีดอกและไม่มีเมล็ด"
CHINESE = "蕨类植物没有花也没有种子，喜欢生长在树荫下。"


@pytest.mark.parametrize(
    ("text", "stated", "assumed", "language"),
    [
        (ENGLISH, "", "en", "en"),
        (GERMAN, "", "en", "de"),
        (GERMAN, "", "de", "de"),
        (ENGLISH, "", "ja", "en"),
        (ENGLISH, "fr", "en", "fr"),
        ("Farn und Moos", "", "en", "en"),
        (JAPANESE, "", "en", "ja"),
        (JAPANESE, "en", "en", "ja"),
        (CHINESE, "", "ja", "zh"),
        (THAI, "en", "", "th"),
        ("x " * 100, "", "en", "en"),
        ("", "", "", ""),
    ],
)
def test_language(text: str, stated: str, assumed: str, language: str) -> None:
    assert page_language(text, stated, assumed) == language
