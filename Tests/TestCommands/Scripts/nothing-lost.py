"""Ends builds in every way, and checks that readers still reach one whole build.

nothing-lost.py whole OUT                      prints the hash of OUT's config; exits 1 with the reason if OUT is not whole
nothing-lost.py kill CONTENTC SEED COUNT       kills builds of content-old/ and content-new/ at random moments
nothing-lost.py interrupt CONTENTC SEED COUNT  the same with SIGINT; `out/` must stay unchanged
nothing-lost.py full CONTENTC                  builds into a small file system of growing size; exits 77 if
                                               mounting it is not permitted
"""
import hashlib, os, pathlib, plistlib, random, signal, subprocess, sys, time


class Broken(Exception):
    pass


def config_hash(out):
    return hashlib.sha256((pathlib.Path(out) / "preview/config.plist").read_bytes()).hexdigest()


def load(out, name, extension="plist"):
    path = pathlib.Path(out) / "objects" / name[:2] / f"{name}.{extension}"
    if not path.is_file():
        raise Broken(f"{path} is missing")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != name:
        raise Broken(f"{path} is damaged")
    return data


def hashes(value):
    if isinstance(value, bytes) and len(value) == 32:
        yield value.hex()
    elif isinstance(value, (dict, list)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from hashes(child)


def require_whole(out):
    """Follows config to the record and its objects, and to the indexes, their lists and bundles."""
    config = plistlib.loads((pathlib.Path(out) / "preview/config.plist").read_bytes())
    record = config["build"].hex()
    known = plistlib.loads(load(out, record))["objects"]
    for name, file in known.items():
        load(out, name, file["extension"])
    waiting, seen = list(hashes({k: v for k, v in config.items() if k != "build"})), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name not in known:
            raise Broken(f"{name} is reached, but not in the build's record")
        if known[name]["extension"] == "plist":
            waiting += hashes(plistlib.loads(load(out, name)))
    return config_hash(out)


def build(contentc, version, out):
    return subprocess.Popen([contentc, "build", "--quiet", "--content", f"content-{version}", "--out", out],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(contentc, version, out):
    process = build(contentc, version, out)
    errors = process.communicate()[1]
    if process.returncode != 0:
        raise Broken(f"building {version}: {process.returncode} {errors}")


def require_equal(a, b):
    done = subprocess.run(["diff", "-r", a, b], capture_output=True, text=True)
    if done.returncode != 0:
        raise Broken(f"diff -r {a} {b}: {done.stdout[:500]}")


def fresh_builds(contentc):
    """Builds each version from nothing, and returns the duration of a build over the other version."""
    for version in ("old", "new"):
        finish(contentc, version, f"whole-{version}")
    finish(contentc, "old", "out")
    durations = []
    for version in ("new", "old", "new", "old"):
        start = time.monotonic()
        finish(contentc, version, "out")
        durations.append(time.monotonic() - start)
    return sorted(durations)[1], {config_hash(f"whole-{v}"): v for v in ("old", "new")}


def ended(contentc, seed, count, number):
    """Ends `count` builds at random moments.

    Yields for each attempt the version being built, the version in `out`, the status and the errors.
    """
    duration, versions = fresh_builds(contentc)
    generator, there, done = random.Random(seed), "old", 0
    for attempt in range(4 * count):
        version = "new" if there == "old" else "old"
        process = build(contentc, version, "out")
        # Even spacing hits every part of a build: start, reading, staging, placing, sweeping.
        time.sleep(duration * (attempt % count + generator.random()) / count)
        process.send_signal(number)
        errors = process.communicate()[1]
        there = versions.get(require_whole("out"))
        if there is None:
            raise Broken(f"attempt {attempt}: neither the old build nor the new one")
        yield version, there, process.returncode, errors
        # Every third time, the next build finds the leftovers of two ended builds.
        if attempt % 3 != 1:
            finish(contentc, version, "out")
            require_equal("out", f"whole-{version}")
            there = version
        done += process.returncode != 0
        if done == count:
            break
    for version in ("old", "new"):
        finish(contentc, version, "out")
        require_equal("out", f"whole-{version}")


def kill(contentc, seed, count):
    report(ended(contentc, seed, count, signal.SIGKILL), {0, -signal.SIGKILL})


def interrupt(contentc, seed, count):
    def kept():
        for version, there, status, errors in ended(contentc, seed, count, signal.SIGINT):
            require_equal("out", f"whole-{there}")
            yield version, there, status, errors
    # Before contentc handles the signal, the signal ends the process like any other.
    report(kept(), {0, 130, -signal.SIGINT})


def report(results, statuses):
    before = after = finished = 0
    for version, there, status, errors in results:
        if status not in statuses or errors:
            raise Broken(f"status {status}: {errors}")
        finished += status == 0
        before += status != 0 and there != version
        after += status != 0 and there == version
    print(f"{before + after} ended builds: {before} left the earlier one, {after} the new one; "
          f"{finished} more had finished already")


def full(contentc):
    for version in ("old", "new"):
        finish(contentc, version, f"whole-{version}")
    os.makedirs("small")
    names = sum(1 for _ in pathlib.Path("whole-old").rglob("*")) + 2
    kilobytes = int(subprocess.check_output(["du", "-sk", "whole-old"], text=True).split()[0])
    failed = 0
    for room in [f"size={kilobytes + more}k" for more in range(4, 2 * kilobytes, 20)], \
            [f"size=64m,nr_inodes={names + more}" for more in range(1, 2 * names, 13)]:
        for options in room:
            if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", "small"], capture_output=True).returncode:
                sys.exit(77)
            try:
                message = build_into_little_room(contentc, options)
            finally:
                subprocess.run(["umount", "small"], check=True)
            if message is None:
                break
            failed += 1
        else:
            raise Broken("there was never enough room")
    print(f"{failed} builds found the disk full, and each left the earlier one as it was")


def build_into_little_room(contentc, options):
    """Returns the message of a failed build, or None if there was enough room."""
    subprocess.run(["cp", "-a", "whole-old", "small/out"], check=True)
    process = build(contentc, "new", "small/out")
    message = process.communicate()[1]
    if process.returncode == 0:
        require_equal("small/out", "whole-new")
        return None
    if process.returncode != 74 or "the disk is full" not in message:
        raise Broken(f"{options}: status {process.returncode}: {message}")
    require_equal("small/out", "whole-old")
    if require_whole("small/out") != config_hash("whole-old"):
        raise Broken(f"{options}: not the old build")
    subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=10000", "small"], check=True)
    finish(contentc, "new", "small/out")
    require_equal("small/out", "whole-new")
    return message


try:
    if sys.argv[1] == "whole":
        print(require_whole(sys.argv[2]))
    elif sys.argv[1] == "full":
        full(sys.argv[2])
    else:
        {"kill": kill, "interrupt": interrupt}[sys.argv[1]](sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
except Broken as problem:
    sys.exit(str(problem))
