#!/usr/bin/env python3
"""The script that a user would write instead of contentc: the same bundles of the same shop, by the same rules.

PyYAML's C loader, a merge, plistlib, gzip, SHA-256, two processes. It knows this shop: which fields are localized, one
base file per entry, one file of overlays per aisle and locale or device. `map.json` says which object is the bundle of
which context.
"""

import argparse
import datetime
import gzip
import hashlib
import json
import multiprocessing
import pathlib
import plistlib

import yaml

PARENTS = {"es-MX": "es-419", "es-419": "es", "nb": "no", "zh-Hant": None}
TTL = 3600


def load(path):
    with open(path, "rb") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader) or {}


def load_base(path):
    fields = load(path)
    fields["price"] = float(fields["price"])
    # plistlib writes dates without a zone, in UTC.
    fields["introduced"] = fields["introduced"].astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return fields


def chain(locale, source):
    found = []
    while locale:
        found.append(locale)
        locale = PARENTS[locale] if locale in PARENTS else locale.rpartition("-")[0]
    return found + ([source] if source not in found else [])


def device_chain(device, devices):
    found = []
    while device and device != "any":
        found.append(device)
        device = (devices[device] or {}).get("parent")
    return found


def resolve(base, overlays):
    """The fields for one context; overlays come with the most general one first."""
    fields = dict(base)
    changes = {}
    for overlay in overlays:
        for key, value in overlay.items():
            if key != "badges":
                fields[key] = value
                continue
            for item in value:
                changes.setdefault(item["id"], {}).update(item)
    if changes:
        fields["badges"] = [{**item, **changes.get(item["id"], {})} for item in fields["badges"]]
    return fields


def write_object(data, out):
    name = hashlib.sha256(data).hexdigest()
    path = out / "objects" / name[:2] / f"{name}.plist"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(data)
        compressed = gzip.compress(data, 9, mtime=0)
        if len(compressed) < len(data):
            path.with_name(path.name + ".gz").write_bytes(compressed)
    return name


# Filled before the second pool forks, so that both processes share it.
shop = {}


def build(task):
    """One aisle in one locale, for every device."""
    out, aisle, locale = task
    project, bases, sides = shop["project"], shop["bases"][aisle], shop["sides"]
    locales = [sides.get((aisle, "." + part), {}) for part in reversed(chain(locale, project["sourceLocale"]))]
    rows = []
    for device in ["any", *project["devices"]]:
        parts = reversed(device_chain(device, project["devices"]))
        overlays = [sides.get((aisle, "@" + part), {}) for part in parts] + locales
        entries = {}
        for name, base in bases.items():
            content = resolve(base, [overlay[name] for overlay in overlays if name in overlay])
            entries[f"{aisle}/{name}"] = {"datatype": aisle, "content": content, "ttl": TTL}
        bundle = {"format": 1, "bundle": aisle, "order": sorted(entries), "entries": entries}
        data = plistlib.dumps(bundle, fmt=plistlib.FMT_BINARY, sort_keys=True)
        rows.append((locale, device, aisle, write_object(data, out)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    project = load(options.content / "content.yaml")
    entries = options.content / "entries"
    base_paths = sorted(entries.glob("*/*.yaml"))
    side_paths = sorted(entries.glob("*.yaml"))

    processes = multiprocessing.get_context("fork")
    with processes.Pool(2) as pool:
        sides = pool.map_async(load, side_paths, chunksize=1)
        bases = pool.map_async(load_base, base_paths, chunksize=50)
        shop["project"] = project
        # `aisle-000.fr.yaml` is the side `.fr` of the aisle `aisle-000`, `aisle-000@ipad.yaml` its side `@ipad`.
        names = [path.stem for path in side_paths]
        shop["sides"] = dict(zip([(name[:9], name[9:]) for name in names], sides.get()))
        shop["bases"] = {}
        for path, fields in zip(base_paths, bases.get()):
            shop["bases"].setdefault(path.parent.name, {})[path.stem] = fields

    found = {}
    tasks = [(options.out, aisle, locale) for aisle in shop["bases"] for locale in project["locales"]]
    with processes.Pool(2) as pool:
        for rows in pool.imap_unordered(build, tasks, chunksize=1):
            for locale, device, bundle, name in rows:
                found.setdefault(locale, {}).setdefault(device, {})[bundle] = name
    (options.out / "map.json").write_text(json.dumps(found, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
