#!/usr/bin/env python3
"""Runs contentc of this commit and of an earlier one on the same targets, as two machines of a team may do.

  Scripts/check-old-program.py CONTENTC           run every drill with this program, and the earlier one beside it
  Scripts/check-old-program.py CONTENTC NAME...   run the drills whose names contain one of these words

Commit 233fb599 is the last one that wrote a purge as one manifest (docs/reference/purges.md, "Earlier versions of contentc"). Its
program is built below .build/old, once.

A shop publishes bad words, and a purge removes them. The drills expect that the earlier program refuses to bring them
back, that this one goes on with whatever the earlier one left, and that the words are gone from every file in the end.

To stop a program at each of its writes, the drills have a bucket in memory: it kills the program before the n-th write,
for each n. At a folder, programs are killed after a time instead.
"""

import datetime
import gzip
import hashlib
import http.server
import os
import pathlib
import plistlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMIT = "233fb599507bef7ff187bef9828d669b5dc77351"
CHECKOUT = ROOT / ".build/old"
BUILD = ["-c", "release", "--product", "contentc", "--static-swift-stdlib", "-debug-info-format", "none"]

BAD = "Swearword"
# What the earlier program says about a file of this one.
NEWER = "was written by a newer contentc (format 2)"
PURGE = ("purge", "qa", "product/tulip", "--reason", "An insult")
# The seconds after which a program counts as hanging.
LIMIT = 300
# The kills at a folder, which are spread over the time of the whole command.
FOLDER_KILLS = 40


class Failure(Exception):
    """What a drill has found, with the command and its output."""


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


def build_old():
    """Checks out and builds the earlier program, unless an earlier run has; returns its path."""
    program = CHECKOUT / ".build/release/contentc"
    if program.exists():
        return program
    if git("cat-file", "-e", COMMIT + "^{commit}").returncode != 0:
        sys.exit(
            f"this clone lacks commit {COMMIT[:8]}, whose program the drills run; fetch it, and run again:\n"
            f"  git fetch --depth=1 origin {COMMIT}")
    if not (CHECKOUT / "Package.swift").exists():
        # Git may still know the checkout of a removed build folder.
        added = git("worktree", "add", "--force", "--detach", str(CHECKOUT), COMMIT)
        if added.returncode != 0:
            sys.exit(f"{added.stderr}git cannot check out commit {COMMIT[:8]} in {CHECKOUT}")
    if (ROOT / "Package.resolved").exists():
        # The versions of dependencies that this machine has.
        shutil.copy(ROOT / "Package.resolved", CHECKOUT)
    print(f"building contentc of commit {COMMIT[:8]}, once", flush=True)
    command = ["swift", "build", "--package-path", str(CHECKOUT), *BUILD]
    built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode != 0:
        sys.exit(f"{built.stdout}{shlex.join(command)} has failed")
    return program


class Bucket:
    """A bucket of S3 in memory, with conditional writes. It can kill a program right before one of its writes."""

    def __init__(self):
        # The bytes, headers and time of each file.
        self.files = {}
        self.lock = threading.Lock()
        # The access key of the program that may send requests: those of a killed one may arrive late.
        self.key = None
        self.process = None
        self.writes, self.deadly = 0, None
        handler = type("Handler", (BucketHandler,), {"bucket": self})
        self.server = BucketServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"s3://shop/v1?endpoint=http://127.0.0.1:{self.server.server_port}"

    def start(self, command, killed_before, **settings):
        """Starts a program, which is killed before a write with this number; never if it is `None`."""
        with self.lock:
            self.key = f"run-{time.monotonic_ns()}"
            self.writes, self.deadly = 0, killed_before
            settings["env"] |= {"AWS_ACCESS_KEY_ID": self.key, "AWS_SECRET_ACCESS_KEY": "none"}
            self.process = subprocess.Popen(command, **settings)
        return self.process

    def store(self, key, content, headers, modified):
        tag = hashlib.md5(content).hexdigest()
        self.files[key] = (content, headers | {"ETag": f'"{tag}"'}, modified)

    def count_write(self):
        """Counts a write; returns false if the program was killed instead, so that nothing may be written."""
        self.writes += 1
        if self.writes != self.deadly:
            return True
        self.process.send_signal(signal.SIGKILL)
        self.key = None
        return False

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class BucketServer(http.server.ThreadingHTTPServer):
    # A program opens 64 connections at once.
    request_queue_size = 128


class BucketHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Each answer is one packet, which waits for no other.
    wbufsize = -1
    disable_nagle_algorithm = True
    bucket = None

    def log_message(self, *_):
        pass

    def handle(self):
        # A killed program closes its connections.
        try:
            super().handle()
        except ConnectionError:
            pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        key = urllib.parse.unquote(path).removeprefix("/shop").removeprefix("/")
        with self.bucket.lock:
            if f"Credential={self.bucket.key}/" not in self.headers.get("Authorization", ""):
                self.close_connection = True
                return
            done = getattr(self, self.command.lower())(key, urllib.parse.parse_qs(query, True), body)
        if done is None:
            self.close_connection = True
            return
        status, headers, content = done
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_PUT = do_DELETE = answer

    def get(self, key, query, _):
        if not key:
            return 200, {"Content-Type": "application/xml"}, self.listed(query).encode()
        if key not in self.bucket.files:
            return 404, {}, b"" if self.command == "HEAD" else b"<Error><Code>NoSuchKey</Code></Error>"
        content, headers, _ = self.bucket.files[key]
        return 200, headers, content

    head = get

    def listed(self, query):
        if "versioning" in query:
            return "<VersioningConfiguration/>"
        prefix, delimiter = query.get("prefix", [""])[0], query.get("delimiter", [""])[0]
        items, folders = [], set()
        for key, (content, _, modified) in sorted(self.bucket.files.items()):
            rest = key.removeprefix(prefix)
            if not key.startswith(prefix):
                continue
            if delimiter and delimiter in rest:
                folders.add(prefix + rest.split(delimiter)[0] + delimiter)
                continue
            name = xml.sax.saxutils.escape(key)
            items.append(
                f"<Contents><Key>{name}</Key><Size>{len(content)}</Size>"
                f"<LastModified>{modified}</LastModified></Contents>")
        items += [f"<CommonPrefixes><Prefix>{name}</Prefix></CommonPrefixes>" for name in sorted(folders)]
        return f"<ListBucketResult>{''.join(items)}</ListBucketResult>"

    def put(self, key, _, body):
        found = self.bucket.files.get(key)
        tag = self.headers.get("If-Match")
        if self.headers.get("If-None-Match") and found or tag and found and found[1]["ETag"] != tag:
            return 412, {}, b"<Error><Code>PreconditionFailed</Code></Error>"
        if tag and not found:
            return 404, {}, b"<Error><Code>NoSuchKey</Code></Error>"
        if not self.bucket.count_write():
            return None
        kept = ("Content-Type", "Content-Encoding", "Cache-Control")
        headers = {name: self.headers[name] for name in kept if self.headers[name]}
        modified = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self.bucket.store(key, body, headers, modified)
        return 200, {"ETag": self.bucket.files[key][1]["ETag"]}, b""

    def delete(self, key, _, __):
        if key in self.bucket.files:
            if not self.bucket.count_write():
                return None
            del self.bucket.files[key]
        return 204, {}, b""


class Outcome:
    def __init__(self, command, status, output):
        self.command, self.status, self.output = command, status, output

    def expect(self, status, *words):
        """Checks the exit status, and that the output has each of these words."""
        if self.status != status:
            raise Failure(f"{self.command}\nended with {self.status} instead of {status}:\n{self.output}")
        for word in words:
            if word not in self.output:
                raise Failure(f"{self.command}\ndoes not say '{word}':\n{self.output}")
        return self


