#!/usr/bin/env python3
"""Checks the built site: check-site.py FOLDER.

Each link and anchor leads somewhere, and each page can be reached from the first one. A page has a title, one heading of
the first level, a text for each picture, and its place in the index of the search. A browser loads nothing from another
server. The pages below api/ are DocC's: a script draws them from JSON, which has the anchors of their headings. What they
load is checked, but not their links, which DocC checks itself.
"""

import html.parser
import json
import pathlib
import posixpath
import re
import sys
import tempfile
from urllib.parse import unquote, urlsplit

# What a browser loads by itself, by element and attribute. `link` depends on `rel`.
LOADS = {("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("script", "src"), ("iframe", "src"),
         ("video", "src"), ("audio", "src"), ("video", "poster"), ("object", "data"), ("embed", "src"), ("use", "href"),
         ("image", "href"), ("form", "action")}
# Relations of `link` that only name an address.
NAMES = {"canonical", "next", "prev", "alternate", "author", "license"}


class Page(html.parser.HTMLParser):
    """What the checks need of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads, self.faults = set(), [], [], []
        self.title, self.headings, self.inside = "", 0, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get("id"):
            if found["id"] in self.anchors:
                self.faults.append(f"two elements have the id {found['id']}")
            self.anchors.add(found["id"])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        elif tag == "h1":
            self.headings += 1
        elif tag == "title":
            self.inside = "title"
        elif tag == "style":
            self.inside = "style"
        elif tag == "link" and found.get("href") and not NAMES & set((found.get("rel") or "").split()):
            self.loads.append(found["href"])
        if tag == "img" and not (found.get("alt") or "").strip():
            self.faults.append(f"no text for the picture {found.get('src')}")
        for name, value in attributes:
            if value and (tag, name) in LOADS and not (tag == "form" and value.startswith("#")):
                self.loads += [part.split()[0] for part in value.split(",") if part.strip()] if name == "srcset" else [value]
            elif value and name == "style":
                self.loads += addresses(value)

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "title":
            self.title += data
        elif self.inside == "style":
            self.loads += addresses(data)


def addresses(style):
    """What a style sheet loads."""
    return [found for found in re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", style) for found in found if found]


def anchors_in(data):
    """The anchors in a page's data for DocC's script."""
    if isinstance(data, dict):
        if isinstance(data.get("anchor"), str):
            yield data["anchor"]
        data = list(data.values())
    for value in data if isinstance(data, list) else []:
        yield from anchors_in(value)


class Site:
    def __init__(self, folder):
        self.files = {str(file.relative_to(folder)): file for file in sorted(folder.rglob("*")) if file.is_file()}
        self.pages = {name: Page(file.read_text(encoding="utf-8")) for name, file in self.files.items() if name.endswith(".html")}

    def target(self, name, link):
        """The file that a link leads to, and its anchor; `None` for another server."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None, ""
        path = posixpath.normpath(posixpath.join("/", posixpath.dirname(name), unquote(parts.path))).lstrip("/") if parts.path else name
        if parts.path.endswith("/"):
            path = posixpath.normpath(posixpath.join(path, "index.html"))
        return path, unquote(parts.fragment)

    def faults(self):
        """The faults, each with its file."""
        for name, page in self.pages.items():
            is_ours = not name.startswith("api/")
            if is_ours:
                yield from ((name, fault) for fault in page.faults)
                if not page.title.strip():
                    yield name, "no title"
                if page.headings != 1:
                    yield name, f"{page.headings} headings of the first level"
            yield from self.broken_loads(name, page.loads)
            for link in page.links:
                target, anchor = self.target(name, link)
                if target is None:
                    continue
                if target not in self.files:
                    yield name, f"no file for the link {link}"
                elif is_ours and anchor and anchor not in self.anchors(target):
                    yield name, f"no anchor for the link {link}"
        for name, file in self.files.items():
            if name.endswith(".css"):
                yield from self.broken_loads(name, addresses(file.read_text(encoding="utf-8")))
        yield from self.unreachable()
        yield from self.unsearchable()

    def anchors(self, target):
        """The anchors of a page."""
        if target.startswith("api/"):
            data = self.files.get(f"api/data/{target.removeprefix('api/').removesuffix('/index.html')}.json")
            return set(anchors_in(json.loads(data.read_text(encoding="utf-8")))) if data else set()
        return self.pages[target].anchors if target in self.pages else set()

    def broken_loads(self, name, loads):
        for address in loads:
            target, _ = self.target(name, address)
            if address.startswith("data:"):
                continue
            if target is None:
                yield name, f"loads {address} from another server"
            elif target not in self.files:
                yield name, f"no file {address} to load"

    def unreachable(self):
        """The pages to which no path of links leads from the first one."""
        reached, waiting = set(), ["index.html"]
        while waiting:
            name = waiting.pop()
            if name in reached or name not in self.pages:
                continue
            reached.add(name)
            waiting += [target for target, _ in (self.target(name, link) for link in self.pages[name].links) if target]
        for name in self.pages:
            if name not in reached and not name.startswith("api/"):
                yield name, "no link leads here"
        if any(name.startswith("api/") for name in self.pages) and not any(name.startswith("api/") for name in reached):
            yield "api", "no link leads here"

    def unsearchable(self):
        """The pages that the search does not find, and the results that lead nowhere."""
        if "search/search_index.json" not in self.files:
            yield "search/search_index.json", "the index of the search is missing"
            return
        index = json.loads(self.files["search/search_index.json"].read_text(encoding="utf-8"))["docs"]
        found = {urlsplit(entry["location"]).path or "index.html" for entry in index}
        for name in self.pages:
            if name not in found and not name.startswith("api/"):
                yield name, "the search has no entry"
        for entry in index:
            target, anchor = self.target("index.html", entry["location"] or "index.html")
            if target not in self.pages or (anchor and anchor not in self.pages[target].anchors):
                yield "search/search_index.json", f"no place {entry['location']}"


# Made-up sites, each with the fault that it must have, or none.
FIRST = '<title>A</title><h1 id="a">A</h1><a href="b.html#b">B</a><a href="#a"></a><img src="p.png" alt="P">'
SECOND = '<title>B</title><h1 id="b">B</h1><link rel="stylesheet" href="s.css"><script src="./s.js"></script>'
API = '{"primaryContentSections": [{"content": [{"anchor": "Yes", "type": "heading"}]}]}'
STYLE = "a { background: url(p.png) }"
MADE_UP = [
    ({}, None),
    ({"index.html": FIRST + '<a href="no.html">'}, "no file for the link"),
    ({"index.html": FIRST + '<a href="sub/">'}, "no file for the link"),
    ({"index.html": FIRST + '<a href="b.html#no">'}, "no anchor for the link"),
    ({"index.html": FIRST + '<a href="#no">'}, "no anchor for the link"),
    ({"c.html": FIRST}, "no link leads here"),
    ({"api/c/index.html": ""}, "no link leads here"),
    ({"index.html": FIRST + '<a href="api/c/#Yes">', "api/c/index.html": "", "api/data/c.json": API}, None),
    ({"index.html": FIRST + '<a href="api/c/#yes">', "api/c/index.html": "", "api/data/c.json": API}, "no anchor for the link"),
    ({"b.html": SECOND.replace("<title>B", "<title> ")}, "no title"),
    ({"b.html": SECOND + "<h1>"}, "2 headings of the first level"),
    ({"b.html": SECOND.replace("h1", "h2")}, "0 headings of the first level"),
    ({"b.html": SECOND + '<img src="p.png" alt="">'}, "no text for the picture"),
    ({"b.html": SECOND + '<img src="no.png" alt="P">'}, "to load"),
    ({"b.html": SECOND + '<p id="b">'}, "two elements have the id"),
    ({"b.html": SECOND + '<img src="//elsewhere.example/p.png" alt="P">'}, "from another server"),
    ({"b.html": SECOND + '<img srcset="p.png 1x, https://elsewhere.example/p.png 2x" alt="P">'}, "from another server"),
    ({"b.html": SECOND + '<script src="https://elsewhere.example/s.js"></script>'}, "from another server"),
    ({"b.html": SECOND + '<link rel="preconnect" href="https://elsewhere.example">'}, "from another server"),
    ({"b.html": SECOND + "<style>@import 'https://elsewhere.example/s.css'</style>"}, "from another server"),
    ({"b.html": SECOND + "<p style='background: url(https://elsewhere.example/p.png)'>"}, "from another server"),
    ({"s.css": "@font-face { src: url(https://elsewhere.example/f.woff) }"}, "from another server"),
    ({"s.css": "a { background: url('no.png') }"}, "to load"),
    ({"search/search_index.json": '{"docs": [{"location": ""}]}'}, "the search has no entry"),
    ({"search/search_index.json": '{"docs": [{"location": ""}, {"location": "b.html#no"}, {"location": "b.html"}]}'}, "no place"),
    ({"search/search_index.json": None}, "the index of the search is missing"),
]


def missed():
    """The made-up faults that the checks do not find, or find beside others."""
    for changes, fault in MADE_UP:
        files = {"index.html": FIRST, "b.html": SECOND, "s.css": STYLE, "s.js": "", "p.png": "",
                 "search/search_index.json": '{"docs": [{"location": ""}, {"location": "b.html#b"}]}', **changes}
        if "c.html" in changes:
            files["search/search_index.json"] = '{"docs": [{"location": ""}, {"location": "b.html"}, {"location": "c.html"}]}'
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                if text is not None:
                    file = pathlib.Path(folder, name)
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text, encoding="utf-8")
            found = [text for _, text in Site(pathlib.Path(folder)).faults()]
        if (fault is None and found) or (fault and not (len(found) == 1 and fault in found[0])):
            yield f"{fault or 'no fault'} in {changes}: found {found}"


def main(folder):
    unseen = list(missed())
    for text in unseen:
        print(f"Scripts/check-site.py is wrong about a made-up site: {text}", file=sys.stderr)
    site = Site(pathlib.Path(folder))
    faults = list(dict.fromkeys(site.faults()))
    for name, fault in faults:
        print(f"{folder}/{name}: {fault}", file=sys.stderr)
    if unseen or faults or "index.html" not in site.pages:
        return 1
    print(f"{sum(not name.startswith('api/') for name in site.pages)} pages, and every link leads somewhere")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
