"""The figures that are about builds, in groups that can be run alone."""

import functools
import math
import os
import re
import subprocess
import sys
import time

from bench import HERE
from cache_server import CacheServer
from changes import changes
from compare import Objects
from figures import at_least, at_most
from history import history
from places import places
from pruning import prune
from publishing import publish
from previewing import preview
from purging import purge
from reading import read
from rounds import Command, in_turn
from signing import signing

# The declared ones; `any` is a context as well.
DEVICES = ["phone", "tablet", "ipad"]
GROWTH = ["--locales", "4", "--products"]


def bundle_paths(out):
    """The files of the bundles, each once; not of indexes and records."""
    objects = Objects(out)
    return [objects.path(name) for name in sorted(set(objects.bundles().values()))]


def gz_bytes(paths):
    return sum(path.with_name(path.name + ".gz").stat().st_size for path in paths)


def peer_gz_bytes(peer):
    return sum(path.stat().st_size for path in (peer / "objects").rglob("*.gz"))


def cold(bench, size, rounds):
    """A first build, against the script that a user would write and against the least work there is."""
    shop = bench.sized(size)
    ours, peer = bench.build(shop, "contentc"), bench.peer(shop)
    # One unmeasured build gives the floor the bundles to encode.
    in_turn([ours], 1)
    floor = bench.floor(shop, bundle_paths(shop.out))
    found = in_turn([command for command in (ours, peer, floor) if command], rounds)
    peer_out = shop.folder / "peer"
    if not bench.equals(shop, peer_out):
        raise SystemExit(f"contentc and the peer differ about shop {size}")
    gz, peer_gz = gz_bytes(bundle_paths(shop.out)), peer_gz_bytes(peer_out)
    times = f"{found.seconds('peer'):.2f} s against our {found.seconds('contentc'):.2f} s, equal content"
    yield at_least(4, 7, f"cold {size}, faster than the peer", found.ratio("peer", "contentc"), times, found.count)
    sizes = f"{gz / 1e6:.1f} MB against the peer's {peer_gz / 1e6:.1f} MB"
    yield at_most(1, None, f"cold {size}, gz total against the peer's", gz / peer_gz, sizes)
    figure = functools.partial(at_most, 1.8, 1, f"cold {size} against the C floor")
    if not floor:
        yield figure(None, "no yardstick")
        return
    times = f"{found.seconds('contentc'):.2f} s against {found.seconds('floor'):.2f} s"
    yield figure(found.ratio("contentc", "floor"), times, found.count)


def hugo(bench, rounds=5):
    """JSON without gzip, against a program that many use to make static files."""
    shop = bench.shop("S-json", "--size", "S", "--format", "json")
    site, out = shop.folder / "hugo", shop.folder / "hugo-out"
    subprocess.run([sys.executable, HERE / "make-hugo-site.py", shop.content, site], check=True)
    flags = ["--no-gzip"] if "--no-gzip" in bench.flags else []
    ours = bench.build(shop, "contentc", *flags)
    theirs = Command("hugo", [bench.hugo, "build", "--quiet", "-s", site, "-d", out], removing=[out])
    found = in_turn([ours, theirs], rounds)
    if not bench.equals(shop, out):
        raise SystemExit("contentc and Hugo differ about shop S")
    note = f"{found.seconds('hugo'):.2f} s against our {found.seconds('contentc'):.2f} s, equal content"
    if not flags:
        note += "; ours with gzip"
    yield at_least(6, 15, "cold S as JSON, faster than Hugo", found.ratio("hugo", "contentc"), note, found.count)


class Edit:
    """One translated title, changed to a text that it did not have in the build before."""

    def __init__(self, shop, aisle):
        self.path = shop.content / "entries" / f"aisle-{aisle:03d}.ja.yaml"
        self.number = 0

    def __call__(self):
        self.number += 1
        text = self.path.read_text(encoding="utf-8")
        place = re.search(r"(?m)^  title: .*$", text)
        # Two texts in turns, of one length.
        title = f"  title: 編集された題名 {'いろ'[self.number % 2]}"
        self.path.write_text(text[: place.start()] + title + text[place.end() :], encoding="utf-8")


def checked_edit(shop, command):
    """Repeats an edit's build: its time means nothing if it misses the change, or changes more."""
    earlier = Objects(shop.out).bundles()
    in_turn([command], 1)
    now = Objects(shop.out).bundles()
    changed = sum(now[context] != name for context, name in earlier.items())
    if changed != len(DEVICES) + 1:
        raise SystemExit(f"{changed} bundles changed after one edit, not one per device")
    return f"{changed} of {len(now)} bundles change"


def noop_small(bench, rounds=21):
    """The whole process, from its start to its end, without changes."""
    shop = bench.sized("S")
    run_once = bench.build(shop, "build", cold=False)
    floor = Command("true", ["true"])
    in_turn([run_once], 1)
    # A build trusts no stamp of the last two seconds, so it reads the files of a new shop again.
    time.sleep(3)
    in_turn([run_once], 1)
    found = in_turn([bench.build(shop, "no-op", cold=False), floor], rounds, warm=2)
    note = f"an empty C program takes {found.seconds('true') * 1000:.1f} ms"
    yield at_most(10, 3, "no-op S, whole process", found.seconds("no-op") * 1000, note, found.count, "ms")


def edit_small(bench, rounds=7):
    """A cold build, then one translation changed, in turns."""
    shop = bench.sized("S")
    edit = Edit(shop, 0)
    commands = [bench.build(shop, "cold"), bench.build(shop, "edit", cold=False, before=edit)]
    found = in_turn(commands, rounds)
    changed = checked_edit(shop, commands[1])
    note = f"{found.seconds('edit') * 1000:.1f} ms of {found.seconds('cold') * 1000:.0f} ms; {changed}"
    yield at_most(8, 4, "edit S against its cold build", found.ratio("edit", "cold") * 100, note, found.count, "%")


@functools.cache
def large_once(bench):
    """One cold build of L, which several figures take as their start."""
    return in_turn([bench.build(bench.sized("L"), "cold L")], 1)


def memory(bench):
    shop = bench.sized("L")
    megabytes = shop.source_bytes / 1e6
    must, goal = 2.5 * megabytes + 40, 1.5 * megabytes + 30
    peak = large_once(bench).peak_bytes("cold L") / 1e6
    yield at_most(must, goal, "peak memory, cold L", peak, f"sources have {megabytes:.1f} MB", 1, "MB")


def noop_large(bench, rounds=7):
    """No change in 50,000 products, against looking at each file once."""
    shop = bench.sized("L")
    large_once(bench)
    figure = functools.partial(at_most, 1.3, 0.7, "no-op L against a stat of every file")
    fslimits = bench.yardstick("fslimits")
    if not fslimits:
        yield figure(None, "no yardstick")
        return
    stat = Command("stat", [fslimits, "stat", shop.content])
    found = in_turn([bench.build(shop, "no-op L", cold=False), stat], rounds, warm=1)
    note = f"{found.seconds('no-op L') * 1000:.0f} ms against {found.seconds('stat') * 1000:.0f} ms"
    yield figure(found.ratio("no-op L", "stat"), note, found.count)


def edit_large(bench, rounds=7):
    """One translation changed, against nothing changed, in turns."""
    shop = bench.sized("L")
    large_once(bench)
    edit = Edit(shop, 17)
    commands = [
        bench.build(shop, "no-op L", cold=False),
        bench.build(shop, "edit L", cold=False, before=edit),
    ]
    found = in_turn(commands, rounds, warm=1)
    changed = checked_edit(shop, commands[1])
    note = f"{found.seconds('edit L') * 1000:.0f} ms against {found.seconds('no-op L') * 1000:.0f} ms; {changed}"
    yield at_most(2, 1.3, "edit L against its no-op build", found.ratio("edit L", "no-op L"), note, found.count)