class Shop:
    """A content folder with a target for the channel `qa`, on which both programs run."""

    def __init__(self, folder, old, new, is_signed=False, bucket=None):
        self.folder, self.bucket, self.is_signed = folder, bucket, is_signed
        self.programs = {"old": old, "new": new}
        target = f'target: "{bucket.address}"' if bucket else "target: site"
        signing = ", signing: {keys: keys/%s}" if is_signed else "%.0s"
        self.write("content/content.yaml", f"""\
app: shop
sourceLocale: en
locales: [en, fr]
bundles:
  all: {{include: product/*}}
  each: {{include: product/*, split: entry}}
channels:
  qa: {{{target}{signing % "qa"}}}
  test: {{target: test{signing % "test"}}}
""")
        self.write("content/datatypes/product.yaml", """\
fields:
  title: {type: string, localized: true, required: true}
  price: {type: number}
  next: {type: reference, to: product}
""")
        self.write("content/maintenance.yaml", "title: Closed\nmessage: Back soon\n")
        self.write("settings.yaml", "signers: []\n")
        (folder / "settings.yaml").chmod(0o600)
        self.product("tulip", "Tulip")
        self.product("rose", "Rose")
        self.product("lily", "Lily")
        signers = []
        for name in ("qa", "test") if is_signed else ():
            self.old("keys", "init", name, "--new", f"secrets-{name}")
            signers += [
                f"  - {{channel: {name}, role: {role}, file: secrets-{name}/release.pem}}\n"
                for role in ("release", "fresh")]
        self.write("settings.yaml", "signers:\n" + "".join(signers) if signers else "signers: []\n")
        (folder / "settings.yaml").chmod(0o600)

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def product(self, name, title, price=1):
        self.write(f"content/entries/product/{name}.yaml", f"title: {title}\nprice: {price}\n")
        self.write(f"content/entries/product/{name}.fr.yaml", f"title: {title} de France\n")

    # The programs

    def start(self, name, words, output, killed_before=None):
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "CONTENTC_SETTINGS": str(self.folder / "settings.yaml"),
        }
        settings = {
            "cwd": self.folder, "env": environment, "stdin": subprocess.DEVNULL, "stdout": output,
            "stderr": subprocess.STDOUT,
        }
        command = [str(self.programs[name]), *words]
        if self.bucket:
            return self.bucket.start(command, killed_before, **settings)
        return subprocess.Popen(command, **settings)

    def run(self, name, words, killed_before=None):
        """Runs a program to its end, or until it is killed before a write."""
        shown = f"contentc ({name}) {shlex.join(words)}"
        with tempfile.TemporaryFile() as output:
            process = self.start(name, words, output, killed_before)
            try:
                status = process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
                shown += f", which was ended after {LIMIT} s,"
            output.seek(0)
            return Outcome(shown, status, output.read().decode(errors="replace"))

    def old(self, *words, status=0, says=()):
        return self.run("old", words).expect(status, *says)

    def new(self, *words, status=0, says=()):
        return self.run("new", words).expect(status, *says)

    # The target

    @property
    def target(self):
        """The bytes of every file of the channel's target, by path."""
        if self.bucket:
            return {key: content for key, (content, _, _) in self.bucket.files.items()}
        site = self.folder / "site"
        return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}

    @property
    def prefix(self):
        return "v1/qa/" if self.bucket else "qa/"

    @property
    def manifests(self):
        """The manifests of the earlier program, and numbers that this one has taken."""
        purges = self.prefix + "purges/"
        return {
            path: content for path, content in self.target.items()
            if path.startswith(purges) and "/" not in path.removeprefix(purges)}

    @property
    def release(self):
        """The number of the live release."""
        config = plistlib.loads(plain(self.target[self.prefix + "config.plist"]))
        return (plistlib.loads(config["config"]) if isinstance(config.get("config"), bytes) else config)["release"]

    def save(self):
        """Returns a function that restores the target and what the machine remembers of it."""
        saved = self.folder.with_name(f"saved-{time.monotonic_ns()}")
        files = dict(self.bucket.files) if self.bucket else {}
        shutil.copytree(self.folder, saved)

        def restore():
            shutil.rmtree(self.folder)
            shutil.copytree(saved, self.folder)
            if self.bucket:
                self.bucket.files = dict(files)

        return restore

    def end_lock(self):
        """Ends the lock of a killed program at a bucket, as the three minutes would for which others wait."""
        key = "v1/prune/lock.plist"
        if self.bucket and key in self.bucket.files:
            lock = plistlib.loads(self.bucket.files[key][0])
            lock["expires"] = datetime.datetime(2026, 1, 1, 0, 3)
            self.bucket.store(key, plistlib.dumps(lock, fmt=plistlib.FMT_BINARY), {}, "2026-01-01T00:00:00.000Z")

    # What must be true

    def expect_gone(self):
        found = sorted(path for path, content in self.target.items() if BAD.encode() in plain(content))
        if found:
            raise Failure(f"the purged words are still in {', '.join(found)}")

    def expect_unchanged(self, before, command):
        after = self.target
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        if changed:
            raise Failure(f"{command} changed {', '.join(changed)}")

    def expect_kept(self, manifests):
        present = self.manifests
        for path, content in manifests.items():
            if present.get(path) != content:
                raise Failure(f"{path} is {'gone' if path not in present else 'not the same any more'}")

    def expect_whole(self):
        """Checks that the words are gone, and that the target has all files of its release, as an app reads them."""
        self.expect_gone()
        shutil.rmtree(self.folder / "app", ignore_errors=True)
        self.new("bake", "qa", "--to", "app", "--from-target")

    def expect_finished(self):
        """Checks that this program finds no unfinished purge."""
        found = self.run("new", ("purge", "qa"))
        # With 64, the channel has no purge at all.
        found.expect(64 if found.status == 64 else 0, "no purge is unfinished")

    def expect_refused(self):
        """Checks that this program refuses the purged content, and takes a correction."""
        self.product("tulip", BAD)
        before = self.target
        refused = self.new("publish", "qa", status=69, says=["product/tulip"])
        self.expect_unchanged(before, refused.command)
        self.product("tulip", "Corrected")
        self.new("publish", "qa")
        self.new("status", "qa")
        self.expect_gone()

    def publish_bad_words(self):
        """Publishes a good release, two with the bad words, and returns the number of the last one."""
        self.old("publish", "qa")
        self.product("tulip", BAD)
        self.old("publish", "qa")
        self.product("rose", "Rosa")
        self.old("publish", "qa")
        return self.release


