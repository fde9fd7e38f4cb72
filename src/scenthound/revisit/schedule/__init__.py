"""Which pages to look at now, when there are fewer requests than one would like.

due_pages.py            pages to be confirmed first, then what the policy says; none too soon after a look
policies.py             one small class an idea: all alike, by rate of change, by what was learned
page_history.py         what is known of a page: when it was looked at, and whether something was new
change_rates.py         how often a page changes, from looks at odd times
url_templates.py        pages with URLs of one form change together
shared_change_days.py   on which days they did; beliefs.py: what all looks together say about every page
visit_rates.py          rates of change to rates of looks, within a budget
"""
