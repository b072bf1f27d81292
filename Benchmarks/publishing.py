"""Publishing 5,000 objects, and again after one entry changed, beside rclone and Amazon's own tool on the same tree.

The others are told which folder is to be the same as which: they compare every file. contentc asks the target what it has.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from bench import ROOT
from counting import CountingDoor
from figures import at_least
from rounds import Command, in_turn, run

LOCALES = ["en", "fr", "de", "es", "ja"]
PRODUCTS = 1000
KEY, SECRET = "bench", "not-much-of-a-secret"


class Bucket:
    """A bucket of SeaweedFS on loopback while the `with` lasts."""

    def __init__(self, folder, weed):
        self.folder, self.weed = folder, weed
        sockets = [socket.socket() for _ in range(8)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        self.ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
        self.url = f"http://127.0.0.1:{self.ports[3]}"
        self.environment = {
            "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": self.url,
        }

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        rights = {"name": "bench", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]}
        (self.folder / "access.json").write_text(json.dumps({"identities": [rights]}))
        ports = ["master.port", "volume.port", "filer.port", "s3.port"]
        own = [f"-{name}={self.ports[i]}" for i, name in enumerate(ports)]
        own += [f"-{name}.grpc={self.ports[i + 4]}" for i, name in enumerate(ports)]
        self.process = subprocess.Popen(
            [self.weed, "server", f"-dir={self.folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-volume.max=300",
             "-master.volumeSizeLimitMB=64", "-master.telemetry=false", "-filer", "-s3", "-s3.port.iceberg=0",
             "-s3.port.lance=0", f"-filer.localSocket={self.folder}/filer", f"-s3.localSocket={self.folder}/s3",
             f"-s3.config={self.folder}/access.json", *own],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.environ.update(self.environment)
        for _ in range(150):
            made = subprocess.run(["aws", "s3", "mb", "s3://bench"], capture_output=True)
            if made.returncode == 0:
                return self
            time.sleep(0.2)
        raise SystemExit("SeaweedFS does not start")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class PublishedShop:
    """A small content with one bundle for each product, and 5,000 objects for five locales."""

    def __init__(self, bench):
        self.bench, self.folder, self.edits = bench, bench.folder / "publish", 0
        shutil.rmtree(self.folder, ignore_errors=True)
        content = self.folder / "content"
        (content / "datatypes").mkdir(parents=True)
        (content / "entries").mkdir()
        (content / "content.yaml").write_text(
            f"app: shop\nsourceLocale: en\nlocales: [{', '.join(LOCALES)}]\n"
            "bundles:\n  product: {include: product/*, split: entry}\n  all: {include: product/*}\n"
            f"channels:\n  folder: {{target: {self.folder}/site}}\n  bucket: {{target: s3://bench/shop}}\n")
        (content / "datatypes" / "product.yaml").write_text(
            "fields:\n  title: {type: string, localized: true}\n  text: {type: text, localized: true}\n")
        for locale in LOCALES:
            lines = [
                f"p{n}: {{title: '{locale} product {n}', text: '{'word ' * 60}{locale} {n}'}}\n" for n in range(PRODUCTS)]
            suffix = "" if locale == "en" else f".{locale}"
            (content / "entries" / f"product{suffix}.yaml").write_text("".join(lines))

    def build(self):
        """One entry gets another title, and the content is built."""
        self.edits += 1
        path = self.folder / "content" / "entries" / "product.fr.yaml"
        lines = path.read_text().splitlines(keepends=True)
        lines[self.edits] = f"p{self.edits}: {{title: 'edited {self.edits} {time.time_ns()}', text: 'x'}}\n"
        path.write_text("".join(lines))
        self.run("build", "--quiet", "--out", self.folder / "out")

    def run(self, *arguments):
        subprocess.run(
            [self.bench.contentc, arguments[0], "--content", self.folder / "content", *arguments[1:]], check=True,
            stdout=subprocess.DEVNULL)

    def publish(self, channel):
        line = [self.bench.contentc, "publish", channel, "--built", "--quiet", "--content", self.folder / "content",
                "--out", self.folder / "out"]
        return Command("contentc", line, before=self.build)

    def sync(self, name, *line):
        return Command(name, [*line], before=self.build)


def publish(bench, rounds=5):
    """First publications of all, one after the other, then the same after one entry changed, in turns."""
    tools = ROOT / ".build" / "tools"
    rclone, weed = tools / "rclone" / "bin" / "rclone", tools / "seaweedfs" / "bin" / "weed"
    shop = PublishedShop(bench)
    shop.build()
    objects = shop.folder / "out" / "objects"
    count = sum(1 for path in objects.rglob("*") if path.is_file() and path.suffix != ".gz")
    flags = ["--checksum", "--transfers", "16", "--checkers", "16", "--quiet", "--config", "/dev/null"]
    remote = f":s3,provider=SeaweedFS,env_auth=true,endpoint='http://127.0.0.1:%d':bench/rclone"
    yield from compared("a folder", count, rounds, shop.publish("folder"), [
        shop.sync("rclone", rclone, "sync", objects, shop.folder / "rclone", *flags)])
    with Bucket(bench.folder / "bucket", weed) as bucket:
        def commands(port):
            return shop.publish("bucket"), [
                shop.sync("rclone", rclone, "sync", objects, remote % port, *flags),
                shop.sync("aws", "aws", "s3", "sync", objects, "s3://bench/aws", "--only-show-errors", "--delete")]

        yield from compared("SeaweedFS", count, rounds, *commands(bucket.ports[3]))
        yield from counted(bucket, commands)


def compared(place, count, rounds, ours, others):
    """Rows for one target: the first publication, then that after an edit."""
    first = in_turn([ours, *others], 1)
    again = in_turn([ours, *others], rounds)
    for other in others:
        note = f"{first.seconds('contentc'):.2f} s against {first.seconds(other.name):.2f} s; {count} objects"
        yield at_least(
            None, None, f"first publication to {place}, faster than {other.name}",
            first.ratio(other.name, "contentc"), note, first.count)
        note = f"{again.seconds('contentc'):.3f} s against {again.seconds(other.name):.3f} s"
        yield at_least(
            None, 10, f"publication to {place} after an edit, faster than {other.name}",
            again.ratio(other.name, "contentc"), note, again.count)


def counted(bucket, commands):
    """Rows for the requests and bytes of one publication after an edit, each through a counting proxy."""
    with CountingDoor(bucket.ports[3]) as door:
        os.environ["AWS_ENDPOINT_URL_S3"] = f"http://127.0.0.1:{door.port}"
        ours, others = commands(door.port)
        # The first publication through another address tests conditional writes.
        run(ours)
        door.take()
        found = {}
        for command in [ours, *others]:
            run(command)
            found[command.name] = door.take()
        os.environ["AWS_ENDPOINT_URL_S3"] = bucket.url
    requests, sent, received = found["contentc"]
    for other in others:
        their_requests, their_sent, their_received = found[other.name]
        note = (f"{requests} against {their_requests:,}; sent {sent / 1e3:,.0f} kB against {their_sent / 1e3:,.0f}, "
                f"received {received / 1e3:,.0f} kB against {their_received / 1e3:,.0f}")
        yield at_least(
            None, None, f"requests to SeaweedFS after an edit, fewer than {other.name}", their_requests / requests,
            note, 1)