def plain(content):
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


# The drills. Each gets a shop, and returns what its line says.


def refuses(shop):
    """The earlier program refuses to change what this one has purged from, and changes no byte."""
    shop.publish_bad_words()
    shop.new(*PURGE)
    shop.product("tulip", "Corrected")
    shop.new("publish", "qa")
    shop.product("rose", "Changed")
    shop.old("publish", "test")
    before = shop.target
    commands = [
        ("publish", "qa"), ("publish", "qa", "--message", "Again"), ("promote", "test", "qa"), ("rollback", "qa"),
        ("rollback", "qa", "--to", "1"), ("prune", "qa"), ("history", "qa"),
    ]
    for words in commands:
        refused = shop.old(*words, status=69, says=[NEWER])
        shop.expect_unchanged(before, refused.command)
    shop.new("status", "qa")
    return f"{len(commands)} commands of the earlier program refuse, and change no byte"


def goes_on(shop):
    """What the earlier program does not refuse does no harm to the memory of purges."""
    shop.publish_bad_words()
    shop.new(*PURGE)
    shop.product("tulip", "Corrected")
    shop.new("publish", "qa")
    restore = shop.save()

    def publish_changed():
        shop.product("rose", "Changed")
        shop.old("publish", "qa", "--unpurge", "all")

    def return_bad_words():
        shop.product("tulip", BAD)
        shop.old("publish", "qa", "--unpurge", "all")
        shop.new("status", "qa")
        # Readers have the words, so that they are accepted until they are purged again.
        shop.new("publish", "qa")
        shop.new(*PURGE)

    def purge_rose():
        shop.old("purge", "qa", "product/rose", "--reason", "Of the earlier program")
        shop.new("publish", "qa", status=69, says=["product/rose"])
        shop.product("rose", "Another rose")

    def switch_maintenance():
        shop.old("maintenance", "on", "qa")
        shop.new("status", "qa")
        shop.old("maintenance", "off", "qa")

    steps = [
        publish_changed, return_bad_words, purge_rose, switch_maintenance,
        lambda: shop.old("publish", "qa"),
        lambda: shop.old("maintenance", "on", "qa"),
    ]
    if shop.is_signed:
        steps.append(lambda: shop.old("resign", "qa"))
    for step in steps:
        restore()
        step()
        manifests = shop.manifests
        shop.new("status", "qa")
        shop.expect_finished()
        shop.expect_refused()
        shop.new("purge", "qa", "product/lily", "--reason", "Of this program")
        shop.expect_whole()
        shop.expect_kept(manifests)
        before = shop.target
        refused = shop.new("publish", "qa", status=69, says=["product/lily"])
        shop.expect_unchanged(before, refused.command)
    return f"after {len(steps)} kinds of commands of the earlier program, this one refuses what was purged, and purges again"