def growth(bench, rounds=5):
    """How time grows from 500 products to 50,000: the exponent k of time ~ products^k."""
    small = bench.shop("small", *GROWTH, "500")
    found = in_turn([bench.build(small, "cold 500 products")], rounds, warm=1)
    times = found.seconds("cold 500 products"), large_once(bench).seconds("cold L")
    note = f"{times[0]:.3f} s and {times[1]:.2f} s"
    exponent = math.log(times[1] / times[0], 100)
    yield at_most(1.08, 1, "growth exponent, 500 to 50,000 products", exponent, note, found.count, "")


def threads(bench, rounds=9):
    """The same build on one processor and on two, and the C floor's gain from the second one."""
    shop, small = bench.sized("M"), bench.sized("S")
    names = "one thread", "two threads"
    if "--jobs" in bench.flags:
        commands = [bench.build(shop, name, "--jobs", jobs) for name, jobs in zip(names, "12")]
    else:
        pinned = ["taskset", "-c", min(os.sched_getaffinity(0))]
        commands = [bench.build(shop, names[0], prefix=pinned), bench.build(shop, names[1])]
    in_turn([bench.build(small, "cold S")], 1)
    floors = [bench.floor(small, bundle_paths(small.out), f"floor, {name}", n + 1) for n, name in enumerate(names)]
    found = in_turn(commands + [floor for floor in floors if floor], rounds)
    yield from second_thread(found, names, "cold M", functools.partial(at_least, 1.6, 1.95))
    if None in floors:
        yield at_least(None, None, "two threads against one, the C floor on S", None, "no yardstick")
    else:
        floor_names = [f"floor, {name}" for name in names]
        yield from second_thread(found, floor_names, "the C floor on S", functools.partial(at_least, None, None))


def second_thread(found, names, what, figure):
    """The gain from a second thread: in the median round, and in the best rounds of each."""
    times = [found.seconds(name) for name in names]
    figure_name = f"two threads against one, {what}"
    yield figure(figure_name, found.ratio(*names), f"{times[0]:.2f} s and {times[1]:.2f} s", found.count)
    best = [found.best_seconds(name) for name in names]
    note = f"{best[0]:.2f} s and {best[1]:.2f} s: disturbances add to both"
    yield at_least(None, None, f"{figure_name}, best of each", best[0] / best[1], note, found.count)


def remote_cache(bench, rounds=7):
    """A cold build with a warm remote cache on loopback, against one without."""
    shop = bench.sized("S")
    with CacheServer(shop.folder / "cache") as server:
        with_cache = bench.build(shop, "with cache", "--cache", server.url)
        in_turn([with_cache], 1)
        found = in_turn([bench.build(shop, "without"), with_cache], rounds, warm=1)
    note = f"{found.seconds('without'):.2f} s against {found.seconds('with cache'):.2f} s; nginx on loopback"
    ratio = found.ratio("without", "with cache")
    yield at_least(2, 4, "cold S with a warm remote cache, faster", ratio, note, found.count)


# In the order of the table; `large` shares one cold build of L.
GROUPS = {
    "cold-S": lambda bench: cold(bench, "S", rounds=7),
    "cold-M": lambda bench: cold(bench, "M", rounds=3),
    "hugo": hugo,
    "noop-L": noop_large,
    "noop-S": noop_small,
    "edit-S": edit_small,
    "edit-L": edit_large,
    "memory": memory,
    "growth": growth,
    "threads": threads,
    "cache": remote_cache,
    "places": places,
    "publish": publish,
    "purge": purge,
    "history": history,
    "prune": prune,
    "preview": preview,
    "client": read,
    "changes": changes,
    "signing": signing,
}
