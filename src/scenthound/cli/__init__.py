"""The command line: `scenthound`, one file per command.

    main.py          the program: its commands in groups, its errors as one line each
    crawl.py         `crawl`: its options and help
    settings.py      what they mean: which folder, which settings, whether a crawl starts or goes on
    session.py       runs one crawl from start to end, with Ctrl-C, on the fastest loop there is
    demo.py          the built-in web that `crawl --demo` crawls
    watch.py         looks on while a crawl runs, and remembers what a person wants to see of it
    live.py          shows that on a terminal; lines.py as plain lines or JSON
    summary.py       what is said when a crawl has ended
    status.py        `status`: what is in a library; portrait.py gathers and draws it, after a crawl too
    seeds.py         `seeds`: pages to start from, by asking a search source; seeding.py writes them down
    revisit.py       `revisit`: looking at pages again; changes.py: what that brought to light
    past.py          pages as they were, for `show --at`, `--diff` and `--versions`
    explain.py       `explain`: why a page was fetched or not; explanation.py works it out
    search.py        `search`, and show.py, export.py, report.py: each a command
    asking.py        what the commands that ask a library share
    trails.py        `trails`: something to learn from; trails_run.py gets and shows it
    strategies.py    `strategies`: what there is to choose from
    lab.py           `lab`: its options and help; lab_run.py runs the experiment before one's eyes
    evaluate.py      `evaluate`: how good a finished crawl was
    figures.py       numbers, times and texts as people read them

A new command is a function in a file of its own, and a line in the list in main.py.
"""
