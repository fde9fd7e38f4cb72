"""A library for programs that speak the Model Context Protocol: search, read, explain; start and steer a crawl.

`library_tools.py` has the tools, each a method with its docstring for the model; `serve.py` makes a server of them, by
the protocol's official SDK. Tools that change something are there only if whoever starts the server allows it.
"""
