"""How things look: on a terminal, in plain lines, and as JSON.

watched_crawl.py   a crawl before a person's eyes: live.py on a terminal, lines.py as plain lines or JSON,
                   crawl_summary.py at its end
watched_sites.py   the same for a crawl for sites: site_progress.py, and site_list.py for what it found
watched_preview.py what a topic would keep, after a short crawl if need be: topic_preview.py
notices.py         what a crawl has to say to the person who started it, in a sentence
lab_progress.py    an experiment while it runs
progress_line.py   how far anything else is that takes long
terminal_text.py   texts and curves that fit a terminal

The others are named after what they show: library_status.py, explanation.py, page.py, search.py, changes.py ...
"""
