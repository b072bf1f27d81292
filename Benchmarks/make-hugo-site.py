#!/usr/bin/env python3
"""Writes a Hugo site that builds a shop's bundles as JSON: `<locale>/<device>/<bundle>/index.json`.

Hugo reads the shop's own entries as data files; the pages come from a content adapter, `hugo/content/_content.gotmpl`,
and `hugo/layouts/page.json` merges. Everything else that Hugo makes is off.
"""

import argparse
import json
import pathlib

from peer import chain, device_chain, load

HERE = pathlib.Path(__file__).resolve().parent
UNWANTED = ["404", "home", "rss", "section", "sitemap", "robotstxt", "taxonomy", "term"]


def site(content):
    project = load(content / "content.yaml")
    source, devices = project["sourceLocale"], project["devices"]
    mounts = {"content": HERE / "hugo" / "content", "layouts": HERE / "hugo" / "layouts", "data": content / "entries"}
    return {
        "baseURL": "https://example.com/",
        "disableKinds": UNWANTED,
        "module": {"mounts": [{"source": str(mounts[target]), "target": target} for target in mounts]},
        "params": {
            "aisles": sorted(project["bundles"]),
            "locales": [{"name": name, "chain": chain(name, source)[::-1]} for name in project["locales"]],
            "devices": [
                {"name": name, "chain": device_chain(name, devices)[::-1]} for name in ["any", *devices]
            ],
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path, help="the folder to make")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "hugo.json").write_text(json.dumps(site(options.content.resolve()), indent=1))


if __name__ == "__main__":
    main()
