#!/usr/bin/env python3
"""Draws the modules of Package.swift and their imports as docs/modules.svg.

With --check, nothing is written: the script fails if the drawing is not that of Package.swift, if a module imports one
that it does not declare, or if the library of apps needs more modules than it may. Imports that follow from others are
left out: where A imports B and B imports C, no arrow leads from A to C.
"""

import json
import pathlib
import re
import subprocess
from html import escape

from drawing import INK, LINE, PAPER, svg, write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRAWING = ROOT / "docs/modules.svg"
# All that is compiled into an app: no NIO, no libyaml, no compiler of content.
OF_APPS = {
    "ContentClient", "ContentModel", "HTTPTransport", "PropertyLists", "RichText", "SiteFormat", "SystemC", "CCrypto",
    "CCurl", "CLinux",
}
WIDTH, THIN, HEIGHT, GAP_X, GAP_Y, MARGIN = 160, 8, 34, 18, 46, 16
LOOKS = [
    ("rect", {"fill": PAPER, "stroke": LINE}),
    (".executable rect", {"fill": ("#ddf4ff", "#0c2d6b")}),
    (".system rect", {"stroke-dasharray": "4 3"}),
    ("text", {
        "font": "13px system-ui, sans-serif", "fill": INK, "text-anchor": "middle", "dominant-baseline": "central"}),
    ("path", {"fill": "none", "stroke": LINE, "stroke-width": "1.2"}),
]


def modules():
    """The modules that are not tests: name → (kind, names of those it imports)."""
    # In a folder of its own, it does not wait for a build.
    command = ["swift", "package", "--scratch-path", ".build/description", "dump-package"]
    dump = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    targets = json.loads(dump)["targets"]
    shown = {t["name"] for t in targets if t["type"] != "test" and not (t.get("path") or "").startswith("Tests/")}
    found = {}
    for target in targets:
        if target["name"] in shown:
            names = [(d.get("byName") or d.get("target") or [""])[0] for d in target["dependencies"]]
            found[target["name"]] = (target["type"], {name for name in names if name in shown})
    return found


def reduced(found):
    """The imports without those that follow from others."""
    reach = {}

    def reachable(name):
        if name not in reach:
            reach[name] = set()
            for other in found[name][1]:
                reach[name] |= {other} | reachable(other)
        return reach[name]

    for name in found:
        reachable(name)
    return {
        name: sorted(other for other in imports if not any(other in reach[third] for third in imports))
        for name, (_, imports) in found.items()
    }


def rows(found, arrows):
    """The modules row by row, each below all that import it, and the arrows as lists of places.

    An arrow that crosses a row has a place of its own in it, so that it runs beside the modules of that row.
    """
    depth = {}

    def below(name):
        if name not in depth:
            depth[name] = 1 + max((below(other) for other in arrows if name in arrows[other]), default=-1)
        return depth[name]

    for name in found:
        below(name)
    lines = [sorted(n for n in found if depth[n] == row) for row in range(max(depth.values()) + 1)]
    routes = []
    for name in sorted(arrows):
        for other in arrows[name]:
            route = [name, *(f"{name}>{other}@{row}" for row in range(depth[name] + 1, depth[other])), other]
            routes.append(route)
            for place in route[1:-1]:
                lines[int(place.split("@")[1])].append(place)
    near = {place: set() for line in lines for place in line}
    for route in routes:
        for one, other in zip(route, route[1:]):
            near[one].add(other)
            near[other].add(one)
    for _ in range(24):
        for row in list(range(1, len(lines))) + list(range(len(lines) - 2, -1, -1)):
            middle = {n: (i + 0.5) / len(line) for line in lines for i, n in enumerate(line)}
            lines[row].sort(key=lambda n: (sum(middle[o] for o in sorted(near[n])) / max(1, len(near[n])), n))
    return lines, routes


def columns(lines):
    """The middle of each place, in points, and the width of the drawing."""
    widths = [[(THIN if "@" in name else WIDTH) + GAP_X for name in line] for line in lines]
    width = max(map(sum, widths)) - GAP_X + 2 * MARGIN
    middles = {}
    for line, own in zip(lines, widths):
        left = (width - sum(own)) / 2
        for name, one in zip(line, own):
            middles[name] = round(left + one / 2)
            left += one
    return middles, width


def drawing(found):
    arrows = reduced(found)
    lines, routes = rows(found, arrows)
    middles, width = columns(lines)
    height = len(lines) * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN
    tops = {name: MARGIN + row * (HEIGHT + GAP_Y) for row, line in enumerate(lines) for name in line}
    parts = []
    for route in routes:
        line = f"M{middles[route[0]]},{tops[route[0]] + HEIGHT}"
        for one, other in zip(route, route[1:]):
            start, end = tops[one] + HEIGHT, tops[other] - (2 if other == route[-1] else 0)
            bend = (start + end) // 2
            line += f" C{middles[one]},{bend} {middles[other]},{bend} {middles[other]},{end}"
            if other != route[-1]:
                line += f" V{end + HEIGHT}"
        parts.append(
            f'  <path d="{line}" marker-end="url(#end)">'
            f"<title>{escape(route[0])} imports {escape(route[-1])}</title></path>")
    for name in sorted(found):
        x, y = middles[name], tops[name]
        parts.append(
            f'  <g class="{escape(found[name][0])}"><rect x="{x - WIDTH // 2}" y="{y}" width="{WIDTH}" '
            f'height="{HEIGHT}" rx="6" /><text x="{x}" y="{y + HEIGHT // 2}">{escape(name)}</text></g>')
    return svg(
        width, height, "The modules and their imports", "An arrow leads from a module to one that it imports.", LOOKS,
        parts)


def problems(found):
    """Imports that are not declared, declared ones that are not used, and modules that an app must not need."""
    for name, (_, declared) in sorted(found.items()):
        used = set()
        for file in sorted((ROOT / "Sources" / name).rglob("*.swift")):
            words = re.findall(r"^ *(?:@\w+ )?(?:public |package )?import (\w+)", file.read_text(), re.MULTILINE)
            for word in sorted(set(words) & found.keys() - declared):
                yield f"{file.relative_to(ROOT)} imports {word}, which Package.swift does not declare for {name}"
            used |= set(words)
        for word in sorted(declared - used):
            yield f"Package.swift declares {word} for {name}, which does not import it"
    needed, new = set(), {"ContentClient"}
    while new:
        needed |= new
        new = set().union(*(found[name][1] for name in new)) - needed
    if needed != OF_APPS:
        yield f"ContentClient needs {', '.join(sorted(needed))} instead of {', '.join(sorted(OF_APPS))}"


def main():
    found = modules()
    write_or_check({DRAWING: drawing(found)}, "this Package.swift", problems(found))


main()
