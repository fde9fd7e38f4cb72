"""Random input against everything that reads what others wrote: no crash, no hang, and what must hold holds.

    ./run python -m fuzz                                        all targets, 2,000 executions each
    ./run python -m fuzz --target urls --executions 100000 --seed 1
    ./run python -m fuzz --million                              the long run
    ./run python -m fuzz --target html --file some.html         one input
    ./run python -m fuzz --target urls --engine atheris         with coverage, if atheris is installed

A *target* (`targets/`) takes bytes, hands them to a reader of Scenthound, checks what must hold of the result, and says
in a few words what kind of result it was. `mutations.py` makes new inputs from those of the kept `corpus/`;
an input whose result is of a new kind is mutated further (`runner.py`). A failure is made as small as it can be
(`smaller.py`) and written into the corpus, so that it is tried first ever after.

Same target, same corpus, same seed: the same inputs.
"""
