"""Purges of a live release behind Varnish, from the command to the first fresh read, by the printed configurations.

A reader asks Varnish for config all the while. Beside it: how long the cache itself takes, told by one request and
asked until it is fresh.
"""

import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import threading
import time

from figures import at_most

PRODUCTS, PURGES = 5_000, 100
CHANNEL = "production"
CONFIG = f"/{CHANNEL}/config.plist"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Reader:
    """Asks for config over one connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def config(self):
        self.connection.request("GET", CONFIG)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"config is answered with {answer.status}")
        return body

    def wait_for_another(self, old):
        """Returns the `time.perf_counter` of the first new answer."""
        while self.config() == old:
            time.sleep(0.0005)
        return time.perf_counter()


class Servers:
    """nginx over a folder and Varnish before it while the `with` lasts, both as `contentc server` prints them."""

    def __init__(self, shop):
        self.shop, self.started = shop, []
        self.origin, self.cache = free_port(), free_port()

    def __enter__(self):
        self.start("nginx", self.origin, lambda file, state: [
            "nginx", "-c", file, "-e", state / "error.log", "-g",
            ("user root; " if os.getuid() == 0 else "") + "daemon off; master_process off;"])
        self.start("varnish", self.cache, lambda file, state: [
            "varnishd", "-F", "-a", f"127.0.0.1:{self.cache}", "-f", file, "-n", state / "varnish", "-s", "malloc,256m"
        ], "--upstream", f"http://127.0.0.1:{self.origin}")
        return self

    def start(self, name, port, line, *flags):
        state = self.shop.folder / name
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir()
        state.chmod(0o777)
        self.shop.run(
            "server", name, CHANNEL, "--listen", f"127.0.0.1:{port}", "--state", state, "--into", state, *flags)
        file = next(path for path in state.iterdir() if path.suffix in (".conf", ".vcl"))
        output = open(state / "output", "w")
        self.started.append(subprocess.Popen(line(file, state), stdout=output, stderr=output))
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit(f"{name} does not start: {(state / 'output').read_text()}")

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
            process.wait()


class PurgedShop:
    """5,000 products, published into a folder; only `content.yaml` names the caches."""

    def __init__(self, bench):
        source = bench.shop("purge", "--locales", "4", "--products", str(PRODUCTS))
        self.contentc, self.folder = bench.contentc, bench.folder / "purged"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.content, self.site = self.folder / "content", self.folder / "site"
        shutil.copytree(source.content, self.content)

    def configure(self, servers):
        file, address = self.content / "content.yaml", f"http://127.0.0.1:{servers.cache}"
        file.write_text(
            file.read_text().partition("channels:")[0]
            + f"channels:\n  {CHANNEL}:\n    target: {self.site}\n    url: {address}\n    originTimeout: 1s\n"
            + f"    cdn: [{{varnish: {{nodes: ['{address}']}}}}]\n")

    def line(self, command, *arguments):
        return [self.contentc, command, *arguments, "--content", self.content]

    def run(self, command, *arguments):
        subprocess.run(self.line(command, *arguments), check=True, stdout=subprocess.DEVNULL)


def purge_seconds(shop, reader, number):
    """From the command to the first fresh read."""
    old = reader.config()
    seen = []
    watch = threading.Thread(target=lambda: seen.append(reader.wait_for_another(old)))
    watch.start()
    entry = f"aisle-{number % 10:03}/p{number % 10 * 500 + number:05}"
    start = time.perf_counter()
    shop.run("purge", entry, "--reason", "A benchmark", "--quiet")
    watch.join()
    return seen[0] - start


def cache_seconds(shop, reader, port):
    """From a file that was replaced, through one PURGE, to the first fresh read."""
    config = pathlib.Path(f"{shop.site}{CONFIG}")
    old = reader.config()
    new = config.with_suffix(".new")
    new.write_bytes(old + b"\n" * (1 + time.time_ns() % 7))
    purger = http.client.HTTPConnection("127.0.0.1", port)
    start = time.perf_counter()
    new.replace(config)
    purger.request("PURGE", CONFIG)
    purger.getresponse().read()
    seconds = reader.wait_for_another(old) - start
    purger.close()
    config.write_bytes(old)
    purger.request("PURGE", CONFIG)
    purger.getresponse().read()
    return seconds


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def purge(bench, count=PURGES):
    """Rows for the middle and the slowest of a hundred purges."""
    shop = PurgedShop(bench)
    servers = Servers(shop)
    shop.configure(servers)
    shop.run("build", "--quiet", "--out", shop.folder / "out")
    with servers:
        shop.run("publish", CHANNEL, "--built", "--quiet", "--out", shop.folder / "out")
        reader = Reader(servers.cache)
        own = [cache_seconds(shop, reader, servers.cache) for _ in range(count)]
        found = [purge_seconds(shop, reader, number) for number in range(count)]
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        note = f"the cache alone takes {percentile(own, part) * 1e3:.1f} ms; {PRODUCTS:,} entries, 16 contexts"
        yield at_most(
            None, 150, f"purge, from the command to the first fresh read, {name}", percentile(found, part) * 1e3, note,
            count, unit="ms")
