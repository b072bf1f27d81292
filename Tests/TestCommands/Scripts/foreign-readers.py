"""Reads every object of four builds of one content folder with foreign readers, and compares values.

foreign-readers.py BINARY XML OPENSTEP JSON      four `out/` folders, one for each format

Readers: Python's plistlib (binary, XML) and json, plutil (through XML: all of OpenStep, which no other
one reads, and a quarter of the other formats, since it is slow), plistutil (binary and XML, each
through the other). Objects are matched by role (the index of fr/ipad, its
catalog, ...), because hashes differ by format. The comparison uses the documented meaning: JSON has
dates as RFC 3339, data as base64 and hashes as hex; OpenStep has only texts.
"""
import base64, datetime, hashlib, json, pathlib, plistlib, re, shutil, subprocess, sys, tempfile

FORMATS = ["binary", "xml", "openstep", "json"]
HEX = re.compile(r"^[0-9a-f]{64}$")


class Build:
    def __init__(self, folder, format):
        self.folder, self.format = pathlib.Path(folder), format
        self.files, self.assets = {}, set()          # hash -> path; names
        for path in sorted((self.folder / "objects").rglob("*.*")):
            if path.suffix == ".gz":
                continue
            if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem:
                sys.exit(f"{path} is not what its name says")
            if path.suffix in (".plist", ".json"):
                self.files[path.stem] = path
            else:
                self.assets.add(path.name)
        self.sizes = {name: path.stat().st_size for name, path in self.files.items()}
        self.values = {}                             # reader -> hash or "config" -> value

    def config(self):
        return self.folder / "preview" / ("config.json" if self.format == "json" else "config.plist")


def hash_of(value):
    return value.hex() if isinstance(value, bytes) else value


def rfc3339(date):
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


def read_plistlib(path):
    with open(path, "rb") as file:
        return plistlib.load(file)


def read_json(path):
    return json.loads(path.read_bytes())


