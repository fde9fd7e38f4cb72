"""How things look: on a terminal, in plain lines, and as JSON.

live.py            a crawl while it runs, on a terminal; lines.py: as plain lines or JSON
site_progress.py   the same for a crawl for sites; site_list.py: the sites it found
lab_progress.py    an experiment while it runs
figures.py         numbers, times and texts as people read them
"""
