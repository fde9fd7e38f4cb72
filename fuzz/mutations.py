"""New inputs from old ones: what breaks readers is rarely noise, and often something valid with one thing wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

LARGEST = 1_024
"""Bytes of an input, as a rule."""

LARGER = 8_192
"""Bytes of one in fifty."""

HUGE = 65_536
"""Bytes of one in a thousand: what costs more than linear time shows here."""

ODD_PIECES = (
    *(b"", b"\0", b"\n", b"\r\n", b"\r", b"\t", b" ", b"\x7f", b"\x80", b"\xff", b"\xfe\xff", b"\xff\xfe"),
    *(b"\xef\xbb\xbf", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "\u202e".encode(), "\u2028".encode()),
    *("ﷺ".encode(), "ß".encode(), "İ".encode(), "😀".encode(), "e\u0301".encode(), "\ufdd0".encode()),
    *(b"0", b"-1", b"1e999", b"nan", b"inf", b"-0.0", b"9" * 30, b"9" * 5000, b"18446744073709551616", b"2147483648"),
    *(b"%", b"%00", b"%zz", b"\\", b"'", b'"', b"<", b">", b"&", b"&#0;", b"&#x110000;", b";", b",", b"[", b"]"),
    *(b"{", b"}", b"(", b")", b"=", b"*", b"$", b"#", b"../", b"//", b"?", b"@", b":", b"null", b"true", b"{}", b"[]"),
)
_number = re.compile(rb"\d+")

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def mutated(data: bytes, dice: Random, pieces: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """The input after one to five changes. `pieces`: words of the format; `others`: inputs to borrow from."""
    for _ in range(1 + int(dice.expovariate(0.8))):
        kind = dice.randrange(len(MUTATIONS) + 1)
        data = _spliced(data, dice, others) if kind == len(MUTATIONS) else MUTATIONS[kind](data, dice, pieces)
    size = dice.randrange(1_000)
    return data[: HUGE if size == 0 else LARGER if size <= 20 else LARGEST]


def _span(data: bytes, dice: Random) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + 1 + int(dice.expovariate(0.1)))


def flip_a_bit(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = dice.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :]


def another_byte(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    place = dice.randrange(len(data) + 1)
    return data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :]


def leave_out(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _span(data, dice)
    return data[:start] + data[end:]


def cut_off(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    place = dice.randrange(len(data) + 1)
    return data[:place] if dice.random() < 0.7 else data[place:]


def say_twice(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _span(data, dice)
    return data[:end] + data[start:end] + data[end:]


def say_often(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _span(data, dice)
    piece = data[start:end] or dice.choice(ODD_PIECES)
    times = min(1 << dice.randrange(1, 14), HUGE // max(len(piece), 1))
    return data[:start] + piece * times + data[end:]


def odd_piece(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    start, end = _span(data, dice)
    return data[:start] + dice.choice(ODD_PIECES) + data[end if dice.random() < 0.3 else start :]


def piece_of_the_format(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    if not pieces:
        return odd_piece(data, dice, pieces)
    start, end = _span(data, dice)
    return data[:start] + dice.choice(pieces) + data[end if dice.random() < 0.3 else start :]


def another_number(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    found = list(_number.finditer(data))
    if not found:
        return odd_piece(data, dice, pieces)
    match = dice.choice(found)
    number = dice.choice((b"0", b"-1", b"1e400", b"nan", str(1 << dice.randrange(70)).encode(), b"00", b"0.1"))
    return data[: match.start()] + number + data[match.end() :]


def move_a_line(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(dice.randrange(len(lines)))
    for _ in range(dice.randrange(3)):  # left out, moved, said twice
        lines.insert(dice.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def swap(data: bytes, dice: Random, pieces: Sequence[bytes]) -> bytes:
    first, second = sorted((_span(data, dice), _span(data, dice)))
    if first[1] > second[0]:
        return data
    between = data[first[1] : second[0]]
    return data[: first[0]] + data[slice(*second)] + between + data[slice(*first)] + data[second[1] :]


def _spliced(data: bytes, dice: Random, others: Sequence[bytes]) -> bytes:
    other = dice.choice(others) if others else b""
    start, end = _span(data, dice)
    place = dice.randrange(len(other) + 1)
    return data[:start] + other[place : place + 1 + int(dice.expovariate(0.02))] + data[end:]


MUTATIONS: tuple[Mutation, ...] = (
    flip_a_bit,
    another_byte,
    leave_out,
    cut_off,
    say_twice,
    say_often,
    odd_piece,
    piece_of_the_format,
    piece_of_the_format,
    another_number,
    move_a_line,
    swap,
)
