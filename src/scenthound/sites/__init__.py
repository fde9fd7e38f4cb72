"""Which *websites* are about the topic? A crawl on two levels (Ester, Kriegel, Schubert).

A company, a department, a project is a site, not a page. Whoever looks for such wants a list of sites, each looked at
just long enough to know what it is. What a site is can be chosen: a host, a domain, a folder (`definition.py`).

Outside, the web is a graph of sites (`site_graph.py`). Those not yet looked at wait, ranked by the sites that link to
them (`site_order.py`, `bandit.py`). The best is begun at its homepage; a few are under way at a time, on different
hosts.

Inside a site (`site_state.py`), each page says how likely it stands on a relevant site (`evidence.py`): from a topic
alone by what the judge says (`confidence.py`), and where sites are labelled also by a classifier of pages that learned
from them (`classifier.py` over `word_space.py` and `centroids.py`; the pages come from `training.py`, what was learned
is `taught.py`, which `model_file.py` keeps). Whether it helps is asked of the labelled sites themselves, each held back
(`held_back.py`, `label_check.py`); where it does not, it is not used. Pages that speak clearly lend their links their
clarity. Page by page the site's posterior grows (`posterior.py`) until it is sure enough; then the site is kept for a
while longer if it may lead to other relevant sites (`link_rank.py`), and left. A labelled site is what its label says.

All of it runs in the one crawl loop there is. `site_crawl.py` holds what is known of all sites and plays the strategy:
it learns from visits and ranks links. `site_frontier.py` stands around the polite frontier and lets in only links of
sites that are under way; `site_scope.py` says of links to other sites that they are no pages to be fetched. What is
known of the sites is never stored: it follows from the pages visited, so a crawl that goes on goes through them once
more.

`parts.py` puts these together, `site_list.py` makes the list that a person wants, and `page_collection.py` then crawls
the sites found, page by page.

To compare with: `page_crawler.py` is a page crawler made to look for sites, `homepage.py` judges a site by its homepage
alone, `measures.py` says what a crawl took per site found. `cross_validation.py` asks labelled sites how good the
classifier is, looking at each as `exploration.py` does, in the parts that `folds.py` makes.
"""
