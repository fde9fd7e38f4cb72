"""What words mean: concepts, how they hang together, and how alike two words are because of it.

An ontology is a set of concepts. A concept has labels, of which those of one language are synonyms, and edges to
broader and narrower concepts, and sometimes to related ones. Three kinds come from different worlds and look the same
from outside (`ontology_protocol.py`):

    WordNet           ours, in ontology/data            wordnet.py over mapped_arrays.py, morphy.py
    a thesaurus       a SKOS or OWL file of the user's  thesaurus.py, made by skos.py from triples.py
                                                        (turtle.py, rdfxml.py)
    another wordnet   installed through `wn`            wn_package.py

On top of any of them:

    open_ontology.py  the ontology a name stands for: "wordnet", "diseases.ttl", "diseases.ttl + wordnet", "wn:odenet"
    similarity.py     how long the way between two concepts is, how deep they meet; Ehrig's and Li's numbers from that
    vocabulary.py     a text's words and phrases, each with the concepts it may stand for
    topic_terms.py    a topic's keywords, ready to be compared with one anchor after the other
    expansion.py      what an ontology adds to a topic
    kinds.py          whether a text names a kind of what a topic is about

Nothing here knows of pages or crawls; `scenthound.strategies` makes priorities of it.
"""
