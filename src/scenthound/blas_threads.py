"""The linear algebra behind numpy, kept to one thread where a crawl runs inside somebody else's program.

Our matrices are small: several threads would only wait for each other, spinning, and on a busy machine that takes many
times what the work does. The command line says so in the environment before numpy is there (`cli/main.py`). A notebook
or a Scrapy spider may have imported numpy long before us, and wants its threads back.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np  # noqa: F401  what is limited are libraries that are loaded by then
from threadpoolctl import threadpool_limits


def one_blas_thread() -> AbstractContextManager[object]:
    """For as long as it is entered. Of several threads that ask for it at once, the first decides when it ends."""
    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits
