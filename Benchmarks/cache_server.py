"""nginx on loopback with the configuration of docs/reference/cache.md, as a remote cache."""

import getpass
import pathlib
import re
import shutil
import socket
import subprocess
import time

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "cache.md"


class CacheServer:
    """An empty cache while the `with` lasts."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "data" / "incoming").mkdir(parents=True)
        server = re.search(r"```nginx\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1]
        server = server.replace("listen 8090", f"listen 127.0.0.1:{self.port}")
        server = server.replace("/var/cache/contentc", str(self.folder / "data"))
        server = server.replace("allow 10.0.0.0/8", "allow 127.0.0.1")
        user = f"user {getpass.getuser()};" if getpass.getuser() == "root" else ""
        (self.folder / "nginx.conf").write_text(
            f"daemon off; {user} pid {self.folder}/pid; error_log {self.folder}/error.log; events {{}}\n"
            f"http {{ access_log off; {server} }}\n"
        )
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"])
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        raise SystemExit("nginx does not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
