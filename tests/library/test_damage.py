from pathlib import Path

from scenthound.library.damage import Damage, answers, damaged_library


def test_the_first_few_are_named_and_the_next_commands() -> None:
    told = str(damaged_library(Path("x"), [Damage(f"part {n}", "is gone") for n in range(5)]))
    assert told.startswith("The library in x is damaged: part 0 is gone; part 1 is gone; part 2 is gone; and 2 more. ")
    assert "scenthound library check x" in told
    assert "scenthound library repair x" in told


def test_answers_are_counted() -> None:
    assert [answers(number) for number in (1, 2000)] == ["1 answer", "2,000 answers"]
