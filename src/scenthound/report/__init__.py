"""What a crawl found and how it went, as a page to look at: one HTML file without scripts, fonts or requests.

    crawl_report.py   reads the facts from a library and writes `report.html`
    crawl_page.py     the facts as HTML, one function a section
    label_section.py  its section on labels
    page_parts.py     what sections are made of
    charts.py         curves as inline SVG; curves_picture.py: several in one picture file
    formatting.py     numbers, times and sizes as people read them
    markup.py         HTML that cannot be broken by what is put into it

The reports of crawls for sites and of the lab are made with the same charts and markup.
"""
