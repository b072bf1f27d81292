#!/usr/bin/env python3
"""Records an exhibit: what one version of contentc writes, in small, for the tests of all later versions.

  Scripts/make-exhibit.py CONTENTC NAME            write Tests/Exhibits/NAME with this program
  Scripts/make-exhibit.py CONTENTC NAME CLIENT     the same, with an app that was compiled elsewhere

The app is Scripts/exhibit-client.swift. It is linked with the library ContentClient that `make build-tests` builds:
`make release` builds only the program.

Each release adds an exhibit (docs/reference/stability.md). An exhibit is never changed afterwards: the tests copy it, and run the
program of today on the copy. Times and keys are always the same: faketime stops the clock, and the secret keys are fixed
texts. A second run differs in the random number of each release, in what follows from that number, and in the memory of
builds, which has the numbers of files.

The keys in an exhibit are test keys. They sign nothing but exhibits, and everybody may read them.
"""

import base64
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The build of `make build-tests`, which has the library ContentClient.
TESTED = ROOT / ".build/tested/release"
START = datetime.datetime(2026, 11, 29, 12, tzinfo=datetime.timezone.utc)
# The header of a PKCS #8 file with a secret key of ed25519 (RFC 8410).
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
MOST_BYTES = 300_000
CLIENT = ["ContentClient", "ContentModel", "HTTPTransport", "PropertyLists", "RichText", "SiteFormat", "SystemC"]

CONTENT = {
    "content/datatypes/product.yaml": """\
fields:
  title: {type: string, localized: true, required: true}
  price: {type: number}
  text: {type: markdown, localized: true}
  picture: {type: asset}
  next: {type: reference, to: product}
""",
    "content/datatypes/shop.yaml": """\
fields:
  name: {type: string, required: true}
  place: {type: place}
""",
    "content/entries/product/rose.yaml": """\
title: Rose
price: 3
text: A **red** rose
picture: flower.svg
next: product/tulip
""",
    "content/entries/product/rose.fr.yaml": "title: Rose rouge\n",
    "content/entries/product/tulip.yaml": "title: Tulip\nprice: 2.5\n",
    "content/entries/product/lily.yaml": "when: {until: 2126-12-24T00:00:00Z}\ntitle: Lily\n",
    "content/entries/shop/oslo.yaml": "name: Oslo\nplace: {latitude: 59.9, longitude: 10.7}\n",
    "content/entries/shop/rome.yaml": "name: Rome\nplace: {latitude: 41.9, longitude: 12.5}\n",
    "content/assets/flower.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>\n',
    "content/maintenance.yaml": "title: Closed\nmessage: Back soon\n",
}

OPEN = """\
app: shop
sourceLocale: en
locales: [en, fr]
devices: {phone: {}}
bundles:
  catalog: {include: product/*, startup: true}
  each: {include: product/*, split: entry}
  shops: {include: shop/*, split: place}
channels:
  qa: {target: site}
  production: {target: site}
"""

SIGNED = """\
app: shop
sourceLocale: en
locales: [en, fr]
bundles:
  catalog: {include: product/*, startup: true}
channels:
  qa: {target: site, signing: {keys: keys/qa, validFor: 90d}}
"""


class Shop:
    """A project in which the program runs."""

    def __init__(self, program, client, folder, project):
        self.program, self.client, self.folder = program, client, folder
        self.time = START
        self.commands = []
        for path, text in CONTENT.items():
            self.write(path, text)
        self.write("content/content.yaml", project)
        self.write("settings.yaml", "signers: []\n")

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)
        if path == "settings.yaml" or path.endswith(".pem"):
            (self.folder / path).chmod(0o600)

    def run(self, *words):
        """Runs a command of contentc, which must succeed; returns its output."""
        self.commands.append(words)
        return self.start(self.program, words)

    def start(self, program, words):
        """Runs a program an hour after the one before; returns its output."""
        self.time += datetime.timedelta(hours=1)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "CONTENTC_SETTINGS": str(self.folder / "settings.yaml"), "TZ": "UTC",
            # The monotonic clock must advance, because programs wait by it.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        }
        command = ["faketime", "-f", self.time.strftime("%Y-%m-%d %H:%M:%S"), program, *words]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program} {' '.join(words)}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def read(self, pinning=None):
        """The app refreshes, and stores what it shows."""
        words = ["site", "store", "qa"] + ([pinning] if pinning else [])
        self.start(self.client, words)

    def publish(self, *words):
        self.run("publish", *words, "--by", "Ann")

    def key(self, name):
        """Writes a secret key that is the same in every exhibit; returns the path of its public key."""
        secret = f"A test key of exhibits: {name}".ljust(32, ".").encode()[:32]
        text = base64.b64encode(PKCS8 + secret).decode()
        self.write(f"secrets/{name}.pem", f"-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n")
        public = f"secrets/{name}.pub"
        subprocess.run(
            ["openssl", "pkey", "-in", f"secrets/{name}.pem", "-pubout", "-out", public], cwd=self.folder, check=True)
        return public

    def sign_document(self):
        """Signs the newest key document with the key `owner`."""
        shown = json.loads(self.run("keys", "show", "qa", "--json"))["documents"][-1]
        # Version 0.1.0 signs without a question.
        expected = ("--expect", shown["sha256"]) if "sha256" in shown else ()
        self.run("keys", "sign", "qa", "--with", "secrets/owner.pem", *expected)

    def use_keys(self, name):
        lines = "".join(
            f"  - {{channel: qa, role: {role}, file: secrets/{name}.pem}}\n" for role in ("release", "fresh"))
        self.write("settings.yaml", "signers:\n" + lines)


