"""The cost of signatures: bytes in config, time at a publication, and time in an app.

The app is the program of Benchmarks/client, which opens each config with a new client.
"""

import base64
import json
import os
import re
import plistlib
import shutil
import statistics
import subprocess

from figures import at_most
from publishing import PublishedShop
from reading import program
from rounds import Command, in_turn

# Of the key document: three persons, a release key, and a key that says that config is current.
PERSONS, DOCUMENTS = ["ann", "bob", "cia"], 32


class SignedChannel:
    """A small content whose channel `production` is signed, in one format."""

    def __init__(self, bench, format, needed=1):
        self.bench, self.folder = bench, bench.folder / "signing" / f"{format}-{needed}"
        self.needed = needed
        self.ending = "json" if format == "json" else "plist"
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ["content/datatypes", "content/entries", "keys", "configs"]:
            (self.folder / name).mkdir(parents=True)
        self.write("content/content.yaml",
                   f"app: bench\nsourceLocale: en\nlocales: [en]\nformat: {format}\n"
                   "bundles: {catalog: {include: product/*, startup: true}}\n"
                   f"channels:\n  production: {{target: {self.folder}/site, signing: {{keys: keys/production}}}}\n")
        self.write("content/datatypes/product.yaml", "fields: {title: {type: string}}\n")
        self.write("content/entries/product.yaml", "rose: {title: Rose}\n")
        self.write("settings.yaml", "".join(
            ["signers:\n"] + [f"  - {{channel: production, role: {role}, file: keys/{role}.pem}}\n"
                              for role in ["release", "fresh"]]))
        for name in [*PERSONS, "release", "fresh"]:
            make_key(self.folder / "keys" / name)
        keys = [option for person in PERSONS for option in ("--keys", self.folder / "keys" / f"{person}.pub")]
        self.run("keys", "init", "production", *keys, "--threshold", f"keys={needed}",
                 "--release", self.folder / "keys/release.pub", "--fresh", self.folder / "keys/fresh.pub")
        self.sign()

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, *arguments):
        subprocess.run(
            [self.bench.contentc, *arguments, "--content", self.folder / "content", "--quiet"], check=True,
            cwd=self.folder, stdout=subprocess.DEVNULL,
            env={**os.environ, "CONTENTC_SETTINGS": str(self.folder / "settings.yaml")})

    def sign(self):
        for person in PERSONS[:self.needed]:
            self.run("keys", "sign", "production", "--with", self.folder / "keys" / f"{person}.pem")

    def publish(self):
        """Publishes, and returns the served config, and the one inside."""
        self.run("publish", "production", "--out", self.folder / "out")
        served = (self.folder / "site" / "production" / f"config.{self.ending}").read_bytes()
        if self.ending == "json":
            return served, base64.b64decode(json.loads(served)["config"])
        return served, plistlib.loads(served)["config"]


def make_key(path):
    secret = path.with_suffix(".pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", secret], check=True)
    secret.chmod(0o600)
    subprocess.run(["openssl", "pkey", "-in", secret, "-pubout", "-out", path.with_suffix(".pub")], check=True)


def signing(bench, rounds=31):
    """Rows for the bytes of an envelope, for verification, and for publishing."""
    for needed in [1, 2]:
        yield from verification(bench, needed, rounds)
    for format in ["xml", "json"]:
        served, _ = SignedChannel(bench, format).publish()
        # The text of the longest value, with the line ends of XML.
        base64 = max(re.findall(rb"[A-Za-z0-9+/=\s]+", served), key=len)
        yield at_most(1_500, None, f"signing: bytes besides the config in base64, {format}", len(served) - len(base64),
                      "", unit="bytes")
    yield from publishing(bench)


def verification(bench, needed, rounds):
    """Rows for the binary form: bytes, and the time of a first look with one and with many documents."""
    channel = SignedChannel(bench, "binary", needed)
    served, inside = channel.publish()
    configs = channel.folder / "site" / "configs"
    configs.mkdir()
    (configs / "1.plist").write_bytes(inside)
    (configs / "2.plist").write_bytes(served)
    if needed == 1:
        more = len(served) - len(inside)
        yield at_most(850, None, "signing: bytes besides the config, binary", more, "", unit="bytes")
    for _ in range(DOCUMENTS):
        channel.run("keys", "renew", "production")
        channel.sign()
    channel.run("resign", "production")
    many = (channel.folder / "site" / "production" / "config.plist").read_bytes()
    (configs / "3.plist").write_bytes(many)
    yield at_most(1_600, None, "signing: bytes of each further key document", (len(many) - len(served)) / DOCUMENTS,
                  f"of five keys, with {needed} signatures", unit="bytes")
    pinned = channel.folder / "content" / "keys" / "production" / "1.json"
    printed = subprocess.run(
        [program(), channel.folder / "site", pinned, str(rounds)], stdout=subprocess.PIPE, check=True)
    seconds = json.loads(printed.stdout)
    # Each statement and each new document has its signatures.
    alone = {"2": 2 * verification_by_libcrypto(), "3": (2 + DOCUMENTS * needed) * verification_by_libcrypto()}
    documents = f"{DOCUMENTS} more key documents, all new, each by {needed} of {len(PERSONS)} keys"
    # The documents of two persons have twice the signatures, for which no limit was set.
    for must, name, note in [(1, "2", "one key document"), (5 if needed == 1 else None, "3", documents)]:
        more = statistics.median(a - b for a, b in zip(seconds[name], seconds["1"]))
        yield at_most(must, None, f"signing: verification in an app, {note}", more * 1e3,
                      f"{alone[name] * 1e3:.2f} ms for the signatures alone by 'openssl speed'; first look unsigned: "
                      f"{statistics.median(seconds['1']) * 1e3:.2f} ms", len(seconds[name]), "ms")


def verification_by_libcrypto():
    """The seconds that libcrypto needs for a signature."""
    command = ["openssl", "speed", "-seconds", "1", "ed25519"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    return 1 / float(printed.stdout.split()[-1])


def publishing(bench, rounds=11):
    """A row for a publication of 5,000 objects after an edit, signed against unsigned."""
    shop = PublishedShop(bench)
    make_key(shop.folder / "key")
    text = shop.folder / "content" / "content.yaml"
    text.write_text(text.read_text() + f"  signed: {{target: {shop.folder}/signed, signing: {{keys: keys/signed}}}}\n")
    subprocess.run([bench.contentc, "keys", "init", "signed", "--content", shop.folder / "content", "--quiet",
                    "--keys", shop.folder / "key.pub", "--release", shop.folder / "key.pub"], check=True)
    subprocess.run([bench.contentc, "keys", "sign", "signed", "--content", shop.folder / "content", "--quiet",
                    "--with", shop.folder / "key.pem"], check=True)
    settings = shop.folder / "settings.yaml"
    settings.write_text("signers:\n" + "".join(
        f"  - {{channel: signed, role: {role}, file: key.pem}}\n" for role in ["release", "fresh"]))
    os.environ["CONTENTC_SETTINGS"] = str(settings)
    shop.build()
    commands = []
    for channel in ["folder", "signed"]:
        command = shop.publish(channel)
        commands.append(Command(channel, command.line, before=command.before))
    in_turn(commands, 1)
    again = in_turn(commands, rounds)
    del os.environ["CONTENTC_SETTINGS"]
    note = f"{again.seconds('signed'):.3f} s against {again.seconds('folder'):.3f} s; 5,000 objects, one changed"
    yield at_most(1.05, None, "signing: publication after an edit, against unsigned", again.ratio("signed", "folder"),
                  note, again.count)
