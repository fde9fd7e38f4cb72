def measure(svg):
    pass
