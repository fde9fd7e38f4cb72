"""Webs that do not hold still: pages over years, and how well a library keeps up with them.

    page_histories.py      every version that pages had, and when
    replayed_revisits.py   a policy keeps a collection fresh over the years, on a budget
    detection.py           how good the tests for change are on real versions
    freshness_chart.py     a comparison of policies as a picture

The numbers are `measures/freshness.py`'s.
"""
