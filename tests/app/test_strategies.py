from scenthound.app.strategies import describe, trainable


def test_a_strategy_tells_what_it_believes_and_its_parameters() -> None:
    told = describe("best-n-first")
    assert told["summary"]
    assert not told["summary"].endswith(".")
    assert {"name": "n", "type": "int", "default": 16} in told["parameters"]


def test_those_that_learn_ahead_of_a_crawl() -> None:
    assert {"crf", "memm", "hmm", "context-graph"} <= set(trainable())
    assert "best-first" not in trainable()
