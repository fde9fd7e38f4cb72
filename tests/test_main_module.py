import subprocess
import sys

from scenthound.version import __version__


def test_python_m_runs_the_program() -> None:
    done = subprocess.run([sys.executable, "-m", "scenthound", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"scenthound {__version__}\n"