def make_open(shop):
    """A project with two channels that are not signed: releases, purges, maintenance, a rollback, a promotion."""
    shop.run("translations", "lock")
    shop.run("translations", "export", "--locale", "fr", "--to", "xliff", "-o", "fr.xliff")
    shop.publish("qa", "--message", "The first release")
    shop.read()
    shop.write("content/entries/product/tulip.yaml", "title: Swearword\nprice: 2.5\n")
    shop.publish("qa", "--message", "With a bad word")
    shop.run("purge", "qa", "product/tulip", "--restore", "--reason", "An insult", "--by", "Ann")
    shop.run("purge", "qa", "product/lily", "--reason", "Sold out for ever", "--by", "Ann")
    shop.write("content/entries/product/tulip.yaml", "title: Tulip again\nprice: 2.5\n")
    (shop.folder / "content/entries/product/lily.yaml").unlink()
    shop.publish("qa", "--message", "Without both")
    shop.read()
    shop.run("promote", "qa", "production", "--by", "Ann")
    shop.write("content/entries/product/rose.yaml", CONTENT["content/entries/product/rose.yaml"] + "\n")
    shop.write("content/entries/product/iris.yaml", "title: Iris\n")
    shop.publish("qa", "--message", "With an iris")
    shop.run("rollback", "qa", "--by", "Ann")
    shop.run("prune", "qa")
    shop.run("bake", "production", "--to", "baked")
    shop.run("maintenance", "on", "qa", "--by", "Ann")
    shop.run("build")


def make_signed(shop):
    """A project with a signed channel: a rotation of its keys, a purge, a draft that nobody imported."""
    shop.run("keys", "init", "qa", "--keys", shop.key("owner"), "--release", shop.key("first"), "--valid-for", "731d")
    shop.sign_document()
    shop.use_keys("first")
    shop.publish("qa")
    shop.read(pinning="content/keys/qa/1.json")
    second = shop.key("second")
    shop.run("keys", "add", "qa", "--release", second, "--fresh", second, "--valid-for", "731d")
    shop.sign_document()
    shop.use_keys("second")
    shop.write("content/entries/product/tulip.yaml", "title: Swearword\n")
    shop.publish("qa")
    shop.run("purge", "qa", "product/tulip", "--restore", "--reason", "An insult", "--by", "Ann")
    shop.read(pinning="content/keys/qa/1.json")
    shop.write("content/entries/product/tulip.yaml", "title: Tulip again\n")
    shop.publish("qa")
    shop.run("verify", "site/qa/config.plist", "--channel", "qa", "--keys", "content/keys/qa/1.json", "--memory", "memory.plist")
    shop.run("bake", "qa", "--to", "baked")
    shop.write("content/entries/product/iris.yaml", "title: Iris\n")
    # Version 0.1.0 has no drafts.
    if "--draft" in shop.run("publish", "--help"):
        shop.publish("qa", "--draft", "draft")


PROJECTS = {
    "open": (make_open, OPEN),
    "signed": (make_signed, SIGNED),
}


def compile_client(build, program):
    """Compiles the app with the library in a build's folder."""
    objects = []
    for module in CLIENT:
        names = build / f"{module}.build/output-file-map.json"
        if not names.exists():
            sys.exit(f"{names} is missing: 'make build-tests' builds the library ContentClient")
        # The folder may also have objects of sources that were deleted.
        for source, outputs in json.loads(names.read_text()).items():
            if source and "object" in outputs:
                objects.append(names.with_name(pathlib.Path(outputs["object"]).name))
    headers = [f"-I{ROOT}/Sources/{name}" for name in ("CLinux", "CCurl", "CCrypto")]
    subprocess.run(
        ["swiftc", "-parse-as-library", "-o", program, ROOT / "Scripts/exhibit-client.swift", f"-I{build}/Modules",
         *headers, *objects, "-lcrypto"],
        check=True)
    return program


def main(contentc, name, client=None):
    program, exhibit = str(pathlib.Path(contentc).resolve()), ROOT / "Tests/Exhibits" / name
    if exhibit.exists():
        sys.exit(f"{exhibit} exists, and an exhibit is never changed: choose another name")
    for needed in ("faketime", "openssl"):
        if not shutil.which(needed):
            sys.exit(f"'{needed}' is missing: apt-get install {needed}")
    facts = {"program": name, "made": START.strftime("%Y-%m-%dT%H:%M:%SZ"), "projects": {}}
    with tempfile.TemporaryDirectory(prefix="contentc-exhibit-") as folder:
        made = pathlib.Path(folder) / "exhibit"
        client = str(pathlib.Path(client).resolve() if client else compile_client(TESTED, pathlib.Path(folder) / "client"))
        for project, (make, settings) in PROJECTS.items():
            shop = Shop(program, client, made / project, settings)
            make(shop)
            facts["projects"][project] = {
                "commands": [" ".join(words) for words in shop.commands],
                "last": shop.time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        facts["version"] = shop.run("--version").split("\n")[0]
        (made / "exhibit.json").write_text(json.dumps(facts, indent=2, sort_keys=True) + "\n")
        (made / "KEYS.txt").write_text(
            "The files in the folders 'secrets' are test keys, which everybody may read. They sign nothing but exhibits.\n")
        files = [path for path in made.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        if size > MOST_BYTES:
            sys.exit(f"the exhibit has {size:,} bytes, and {MOST_BYTES:,} are the most")
        shutil.copytree(made, exhibit, symlinks=True)
    print(f"{exhibit}: {len(files)} files, {size:,} bytes; add them with 'git add --force'")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
