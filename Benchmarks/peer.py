#!/usr/bin/env python3
"""The script that a user would write instead of contentc: the same bundles of the same shop, by the same rules.

PyYAML's C loader, a merge, plistlib, gzip, SHA-256, two processes. It knows this shop: which fields are localized, one
entry a base file, one overlay file a locale. `map.json` says which object is the bundle of which context.
"""

import argparse
import fnmatch
import gzip
import hashlib
import json
import multiprocessing
import pathlib
import plistlib

import yaml

PARENTS = {"es-MX": "es-419", "es-419": "es", "nb": "no", "zh-Hant": None}
LOCALIZED = {"title", "subtitle", "care"}
TTL = 3600


def load(path):
    with open(path, "rb") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader) or {}


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


def load_base(path):
    """The entry's id, its fields, and those that differ on a device."""
    fields = load(path)
    fields["price"] = float(fields["price"])
    overlays = {other.stem.split("@")[1]: load(other) for other in path.parent.glob(path.stem + "@*.yaml")}
    return f"product/{path.parent.name}/{path.stem}", fields, overlays


def merged_badges(items, overlays):
    """The base's items in their order, each with its overlays' fields; the last overlay wins."""
    changes = {}
    for overlay in overlays:
        for item in overlay.get("badges", ()):
            changes.setdefault(item["id"], {}).update(item)
    return [{**item, **changes.get(item["id"], {})} for item in items]


def resolve(base, device_overlays, translations):
    """The fields for one context; overlays come with the most general one first."""
    fields = dict(base)
    for overlay in device_overlays + translations:
        fields.update((key, value) for key, value in overlay.items() if key != "badges")
    if "badges" in fields:
        fields["badges"] = merged_badges(fields["badges"], device_overlays + translations)
    return fields


# Filled before the second pool forks, so that both processes share it.
shop = {}


def load_bundle(task):
    """A bundle's entries, by id."""
    content, include = task
    paths = sorted(path for path in (content / "entries" / include).parent.glob("*.yaml") if "@" not in path.name)
    return [entry for entry in map(load_base, paths) if fnmatch.fnmatch(entry[0], include)]


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


def build(task):
    """One bundle in one locale, for every device."""
    out, bundle, locale = task
    project, entries = shop["project"], shop["entries"][bundle]
    overlays = [shop["translations"].get(part, {}) for part in reversed(chain(locale, project["sourceLocale"]))]
    rows = []
    for device in ["any", *project["devices"]]:
        devices = list(reversed(device_chain(device, project["devices"])))
        resolved = {}
        for name, base, by_device in entries:
            rest = name.removeprefix("product/")
            translations = [overlay[rest] for overlay in overlays if rest in overlay]
            fields = resolve(base, [by_device[part] for part in devices if part in by_device], translations)
            resolved[name] = {"datatype": "product", "content": fields, "ttl": TTL}
        value = {"format": 1, "bundle": bundle, "order": [entry[0] for entry in entries], "entries": resolved}
        data = plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=True)
        rows.append((locale, device, bundle, write_object(data, out)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    project = load(options.content / "content.yaml")
    bundles = project["bundles"]
    overlays = sorted((options.content / "entries").glob("product.*.yaml"))
    processes = multiprocessing.get_context("fork")
    with processes.Pool(2) as pool:
        translations = pool.map_async(load, overlays, chunksize=1)
        entries = pool.map_async(
            load_bundle, [(options.content, bundle["include"]) for bundle in bundles.values()], chunksize=1
        )
        shop["translations"] = dict(zip([path.name.split(".")[1] for path in overlays], translations.get()))
        shop["entries"] = dict(zip(bundles, entries.get()))
    shop["project"] = project
    tasks = [(options.out, bundle, locale) for bundle in bundles for locale in project["locales"]]
    found = {}
    with processes.Pool(2) as pool:
        for rows in pool.imap(build, tasks, chunksize=1):
            for locale, device, bundle, name in rows:
                found.setdefault(locale, {}).setdefault(device, {})[bundle] = name
    (options.out / "map.json").write_text(json.dumps(found, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
