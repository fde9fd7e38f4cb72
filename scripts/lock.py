"""Makes requirements/run.lock and requirements/dev.lock anew from pyproject.toml. Needs uv.

./run python scripts/lock.py
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
OPTIONS = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--universal", "--python-version", "3.11"]


def compile_lock(name: str, *options: str) -> None:
    target = ROOT / "requirements" / f"{name}.lock"
    subprocess.run(
        ["uv", "pip", "compile", *OPTIONS, *options, "pyproject.toml", "-o", str(target)], cwd=ROOT, check=True
    )


if __name__ == "__main__":
    if shutil.which("uv") is None:
        sys.exit("The locks are made with uv, which is not installed: pip install uv")
    compile_lock("run")
    compile_lock("dev", "--all-extras", "--group", "dev", "-c", "requirements/run.lock")