def refuses_later_records(shop):
    """The earlier program refuses to change a channel since its first recipe or rollout, and changes no byte."""
    shop.publish_bad_words()
    settings = shop.folder / "content/content.yaml"
    restore = shop.save()

    def publish_recipes():
        shop.product("lily", "Lily " + " ".join(f"word{number}" for number in range(700)))
        known = settings.read_text()
        # The earlier program does not know the setting.
        shop.write("content/content.yaml", known + "transfer: text\n")
        shop.new("publish", "qa")
        shop.write("content/content.yaml", known)
        if not any(path.endswith(".bundletext") for path in shop.target):
            raise Failure("no recipe was published")
        shop.new("publish", "qa")

    def roll_out_and_back():
        shop.product("rose", "Red rose")
        shop.new("publish", "qa", "--to", "10%")
        shop.new("rollout", "qa", "--abort")

    commands = [
        ("publish", "qa"), ("publish", "qa", "--unpurge", "all"), ("rollback", "qa"), ("prune", "qa"),
        ("maintenance", "on", "qa"), PURGE,
    ]
    for step in (publish_recipes, roll_out_and_back):
        restore()
        step()
        shop.product("lily", "Another lily")
        before = shop.target
        for words in commands:
            refused = shop.old(*words, status=69)
            shop.expect_unchanged(before, refused.command)
        shop.new(*PURGE)
        shop.expect_whole()
    return f"{len(commands)} commands of the earlier program refuse, and change no byte"


def reads_manifests(shop):
    """Final manifests of the earlier program count as purges."""
    shop.publish_bad_words()
    shop.old(*PURGE)
    shop.old("purge", "qa", "product/lily", "--reason", "A second one")
    manifests = shop.manifests
    before = shop.target
    for words in [("status", "qa"), ("history", "qa"), ("purge", "qa")]:
        read = shop.new(*words)
        shop.expect_unchanged(before, read.command)
    shop.expect_finished()
    shop.product("lily", "Another lily")
    shop.expect_refused()
    shop.new("purge", "qa", "product/rose", "--reason", "Of this program")
    shop.product("rose", "Another rose")
    shop.expect_refused()
    shop.new("prune", "qa")
    shop.expect_whole()
    shop.expect_kept(manifests)
    return f"{len(manifests)} final manifests count, and have the same bytes afterwards"


def finish(shop, base):
    """Finishes a purge of the earlier program that was killed. The same purge follows if its release was never live."""
    manifests, was_live = shop.manifests, shop.release > base
    # A final manifest of the earlier program, or a note of this one.
    is_done = any(path.endswith("/purges/1.plist") or "/done-" in path for path in shop.target)
    if was_live and not is_done:
        shop.new("purge", "qa", says=["Purge 1 is done"])
    shop.expect_finished()
    if not was_live:
        shop.new(*PURGE)
    shop.expect_whole()
    shop.new("status", "qa")
    shop.expect_refused()
    shop.expect_kept(manifests)
    if was_live:
        # The earlier program does not see that the purge is finished. It finishes its own manifest.
        shop.old("purge", "qa")
        shop.expect_whole()
        shop.new("status", "qa")
        shop.expect_refused()
    return was_live


def finishes_old_purges(shop):
    """The earlier program's purge is killed before each of its writes, and this one finishes it."""
    base = shop.publish_bad_words()
    restore = shop.save()
    return kill_at_each_write(shop, restore, "old", PURGE, lambda: finish(shop, base))


