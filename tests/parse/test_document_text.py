from markdown_it import MarkdownIt

from scenthound.model import Block, Page
from scenthound.parse.document_text import document_text


def test_headings_and_paragraphs() -> None:
    page = Page(
        "http://a.test/x.pdf",
        text="Spores\nOne *two*.\n\nThree.\n\nFour",
        blocks=(Block("Spores", 2, "Spores\nOne *two*.\n\nThree."), Block("", 0, ""), Block("", 0, "Four")),
    )
    made = document_text(page, "pdf")
    assert made.markdown == "## Spores\n\nOne \\*two\\*.\n\nThree.\n\nFour\n"
    assert (made.words, made.boilerplate) == (5, 0.0)


def test_tables_stay_as_they_are() -> None:
    for text in ("a,b\n1,2", "a\n```\n<b>"):
        made = document_text(Page("http://a.test/x.csv", text=text, blocks=(Block("", 0, text),)), "csv")
        [token] = MarkdownIt().parse(made.markdown)
        assert (token.type, token.content) == ("fence", f"{text}\n")
