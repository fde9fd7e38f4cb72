"""How likely a page is relevant, learned from a few pages that are known and the many that are ordinary.

    page ──(page_words)──▶ the words of each field: text, title, headings, beginning, anchors, address, form
    words ──(page_rows)──▶ a row of hashed words for each field
    keywords ──(keyword_evidence)──▶ how much of the topic's words the page says, and where
    rows of known pages, rows of a sample ──(relevance_model)──▶ what tells in each field, and how far a page is
                                                from the ordinary page towards those that are plainly about the topic
    page ──(page_faults)──▶ signs that it is not written to be read: stuffed with words, in another language, a list

`kernel_logistic` fits the weights of a field, `page_sample` keeps what was seen within bounds, `row_arrays` what was
learned for a crawl that goes on. The judge `auto` puts them together.
"""
