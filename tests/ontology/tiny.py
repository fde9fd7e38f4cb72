"""A WordNet of a dozen synsets, in the format of Princeton's own files; and a script of ours as a module."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

LICENCE = "  1 This is a licence, whose lines begin with two spaces.  \n"

NOUNS = """\
00000001 03 n 01 entity 0 000 | that which is
00000002 03 n 02 organism 0 being 0 001 @ 00000001 n 0000 | a living thing
00000003 05 n 01 animal 0 001 @ 00000002 n 0000 | one that moves
00000004 05 n 01 insect 0 001 @ 00000003 n 0000 | one with six legs
00000005 05 n 01 mosquito 0 003 @ 00000004 n 0000 ~ 00000006 n 0000 + 00000001 v 0101 | one that bites
00000006 05 n 02 yellow-fever_mosquito 0 Aedes_aegypti 0 001 @ 00000005 n 0000 | one that carries fever
00000007 05 n 01 mouse 0 001 @ 00000003 n 0000 | one with a tail
00000008 26 n 03 dengue 0 dengue_fever 0 breakbone_fever 0 001 @ 00000001 n 0000 | an illness
00000009 06 n 02 mouse 0 computer_mouse 0 001 @ 00000001 n 0000 | one with buttons
00000010 18 n 02 Mickey 0 Mickey_Mouse 0 001 @i 00000007 n 0000 | a famous one
"""
VERBS = """\
00000001 30 v 02 bite 0 sting 0 000 01 + 08 00 | as mosquitoes do
00000002 30 v 01 nip 0 001 @ 00000001 v 0000 01 + 08 00 | bite a little
00000003 38 v 01 move 0 000 01 + 02 00 | go
"""
ADJECTIVES = "00000001 00 a 02 galore(ip) 0 abundant 0 000 | in plenty\n"
ADVERBS = "00000001 02 r 01 quickly 0 000 | with speed\n"
INDEX = {
    "noun": """\
aedes_aegypti n 1 1 @ 1 0 00000006
animal n 1 1 @ 1 0 00000003
being n 1 1 @ 1 0 00000002
breakbone_fever n 1 1 @ 1 0 00000008
computer_mouse n 1 1 @ 1 0 00000009
dengue n 1 1 @ 1 0 00000008
dengue_fever n 1 1 @ 1 0 00000008
entity n 1 0 1 0 00000001
insect n 1 1 @ 1 0 00000004
mickey n 1 1 @i 1 0 00000010
mickey_mouse n 1 1 @i 1 0 00000010
mosquito n 1 2 @ ~ 1 0 00000005
mouse n 2 1 @ 2 1 00000009 00000007
organism n 1 1 @ 1 0 00000002
yellow-fever_mosquito n 1 1 @ 1 0 00000006
""",
    "verb": "bite v 1 0 1 0 00000001\nmove v 1 0 1 0 00000003\nnip v 1 1 @ 1 0 00000002\nsting v 1 0 1 0 00000001\n",
    "adj": "abundant a 1 0 1 0 00000001\ngalore a 1 0 1 0 00000001\n",
    "adv": "quickly r 1 0 1 0 00000001\n",
}


def files(folder: Path) -> Path:
    """Writes them, and says where."""
    data = {"noun": NOUNS, "verb": VERBS, "adj": ADJECTIVES, "adv": ADVERBS}
    for part in data:
        (folder / f"data.{part}").write_text(LICENCE + data[part])
        (folder / f"index.{part}").write_text(LICENCE + INDEX[part])
    (folder / "noun.exc").write_text("mice mouse\n")
    (folder / "verb.exc").write_text("bitten bite\nbit bite\n")
    return folder


def script(name: str) -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
