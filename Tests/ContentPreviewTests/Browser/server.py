"""The preview of a copy of the sample in a temporary folder."""

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path


@contextlib.contextmanager
def preview(program, sample, flags=()):
    """Starts `contentc preview` with a channel `qa` that has the unchanged sample; yields its address and content folder."""
    program = Path(program).resolve()
    with tempfile.TemporaryDirectory(prefix="contentc-browser.") as folder:
        shutil.copytree(sample, Path(folder) / "content")
        subprocess.run([program, "publish", "qa", "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        if "--out" in flags:
            # `publish` has built into the usual folder only, and a page without a build asks in vain.
            subprocess.run([program, "build", "--quiet", "--out", flags[flags.index("--out") + 1]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        process = subprocess.Popen([program, "preview", "--port", "0", "--channel", "qa", "--editor", "vscode", "--quiet", *flags], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise SystemExit(f"the preview ended with status {process.wait()}")
            yield address, Path(folder) / "content"
        finally:
            process.terminate()
            process.wait(20)
