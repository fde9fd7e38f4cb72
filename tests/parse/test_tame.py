import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse import tame as module
from scenthound.parse.tame import _FORMATTING, _NOT_NESTING, _TAG, _flatten, _without_excess, tame

NAMES = "div p span b i u s em tt td tr th tbody big font code small strong strike nobr section x sp body a li"
PIECES = st.one_of(
    st.builds(
        lambda start, name, end: (start + name + end).encode(),
        st.sampled_from(["<", "</"]),
        st.sampled_from([*NAMES.split(), *NAMES.upper().split()]),
        st.sampled_from([">", " x=y>", "/>", "", " "]),
    ),
    st.binary(max_size=4),
)
SOURCES = st.lists(PIECES, max_size=60).map(b"".join)


def depth_of(source):
    """Counted tag by tag: an end tag that belongs to nothing closes nothing."""
    depth = deepest = 0
    for slash, name in _TAG.findall(source):
        if name.lower() in _NOT_NESTING:
            continue
        depth = max(0, depth - 1) if slash else depth + 1
        deepest = max(deepest, depth)
    return deepest


@given(SOURCES, st.integers(1, 12))
def test_what_is_not_too_deep_stays_as_it_is(source, allowed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_DEPTH", allowed)
        if depth_of(source) <= allowed:
            assert _flatten(source) == source
        else:
            assert _flatten(source) == _without_excess(source) != source


def test_end_tags_that_belong_to_nothing_do_not_count(monkeypatch):
    monkeypatch.setattr(module, "MAX_DEPTH", 2)
    assert _flatten(b"</x></x></x><x><x>") == b"</x></x></x><x><x>"
    assert _flatten(b"</x></x></x><x><x><x>y</x>") == b"</x></x></x><x><x> y "


@given(SOURCES)
def test_formatting_is_what_its_names_say(source):
    plain = re.compile(rb"</?(?:b|i|u|s|em|tt|big|font|code|small|strong|strike|nobr)(?:[\s/][^<>]*)?>", re.IGNORECASE)
    assert _FORMATTING.sub(b"", source) == plain.sub(b"", source)


def test_what_is_remembered_of_tags_is_bounded():
    names = b"".join(b"<n%d>" % number + b"</n%d>" % number for number in range(3 * module._REMEMBERED_NAMES))
    assert tame(names) == names
    assert tame(b"<" + b"n" * 100_000 + b">" + names).endswith(names)
    steps = module._step_of.__self__
    assert len(steps) <= module._REMEMBERED_NAMES
    assert max(map(len, steps)) <= module._LONGEST_NAME + 1
