"""Caches that cannot grow: what they answer, what they forget, and in which order."""

import ast
from collections import OrderedDict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scenthound.bounded_cache import BoundedCache, Memo

SOURCE = Path(__file__).parents[1] / "src" / "scenthound"


class Counting:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, key: str) -> int | None:
        self.asked.append(key)
        return len(key) or None


def test_an_answer_is_worked_out_once_until_all_are_forgotten() -> None:
    make = Counting()
    memo = Memo(make, 2)
    assert [memo["a"], memo["bb"], memo["a"], memo["bb"]] == [1, 2, 1, 2]
    assert make.asked == ["a", "bb"]
    assert memo["ccc"] == 3
    assert dict(memo) == {"ccc": 3}, "full: all were forgotten"
    assert memo["a"] == 1
    assert make.asked == ["a", "bb", "ccc", "a"]


def test_nothing_is_an_answer_too() -> None:
    make = Counting()
    memo = Memo(make, 2)
    assert (memo[""], memo[""]) == (None, None)
    assert make.asked == [""]


def test_what_is_not_worth_it_is_worked_out_each_time() -> None:
    make = Counting()
    memo = Memo(make, 9, keeps=lambda key: len(key) < 3)
    assert [memo["long"], memo["long"], memo["ab"], memo["ab"]] == [4, 4, 2, 2]
    assert make.asked == ["long", "long", "ab"]
    assert "long" not in memo


def test_asking_without_reading_does_not_make() -> None:
    memo = Memo(Counting(), 2)
    assert memo.get("a") is None
    assert "a" not in memo
    assert len(memo) == 0


def test_a_memo_may_ask_itself() -> None:
    def triangle(n: int) -> int:
        return n + memo[n - 1] if n else 0

    memo = Memo(triangle, 3)
    assert memo[10] == 55
    assert len(memo) <= 3


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_a_memo_answers_as_its_function_and_keeps_its_bound(keys: list[int], most: int) -> None:
    memo = Memo(lambda key: key * key, most)
    for key in keys:
        assert memo[key] == key * key
        assert len(memo) <= most


def test_the_one_written_longest_ago_goes_first() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    for n, key in enumerate("abac"):
        cache.put(key, n)
    assert cache.entries == {"a": 2, "c": 3}
    assert (len(cache), "a" in cache, "b" in cache, cache.get("b")) == (2, True, False, None)


def test_reading_makes_an_entry_no_newer_and_using_does() -> None:
    read: BoundedCache[str, int] = BoundedCache(2)
    used: BoundedCache[str, int] = BoundedCache(2)
    for cache in (read, used):
        cache.put("a", 1)
        cache.put("b", 2)
    assert (read.get("a"), used.use("a"), used.use("z")) == (1, 1, None)
    for cache in (read, used):
        cache.put("c", 3)
    assert set(read.entries) == {"b", "c"}
    assert set(used.entries) == {"a", "c"}


def test_many_at_once_are_all_there_before_one_is_forgotten() -> None:
    cache: BoundedCache[str, int] = BoundedCache(3)
    for key in "abc":
        cache.put(key, 0)
    cache.put_all({"d": 1, "a": 1})
    assert list(cache.entries.items()) == [("c", 0), ("d", 1), ("a", 1)]


def test_a_bound_in_bytes() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10, weigh=len)
    cache.put("a", b"1234")
    cache.put("b", b"1234")
    assert cache.held == 8
    cache.put("a", b"12")
    assert (cache.held, list(cache.entries)) == (6, ["b", "a"])
    cache.put("c", b"123456789")
    assert (cache.held, list(cache.entries)) == (9, ["c"])
    cache.put("d", b"more than there is room for")
    assert (cache.held, len(cache)) == (0, 0)


def test_whoever_writes_to_the_entries_says_when_it_is_done() -> None:
    counted: BoundedCache[str, int] = BoundedCache(2)
    weighed: BoundedCache[str, int] = BoundedCache(5, weigh=int)
    for cache in (counted, weighed):
        cache.put("a", 1)
        cache.entries.update({"b": 2, "c": 2, "d": 3})
        assert len(cache) == 4
        cache.forget()
        assert list(cache.entries) == ["c", "d"]
    assert (counted.held, weighed.held) == (2, 5)


@given(st.lists(st.tuples(st.sampled_from("puw"), st.integers(0, 6), st.integers(0, 5))), st.integers(1, 12))
def test_it_forgets_as_an_ordered_dict_by_hand_does(steps: list[tuple[str, int, int]], most: int) -> None:
    counted: BoundedCache[int, int] = BoundedCache(most)
    weighed: BoundedCache[int, int] = BoundedCache(most, weigh=int)
    by_count: OrderedDict[int, int] = OrderedDict()
    by_weight: OrderedDict[int, int] = OrderedDict()
    for what, key, value in steps:
        for cache, model in ((counted, by_count), (weighed, by_weight)):
            if what == "u":
                assert cache.use(key) == model.get(key)
                if key in model:
                    model.move_to_end(key)
                continue
            news = {key: value} if what == "p" else {key: value, key + 1: value}
            cache.put(key, value) if what == "p" else cache.put_all(news)
            model.update(news)
            for each in news:
                model.move_to_end(each)
            while model and (len(model) if model is by_count else sum(model.values())) > most:
                model.popitem(last=False)
            assert list(cache.entries.items()) == list(model.items())
    assert (counted.held, weighed.held) == (len(by_count), sum(by_weight.values()))


# There is no other


def clears_when_full(tree: ast.AST) -> bool:
    """`if len(x) >= most: x.clear()`, as one writes it by hand."""
    for branch in ast.walk(tree):
        if isinstance(branch, ast.If) and any(isinstance(node, (ast.Gt, ast.GtE)) for node in ast.walk(branch.test)):
            measured = {ast.unparse(call.args[0]) for call in _calls(branch.test) if ast.unparse(call.func) == "len"}
            called = {ast.unparse(call.func) for part in branch.body for call in _calls(part)}
            if called & {f"{name}.clear" for name in measured}:
                return True
    return False


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_what_a_cache_by_hand_looks_like() -> None:
    assert clears_when_full(ast.parse("if len(self.known) >= MOST:\n    self.known.clear()"))
    assert not clears_when_full(ast.parse("if self.done:\n    self.known.clear()\nif len(x) > 3:\n    pass"))


def test_caches_with_a_bound_are_these() -> None:
    by_hand = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if path.name != "bounded_cache.py"
        and ("OrderedDict" in (text := path.read_text(encoding="utf-8")) or clears_when_full(ast.parse(text)))
    }
    assert by_hand == {"library/sql/transactions.py"}, "a set of URLs lately refused: it has keys only"
