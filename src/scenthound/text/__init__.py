"""From text to numbers: what a page says, as a vector that can be compared with a topic.

    text ──(analysis)──▶ terms, counts ──(idf, vectors)──▶ tf-idf vector ──(query, nearest)──▶ cosine, 0..1
                            │
                            ├──(topic_vector)──▶ share of the words that are the topic's (Mali)
                            └──(simhash)──────▶ 64 bits that near-duplicates share (near_duplicates finds them)

`analysis` cuts text into words, drops the stop words of its language (`stopwords`, `languages`) and stems the rest.
`idf` says how much a term tells: by the language at large (`background`, a table of word frequencies), by a set of
documents, or not at all. `vectors` holds the arithmetic of Batsakis, equations 1 and 2, on plain dicts; `query` is the
topic as a vector, made for asking about thousands of anchors; `nearest` compares a page with many example pages at
once; `weight_table` is the topic as ten terms, for the blocks of a page. `topics` works out a topic's keywords from
pages, and from the entries of a directory of the web that `web_directory` reads; `sentence` understands a topic that is
said in words (`request_words`: how people ask), and `language_recognition` tells its language. `surrogates` sees to it
that a text can be written down.

Nothing here raises for any text, and nothing grows with the number of texts seen.
"""
