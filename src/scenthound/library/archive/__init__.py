"""The answers of servers as they came, in WARC files that every archive tool can read.

`warc` makes and reads records, `warc_files` appends them to files in step with the database, `compression` packs them,
`warc_scan` reads a file through, whatever happened to it.
"""
