import subprocess
import sys

import pytest

TRY = """
from scenthound.parse.memory_limit import limited_memory
with limited_memory(50_000_000):
    try:
        bytearray(200_000_000)
        print("had it")
    except MemoryError:
        print("refused")
bytearray(200_000_000)
print("free again")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only here can a process be bounded")
def test_memory_is_bounded_for_a_while() -> None:
    told = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, check=True).stdout
    assert told.split("\n")[:2] == ["refused", "free again"]
