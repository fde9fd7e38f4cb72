"""Judges on trial: every page of a web that holds still, judged, and held against the truth.

A crawl follows its judge, so a crawl cannot say how good the judge is. Here it judges all pages in a topic's scope,
from what a person might give it: keywords alone, or keywords with example pages.

    judge_experiment.py     the plan: judges x topics x what is given
    parsed_pages.py         the pages of a large web, parsed once and kept
    web_pages.py            those that a crawl for a topic could see
    judge_trial.py          one judge on one topic
    simulated_answers.py    what it gains when a person answers its questions
    judge_results.py        a line for each trial, and what it is filed under
    judge_runner.py         all trials, over all cores

The figures are in `measures/judgements.py`; `run_judges.py` above takes a plan to its report.
"""
