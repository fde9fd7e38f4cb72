"""Which links may be followed: small rules, combined with `and`, `or`, `not` and parentheses.

    allow = "site:example.org or (host:*.edu and path:/health)"
    deny = "path:*/print/* or match:\\"[?&]sort=\\""

| rule | holds for |
|---|---|
| `site:example.org` | every host of that registrable domain |
| `host:www.example.org`, `host:*.edu` | that host; `*` stands for anything; without a port, for every port |
| `path:/health`, `path:*/print/*` | paths that begin so; with a `*`, paths that are so as a whole |
| `depth:<=3` | links so many hops from a seed; `<`, `<=`, `=`, `>=`, `>` |
| `scheme:https` | that scheme |
| `match:"/20[0-9]{2}/"` | URLs in which the regular expression is found |
| `language:de` | links to pages in that language, as far as one can tell before asking |
| `type:html`, `type:image`, `type:pdf` | that kind of file, or that ending, by the URL alone |

The language of a link is the one its URL names (`//de.example.org/`, `/de/`, `?lang=de`), else that of the page it
stands on. The types are html, image, audio, video, document, archive, program, data, style and font, by the ending of
the path; whatever has no ending that says otherwise is html, because that is what most such URLs turn out to be.

`and` binds tighter than `or`, `not` tighter than both. Values with spaces, parentheses or quotes stand in double
quotes, with `\\"` for a quote. A rule is a value: two that say the same in the same words are equal, and
`parse(str(rule)) == rule`.

A rule that fails refuses the link: a filter that lets through what it could not judge is no filter.
"""
