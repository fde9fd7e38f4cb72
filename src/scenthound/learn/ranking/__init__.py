"""Parts of an order of links that is learned during the crawl; `strategies/auto.py` puts them together.

link_texts.py       what links say: the words of their anchors, of what stands around them, of their addresses
own_features.py     what a page says of each of its links, as numbers: keywords, lists, place in the site
link_evidence.py    what all known in-links of a waiting link say, in a bounded number of bytes
start_sites.py      how little of each site was seen, of those the crawl was started from
new_ground.py       where nothing was seen yet, for when relevant pages have become rare
people_links.py     which links lead to people, where people are wanted
page_parts.py       whether a link leads out of the folder of the page that has it
outcome_records.py  what other links of the same page, and of the same list, turned out to be
done_links.py       which links were followed, and need no place in the order
link_lessons.py     what lessons teach it before the crawl
link_model.py       what the words of links foretell, learned online
waiting_features.py all features of waiting links, a row a link: what they say of themselves, and what was learned since
feature_scale.py    how far each feature is from what waits besides, wherever it waits
feature_weights.py  how much each feature counts here: a cautious prior, corrected by what came back
link_experience.py  what one page taught of links, for others who never saw it
reasons.py          all of that in words
"""
