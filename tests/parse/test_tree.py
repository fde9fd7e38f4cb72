"""The walk asks the tree for less than it wants to know, and at start-up for nothing it does not need."""

import platform
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from scenthound.parse import tree
from scenthound.parse.source_repair import FRAME
from scenthound.parse.tree import gather

LISTED = (
    f"a[href],area[href],{FRAME}[src],iframe,img,h1,h2,h3,h4,h5,h6,title,meta,link,base,"
    "script,style,noscript,template,noembed"
)
"""Everything the walk looks at, by name."""

NAMES = [
    *LISTED.replace("[", ",").replace("]", ",").split(","),
    *tree._PLENTIFUL.split(","),
    "svg",
    "math",
    "x",
    "font",
]
MARKUP = st.lists(
    st.one_of(
        st.sampled_from([name for name in NAMES if name]).flatmap(
            lambda name: st.sampled_from(
                [
                    f"<{name}>",
                    f"</{name}>",
                    f"<{name} href=x src=y>",
                    f"<{name} data-frame src=y>",
                    f"<{name} xlink:href=z>",
                ]
            )
        ),
        st.sampled_from(["<embed data-frame src=q>", "<area>", "<embed>", "words ", "&lt;"]),
    ),
    max_size=40,
).map("".join)


@settings(deadline=None)
@given(MARKUP)
def test_ruling_out_what_is_plentiful_leaves_what_is_wanted(markup):
    root = LexborHTMLParser(markup).root
    assert root is not None
    # `[href]` takes SVG's xlink:href as well, and so does the walk; on an area it means nothing.
    listed = [node.mem_id for node in root.css(LISTED) if node.tag != "area" or "href" in node.attributes]
    asked = [(tree._TAGS.get(node.tag_id), node) for node in root.css(tree._WANTED)]
    taken = [
        node.mem_id
        for tag, node in asked
        if tag and (tag not in ("area", "embed") or tree._leads_on(tag, node.attributes))
    ]
    assert taken == listed


@settings(deadline=None)
@given(MARKUP)
def test_no_markup_raises_and_every_link_has_its_mark(markup):
    gathered = gather(markup.encode())
    assert gathered.text.count("\0a") + gathered.text.count("\0s") <= len(gathered.links)


def test_links_of_drawings():
    found = gather(
        b"<svg><a xlink:href=/old>x</a><a href=/new xlink:href=/old>y</a><a href='' xlink:href=/z>z</a></svg>"
    )
    assert [link.href for link in found.links] == ["/old", "/new"]
    loose = gather(b"<p><noscript><svg><a xlink:href=/old>x</a><a>y</a></svg></noscript>").loose
    assert [(link.href, link.anchor) for link in loose] == [("/old", "x")]


def test_only_areas_and_embedded_things_that_lead_somewhere_are_links():
    found = gather(b"<area><area href=/a><area alt=x><embed src=/film><embed data-frame><embed data-frame src=/f>")
    assert [(link.kind, link.href) for link in found.links] == [("area", "/a"), ("frame", "/f")]


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_a_process_that_parses_does_not_load_what_few_pages_need():
    loaded = run("import sys, scenthound.parse.page; print(*sys.modules)").split()
    assert "scenthound.urls" in loaded
    assert not {"charset_normalizer", "publicsuffixlist"} & set(loaded)


FAULTS = """
import resource
import scenthound.parse.tree

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    [bytearray(100_000) for _ in range(100)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults()
print(min(faults(), faults()))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="page faults are counted as on Linux")
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have habits of their own")
def test_memory_that_was_freed_is_there_for_the_next_page():
    assert int(run(FAULTS)) < 500  # of 2,400, if it were given back


MAPPED = """
import ctypes
import scenthound.parse.tree

class Info(ctypes.Structure):
    _fields_ = [(f"field{n}", ctypes.c_size_t) for n in range(10)]

mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Info
before = mallinfo().field3  # pieces that the system gave one by one
kept = [bytearray(2 << 20) for _ in range(20)]
print(mallinfo().field3 - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have habits of their own")
@pytest.mark.skipif(platform.libc_ver() < ("glibc", "2.33"), reason="it does not tell")
def test_large_pieces_are_the_systems_and_go_back_to_it():
    assert int(run(MAPPED)) > 10  # of 20: some fit into what is free already
