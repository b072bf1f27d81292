"""Says whether what `preview/config.plist` reaches is whole: every object is there and is what its name says.

is-whole.py OUT [HASH-OF-ALLOWED-CONFIG ...]      prints the config's hash; exits 1 and says why where it is not whole
"""
import hashlib, pathlib, plistlib, sys

out = pathlib.Path(sys.argv[1])


def load(name, extension="plist"):
    path = out / "objects" / name[:2] / f"{name}.{extension}"
    data = path.read_bytes() if path.exists() else sys.exit(f"{path} is missing")
    if hashlib.sha256(data).hexdigest() != name:
        sys.exit(f"{path} is damaged")
    return data


def rows(value):
    """Every hash below an index or a list."""
    if isinstance(value, bytes) and len(value) == 32:
        yield value.hex()
    elif isinstance(value, dict):
        for child in value.values():
            yield from rows(child)
    elif isinstance(value, list):
        for child in value:
            yield from rows(child)


data = (out / "preview/config.plist").read_bytes()
config, digest = plistlib.loads(data), hashlib.sha256(data).hexdigest()
if len(sys.argv) > 2 and digest not in sys.argv[2:]:
    sys.exit(f"config is neither the old build's nor the new one's: {digest}")
record = plistlib.loads(load(config["build"].hex()))
for name, file in record["objects"].items():
    load(name, file["extension"])
known = set(record["objects"]) | {config["build"].hex()}
for name in rows({k: v for k, v in config.items() if k != "build"}):
    for inner in [name, *rows(plistlib.loads(load(name)))]:
        if inner not in known:
            sys.exit(f"{inner} is reached, but not in the build's record")
print(digest)