def finishes_twice_killed_purges(shop):
    """The purge of the earlier program was killed, and this one is killed before each write while it finishes it."""
    base = shop.publish_bad_words()
    restore = shop.save()
    number = 0
    while shop.release == base:
        restore()
        number += 1
        shop.run("old", PURGE, killed_before=number).expect(-signal.SIGKILL)
    return kill_at_each_write(shop, shop.save(), "new", ("purge", "qa"), lambda: finish(shop, base))


def refuses_beside_killed_purges(shop):
    """This program's purge is killed before each write. From its swap on, the earlier one refuses to publish."""
    base = shop.publish_bad_words()
    restore = shop.save()

    def check():
        was_live = shop.release > base
        if was_live:
            before = shop.target
            refused = shop.old("publish", "qa", "--message", "Again", status=69, says=[NEWER])
            shop.expect_unchanged(before, refused.command)
            # It does not know the notes, and leaves them alone.
            shop.old("status", "qa", says=["left alone"])
            shop.old("purge", "qa", says=["left alone"])
            shop.new("purge", "qa")
        else:
            shop.new(*PURGE)
        shop.expect_finished()
        shop.expect_whole()
        shop.new("status", "qa")
        shop.expect_refused()
        return was_live

    return kill_at_each_write(shop, restore, "new", PURGE, check)


def kill_at_each_write(shop, restore, name, words, check):
    """Kills a command before its first write, then before its second one, and so on, with a check after each kill."""
    number, live = 0, 0
    while True:
        number += 1
        restore()
        outcome = shop.run(name, words, killed_before=number)
        if outcome.status != -signal.SIGKILL:
            outcome.expect(0)
            check()
            return f"killed before each of {number - 1} writes, {live} times with its release live"
        shop.end_lock()
        try:
            live += check()
        except Failure as failure:
            raise Failure(f"{outcome.command} was killed before write {number}; then:\n{failure}")


def finishes_at_a_folder(shop):
    """The earlier program's purge is killed after a time, at a folder."""
    base = shop.publish_bad_words()
    restore = shop.save()
    start = time.monotonic()
    shop.old(*PURGE)
    whole, live = time.monotonic() - start, 0
    for number in range(FOLDER_KILLS):
        restore()
        with tempfile.TemporaryFile() as output:
            process = shop.start("old", PURGE, output)
            time.sleep(whole * (number + 1) / FOLDER_KILLS)
            process.kill()
            process.wait()
        live += finish(shop, base)
    return f"killed {FOLDER_KILLS} times within {whole * 1_000:.0f} ms, {live} times with its release live"


DRILLS = {
    # Name: the drill, whether its channel is signed, and whether it is in a bucket.
    "refuses": (refuses, False, False),
    "refuses-signed": (refuses, True, False),
    "refuses-records": (refuses_later_records, False, False),
    "goes-on": (goes_on, False, False),
    "goes-on-signed": (goes_on, True, False),
    "manifests": (reads_manifests, False, False),
    "manifests-signed": (reads_manifests, True, False),
    "folder": (finishes_at_a_folder, False, False),
    "bucket": (finishes_old_purges, False, True),
    "bucket-signed": (finishes_old_purges, True, True),
    "twice": (finishes_twice_killed_purges, False, True),
    "twice-signed": (finishes_twice_killed_purges, True, True),
    "beside": (refuses_beside_killed_purges, False, True),
    "beside-signed": (refuses_beside_killed_purges, True, True),
}


def main(contentc, *names):
    old, new = build_old(), pathlib.Path(contentc).resolve()
    chosen = [name for name in DRILLS if not names or any(word in name for word in names)]
    for name in chosen:
        drill, is_signed, has_bucket = DRILLS[name]
        start, bucket = time.monotonic(), Bucket() if has_bucket else None
        with tempfile.TemporaryDirectory(prefix="contentc-drill-") as folder:
            try:
                said = drill(Shop(pathlib.Path(folder) / "shop", old, new, is_signed, bucket))
            except Failure as failure:
                sys.exit(f"{name}: {drill.__doc__}\n{failure}")
            finally:
                if bucket:
                    bucket.close()
        print(f"{name}: {said} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
