"""Builds the Containerfile and crawls the demo in what came of it: as nobody in particular, into a folder from outside.

    ./run python scripts/check_container.py                       with podman, docker or buildah, whichever is there
    ./run python scripts/check_container.py --base DEBIAN_ROOT    with a stand-in for python:3.13-slim
    ./run python scripts/check_container.py --extras web,cluster --also "ray --version"

Where no registry of images can be reached, a folder with a Debian and a Python 3.13 under /usr/local stands for the
base image, and buildah makes do without namespaces (`BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs`, as root):

    mmdebstrap --variant=minbase --include=ca-certificates,libssl3,libffi8,libsqlite3-0,libbz2-1.0,liblzma5,libuuid1 \\
      bookworm DEBIAN_ROOT
    cp -a PYTHON_3.13/. DEBIAN_ROOT/usr/local/ && chroot DEBIAN_ROOT ldconfig

`--volume` hands on what pip needs to reach its index from inside.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BASE = "docker.io/library/python:3.13-slim"
IMAGE = "localhost/scenthound:check"
USER = 1000  # as the Containerfile has it


def run(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, words))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout.strip()


def make_base(folder: Path) -> None:
    container = run("buildah", "from", "scratch")
    run("buildah", "add", "--quiet", container, folder, "/")
    run("buildah", "config", "--env", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    run("buildah", "commit", "--quiet", "--rm", container, BASE)


def build(program: str, options: argparse.Namespace) -> None:
    words = ["build", "--tag", IMAGE, "--file", "Containerfile", "--network", "host"]
    words += [f"--volume={each}" for each in options.volume]
    words += [f"--build-arg=EXTRAS={options.extras}"] if options.extras else []
    words += ["--pull-never"] if options.base else []
    run(program, *words, ".")


def crawl(program: str, also: list[str]) -> None:
    """What the image is for, and whatever else is asked of it."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o777)
        mount = f"--volume={place}:/outside"  # not /crawls: with a volume of the image itself buildah shows that
        commands = [
            "scenthound --version",
            "scenthound crawl --demo --pages 20 --into /outside/demo --quiet",
            "id -u",
            *also,
        ]
        if program == "buildah":
            container = run("buildah", "from", "--pull-never", IMAGE)
            said = [run("buildah", "run", mount, container, "--", *shlex.split(command)) for command in commands]
            run("buildah", "rm", container)
        else:
            said = [
                run(program, "run", "--rm", mount, f"--entrypoint={word}", IMAGE, *rest)
                for word, *rest in map(shlex.split, commands)
            ]
        if said[2] != str(USER):
            sys.exit(f"The container runs as user {said[2]}, not as {USER}.")
        if not (Path(place) / "demo" / "library.db").is_file():
            sys.exit("The crawl left no library outside of the container.")
    print("\n".join([said[0], *said[3:]]))
    print(f"{IMAGE} was built with {program}, and crawls.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, help="a folder that stands for the base image; needs buildah")
    parser.add_argument("--extras", default="", help="in place of those that the Containerfile names")
    parser.add_argument("--volume", action="append", default=[], help="FROM:TO, while it is built")
    parser.add_argument("--also", action="append", default=[], help="a command to run in it, too")
    options = parser.parse_args()
    programs = ("buildah",) if options.base else ("podman", "docker", "buildah")
    program = next(filter(shutil.which, programs), None)
    if program is None:
        sys.exit(f"None of {', '.join(programs)} is installed: apt-get install buildah")
    if options.base:
        make_base(options.base)
    build(program, options)
    crawl(program, options.also)


if __name__ == "__main__":
    main()
