"""The results of an experiment, for reading.

summary.py   means with intervals, comparisons with a baseline, mean curves; share_intervals.py: none beyond 0 and 1
tables.py    these as plain tables: for the terminal, and as Markdown for papers
charts.py    curves with bands, a small one a topic, and cost against benefit
page.py      all of that as one HTML page
"""