def read_plutil(paths):
    """Reads files with plutil, many per process."""
    with tempfile.TemporaryDirectory() as folder:
        for name, path in paths.items():
            shutil.copy(path, f"{folder}/{name}.in")
        for some in batches([f"{name}.in" for name in paths], 200):
            subprocess.run(["plutil", "-convert", "xml1", "-e", "out", *some], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
        return {name: read_plistlib(f"{folder}/{name}.out") for name in paths}


def read_plistutil(paths, format):
    """Reads files with plistutil in the other format, because XML of a binary file would lose -0.0."""
    values = {}
    for name, path in paths.items():
        done = subprocess.run(["plistutil", "-i", str(path), "-f", "bin" if format == "xml" else "xml", "-o", "-"],
                              check=True, capture_output=True)
        values[name] = plistlib.loads(done.stdout)
    return values


def batches(items, size):
    return [items[i:i + size] for i in range(0, len(items), size)]


def is_plist(path):
    return path.suffix == ".plist"


def read_all(build):
    paths = dict(build.files, config=build.config())
    plists = {n: p for n, p in paths.items() if is_plist(p)}
    texts = {n: p for n, p in paths.items() if not is_plist(p)}
    decoded = {n: read_json(p) for n, p in texts.items()}
    if build.format in ("binary", "xml"):
        build.values["plistlib"] = {n: read_plistlib(p) for n, p in plists.items()} | decoded
        build.values["plistutil"] = read_plistutil(plists, build.format) | decoded
    if build.format == "json":
        build.values["json"] = decoded
    others = next(iter(build.values.values()), {})
    quarter = {n: p for n, p in paths.items() if n not in others or n[0] in "048c"}
    build.values["plutil"] = others | read_plutil(quarter)
    build.by_plutil = set(quarter)


def roles(build, values):
    """Returns the hash of each object by its role."""
    config, found = values["config"], {"config": "config"}
    found["build"] = hash_of(config["build"])
    for kind in ["entries", "sources"]:
        for name, part in values[found["build"]][kind].items():
            found[kind, name] = hash_of(part)
    for locale, devices in config["indexes"].items():
        for device, index in devices.items():
            found["maintenance", locale, device] = hash_of(config["maintenance"]["payloads"][locale][device])
            found["index", locale, device] = hash_of(index)
            for name, row in values[hash_of(index)]["bundles"].items():
                add_row(found, values, ("bundle", locale, device, name), row)
    return found


def add_row(found, values, role, row):
    if "list" in row:
        found[("list",) + role] = hash_of(row["list"])
        for rest, entry in values[hash_of(row["list"])]["entries"].items():
            add_row(found, values, role + (rest,), entry)
        return
    if "tiles" in row:
        found[("tiles",) + role] = hash_of(row["tiles"])
        for quadkey, tile in values[hash_of(row["tiles"])]["tiles"].items():
            add_row(found, values, role + (quadkey,), tile)
        return
    found[role] = hash_of(row["object"])
    for i, variant in enumerate(row.get("variants", [])):
        found[role + (i,)] = hash_of(variant["object"])


def require_sizes(build, value, place):
    """Checks the size in each row against its object; sizes differ by format, so they are not compared."""
    if isinstance(value, dict):
        name, size = hash_of(value.get("object")), value.get("size")
        if isinstance(name, str) and name in build.sizes and int(size) != build.sizes[name]:
            sys.exit(f"{place}: {name} has {build.sizes[name]} bytes, not {size}")
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        require_sizes(build, child, place)


def text_of(value, hexadecimal):
    """Returns a scalar in the form of a format that lacks its type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return rfc3339(value)
    if isinstance(value, bytes):
        return value.hex() if hexadecimal else base64.b64encode(value).decode()
    return str(value)


def differ(a, b, objects, path=()):
    """Returns the path at which b, of any format, differs from a, of the binary format.

    Hashes of plist objects and sizes count as equal.
    """
    if path[:2] == ("sources", "content.yaml"):        # contains the format
        return None
    if isinstance(a, dict):
        if not isinstance(b, dict):
            return path
        # A row names its bundle's format only if it differs from the project's.
        silent = {"format"} if "object" in a and "count" in a else set()
        if hash_of(a.get("object")) in objects:
            silent.add("size")                       # see require_sizes
        keys, others = sorted(set(a) - silent), sorted(set(b) - silent)
        if path[-1:] == ("objects",) and not path[:-1]:
            return None if len(keys) == len(others) else path
        return path + ("keys",) if keys != others else first(differ(a[k], b[k], objects, path + (k,)) for k in keys)
    if isinstance(a, list):
        if not isinstance(b, list) or len(a) != len(b):
            return path
        if path[:1] == ("entries",) and len(path) == 2 and all(isinstance(i, bytes) for i in a):
            return None
        return first(differ(x, y, objects, path + (i,)) for i, (x, y) in enumerate(zip(a, b)))
    if isinstance(a, bytes) and len(a) == 32 and a.hex() in objects:
        other = b.hex() if isinstance(b, bytes) else b
        return None if HEX.match(other) else path
    if type(a) is type(b):
        return None if a == b else path
    if isinstance(a, float) and isinstance(b, (str, int)):
        return None if float(b) == a else path
    return None if b in (text_of(a, False), text_of(a, True)) else path


def first(results):
    return next((r for r in results if r is not None), None)


def main():
    builds = [Build(folder, format) for folder, format in zip(sys.argv[1:5], FORMATS)]
    for build in builds:
        read_all(build)
    base = builds[0].values["plistlib"]
    wanted = roles(builds[0], base)
    objects = set(builds[0].files)
    compared = 0
    for build in builds:
        if build.assets != builds[0].assets:
            sys.exit(f"{build.format}: other assets: {sorted(build.assets ^ builds[0].assets)[:3]}")
        for reader, values in build.values.items():
            have = roles(build, values)
            own = build.by_plutil if reader == "plutil" else set(values)
            for name in own:
                require_sizes(build, values[name], f"{build.format} by {reader}")
            if set(have) != set(wanted):
                sys.exit(f"{build.format} by {reader}: other objects: {sorted(map(str, set(have) ^ set(wanted)))[:3]}")
            unreached = set(build.files) - set(have.values())
            if unreached:
                sys.exit(f"{build.format} by {reader}: {len(unreached)} objects have no part in the build")
            seen = set()
            for role, name in wanted.items():
                if (name, have[role]) in seen or have[role] not in own:
                    continue
                seen.add((name, have[role]))
                place = differ(base[name], values[have[role]], objects)
                if place is not None:
                    sys.exit(f"{build.format} by {reader}: {role} differs at {'.'.join(map(str, place))}")
                compared += 1
    names = ", ".join(f"{b.format}: {'+'.join(b.values)}" for b in builds)
    print(f"{compared} readings agree ({len(set(wanted.values()))} objects; {names})")


main()
