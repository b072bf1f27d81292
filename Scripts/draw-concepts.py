#!/usr/bin/env python3
"""Draws the pictures of docs/concepts as docs/images/*.svg.

With --check, nothing is written: the script fails if a drawing is not that of this script. Every text must fit into its
box, and no two texts may overlap: a drawing that breaks this is an error, with the text.
"""

import pathlib
from html import escape

from drawing import INK, LINE, PAPER, svg, write_or_check

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "docs/images"
# A phone shows the whole width, so the letters are large for a drawing of this size.
WIDTH, MARGIN, SIZE, SMALL = 480, 12, 13.5, 12
LOOKS = [
    ("rect, circle", {"fill": PAPER, "stroke": LINE}),
    (".paper", {"stroke": "none"}),
    (".lane, .none", {"fill": ("#f0f3f6", "#21262d"), "stroke": "none"}),
    (".main", {"fill": ("#ddf4ff", "#0c2d6b")}),
    (".old", {"fill": ("#fff1e5", "#4d2d00")}),
    (".faint", {"stroke-dasharray": "4 3"}),
    (".decides", {"fill": ("#0969da", "#58a6ff"), "stroke": ("#0969da", "#58a6ff")}),
    ("text", {"font": f"{SIZE}px system-ui, sans-serif", "fill": INK, "dominant-baseline": "central"}),
    (".middle", {"text-anchor": "middle"}),
    (".end", {"text-anchor": "end"}),
    (".strong", {"font-weight": "600"}),
    (".small", {"font-size": f"{SMALL}px", "fill": ("#57606a", "#9da7b3")}),
    ("path", {"fill": "none", "stroke": LINE, "stroke-width": "1.4"}),
    (".names", {"stroke-dasharray": "5 4"}),
]


def width_of(text, size):
    """At least the width of a text in the usual fonts of systems."""
    narrow, wide = "iljtfrI.,:;'!|()[]/ 1", "mwMW@%—"
    return sum(size * (0.4 if c in narrow else 0.92 if c in wide else 0.72 if c.isupper() else 0.6) for c in text)


class Drawing:
    """A drawing that grows downward on paper of its own, so that it does not depend on the colour of a page."""

    def __init__(self, title, description):
        self.title, self.description = title, description
        self.parts, self.texts, self.bottom = [], [], 0

    def text(self, x, y, text, kind="", room=None):
        """One line around the height y: from x, or to x (end), or around x (middle)."""
        width = width_of(text, SMALL if "small" in kind else SIZE) * (1.05 if "strong" in kind else 1)
        left = x - width if "end" in kind else x - width / 2 if "middle" in kind else x
        place = (left, y - 8, left + width, y + 8)
        if left < MARGIN or left + width > WIDTH - MARGIN or (room and width > room):
            raise ValueError(f"'{text}' is too long in '{self.title}': {width:.0f}")
        for other, there in self.texts:
            if place[0] < there[2] and there[0] < place[2] and place[1] < there[3] and there[1] < place[3]:
                raise ValueError(f"'{text}' overlaps '{other}' in '{self.title}'")
        self.texts.append((text, place))
        self.bottom = max(self.bottom, y + 8)
        look = f' class="{kind}"' if kind else ""
        self.parts.append(f'  <text x="{x}" y="{y}"{look}>{escape(text)}</text>')

    def rect(self, x, y, width, height, kind="", radius=6):
        self.bottom = max(self.bottom, y + height)
        look = f' class="{kind}"' if kind else ""
        self.parts.append(f'  <rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"{look} />')

    def lane(self, y, height, heading, is_below=False):
        """A part of the drawing; its heading is below what it contains if arrows come in from above."""
        self.rect(MARGIN, y, WIDTH - 2 * MARGIN, height, "lane", 10)
        self.text(28, y + (height - 20 if is_below else 20), heading, "strong")

    def box(self, x, y, width, name, *lines, kind=""):
        """A box with its name and small lines below it, as high as they need."""
        height = 28 + 17 * len(lines)
        self.rect(x, y, width, height, kind)
        self.text(x + width / 2, y + 15, name, "middle strong" if lines else "middle", width - 8)
        for row, line in enumerate(lines):
            self.text(x + width / 2, y + 33 + 17 * row, line, "middle small", width - 4)
        return height

    def arrow(self, *points, kind=""):
        look = f' class="{kind}"' if kind else ""
        way = " L".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'  <path d="M{way}"{look} marker-end="url(#end)" />')

    def line(self, *points, kind=""):
        look = f' class="{kind}"' if kind else ""
        self.parts.append(f'  <path d="M{" L".join(f"{x},{y}" for x, y in points)}"{look} />')

    def circle(self, x, y, kind):
        self.parts.append(f'  <circle cx="{x}" cy="{y}" r="6" class="{kind}" />')

    def finished(self):
        height = round(self.bottom + MARGIN)
        paper = f'  <rect x="0" y="0" width="{WIDTH}" height="{height}" rx="12" class="paper" />'
        return svg(WIDTH, height, self.title, self.description, LOOKS, [paper, *self.parts])


def concepts():
    drawing = Drawing(
        "From YAML files to an app",
        "The layers of an entry become one entry for each context. Entries go into bundles and their variants. An index "
        "names the bundles of a context, and config names the indexes. Each new config is a release of its channel. An "
        "app reads config, its index and its bundles.")
    drawing.lane(12, 150, "content/: what editors write")
    for row, name in enumerate(["rose.yaml", "rose.fr.yaml", "rose@ipad.yaml"]):
        drawing.box(28, 44 + 36 * row, 136, name)
    for row, line in enumerate(["three layers", "of the entry", "product/rose"]):
        drawing.text(176, 80 + 18 * row, line, "small")
    drawing.box(300, 44, 152, "content.yaml", "locales, devices,", "bundles, channels")
    drawing.arrow((96, 162), (96, 204))
    drawing.text(110, 183, "contentc build: once for each context")

    drawing.lane(206, 166, "a context: locale fr-CA, device ipad")
    drawing.box(28, 240, 118, "entry", "product/rose")
    drawing.text(28, 306, "one value for", "small")
    drawing.text(28, 324, "each field", "small")
    drawing.box(186, 240, 118, "bundle", "catalog", kind="main")
    drawing.box(186, 308, 118, "variant", "for Belgium", kind="main")
    drawing.box(344, 240, 108, "index", "of this context", kind="main")
    drawing.arrow((146, 262), (184, 262))
    drawing.arrow((146, 274), (166, 274), (166, 330), (184, 330))
    drawing.arrow((344, 262), (306, 262), kind="names")
    drawing.arrow((398, 285), (398, 330), (306, 330), kind="names")

    drawing.arrow((96, 372), (96, 414))
    drawing.text(110, 393, "contentc publish")
    drawing.lane(416, 106, "channel production")
    drawing.box(28, 450, 88, "release 10", kind="faint")
    drawing.box(126, 450, 88, "release 11", kind="faint")
    drawing.text(28, 494, "kept for a rollback", "small")
    drawing.box(250, 450, 202, "config of release 12", "the only file that changes", kind="main")
    drawing.arrow((436, 450), (436, 287), kind="names")

    drawing.arrow((350, 522), (350, 564))
    drawing.text(336, 543, "any web server or CDN", "end")
    drawing.lane(566, 68, "an app")
    drawing.text(28, 612, "reads config, its index, its bundles: one whole release", "small")

    drawing.arrow((28, 656), (64, 656))
    drawing.text(72, 656, "becomes, or goes into", "small")
    drawing.arrow((256, 656), (292, 656), kind="names")
    drawing.text(300, 656, "names a file by its hash", "small")
    return drawing.finished()


def fallback():
    drawing = Drawing(
        "The file that gives a reader each value",
        "Nine files may have a value for a reader in fr-CA with an iPad. The title is from rose.fr-CA, the story from "
        "rose.fr although rose@ipad has one, the columns from rose@ipad, and the price from rose.")
    files = [f"rose{locale}{device}" for locale in (".fr-CA", ".fr", "") for device in ("@ipad", "@tablet", "")]
    fields = [("title", 2, [5, 8]), ("story", 5, [6, 8]), ("columns", 6, [7, 8]), ("price", 8, [])]
    written = {row for _, decides, others in fields for row in [decides, *others]}
    middles, top, step = [247, 309, 371, 433], 84, 30
    drawing.text(28, 26, "A reader in fr-CA with an iPad", "strong")
    drawing.text(278, 48, "localized", "middle small")
    drawing.text(402, 48, "not localized", "middle small")
    for (name, _, _), x in zip(fields, middles):
        drawing.text(x, 68, name, "middle strong")
    for group, locale in enumerate(["fr-CA", "fr", "en, source"]):
        y = top + group * (3 * step + 8)
        drawing.rect(MARGIN, y, WIDTH - 2 * MARGIN, 3 * step, "lane")
        drawing.text(20, y + 45, locale, "small")
    for row, name in enumerate(files):
        y = top + row * step + row // 3 * 8 + step // 2
        drawing.text(98, y, name, "" if row in written else "small")
        for (_, decides, others), x in zip(fields, middles):
            if row == decides:
                drawing.circle(x, y, "decides")
            elif row in others:
                drawing.circle(x, y, "")
            elif x > 340 and row < 6:
                drawing.line((x - 6, y), (x + 6, y))
    y = top + 9 * step + 40
    for row, (kind, words) in enumerate([
            ("decides", "gives the reader the value: the first file from the top that has it"),
            ("", "has a value too, but a file above decides"),
            (None, "may not have one: only localized fields differ by locale")]):
        if kind is None:
            drawing.line((22, y + 24 * row), (34, y + 24 * row))
        else:
            drawing.circle(28, y + 24 * row, kind)
        drawing.text(46, y + 24 * row, words, "small")
    drawing.text(46, y + 72, "Grey names: there is no such file here", "small")
    return drawing.finished()


def lifetimes():
    drawing = Drawing(
        "How long a reader may still see the old content",
        "With the default lifetimes and one cache: 15 minutes 30 seconds after a correction, 10 minutes 11 seconds after "
        "a purge that takes 11 seconds, a day more for a correction while the origin does not answer. An app without a "
        "connection shows content for 7 days after its last check.")
    start, minute = 84, 20

    def heading(y, words, since):
        drawing.text(16, y, words, "strong")
        drawing.text(start, y + 20, since, "small")

    def row(y, layer, left, right, words, kind, is_cut=False):
        drawing.text(start - 8, y + 12, layer, "end")
        drawing.rect(left, y, max(4, right - left), 24, kind, 2)
        if words:
            drawing.text(left + 8, y + 12, words)
        if is_cut:
            for x in (right - 24, right - 18):
                drawing.line((x - 4, y + 30), (x + 4, y - 6))

    def end(x, top, y, words):
        drawing.line((x, top), (x, y + 2), kind="names")
        drawing.text(x, y + 12, words, "end strong")

    cached, corrected = start + 5.5 * minute, start + 15.5 * minute
    heading(26, "A correction: publish", "from the moment at which the release is live")
    row(58, "CDN", start, start + 5 * minute, "edge 5m", "old")
    row(58, "", start + 5 * minute, cached, "", "old")
    drawing.text(cached + 8, 70, "+ staleWhileRevalidate 30s", "small")
    row(88, "app", cached, corrected, "app 10m", "old")
    end(corrected, 54, 116, "bound: 15m30s")

    purged = start + 11 / 60 * minute
    heading(166, "A purge", "from the same moment")
    row(198, "purge", start, purged, "", "old")
    drawing.text(purged + 8, 210, "11s: each cache drops the old config", "small")
    row(228, "app", purged, purged + 10 * minute, "app 10m", "old")
    end(purged + 10 * minute, 224, 256, "bound: 10m11s")

    heading(306, "A correction while the origin does not answer", "from the same moment")
    row(338, "CDN", start, 352, "5m30s, then staleIfError 1d", "old", True)
    row(368, "app", 352, 456, "app 10m", "old")
    end(456, 334, 396, "1d15m30s")

    heading(446, "An app without a connection", "from its last successful check")
    row(478, "app", start, 440, "offline 7d, then its entries are hidden", "old", True)

    heading(538, "A signed channel from which somebody keeps all news", "from the newest signed statement")
    row(570, "app", start, 352, "validFor 14d: current", "old", True)
    row(570, "", 352, 456, "then: stale", "faint")
    return drawing.finished()


def trust():
    drawing = Drawing(
        "What a reader that pins keys believes",
        "The keys of the owners sign key documents, release statements and fresh statements. They travel with config "
        "through a bucket, a CDN and a network that nobody trusts. The app begins with a pinned key document, and never "
        "accepts a release below its floor.")
    drawing.lane(12, 96, "secret keys of the owners")
    columns = [(20, 142), (169, 142), (318, 142)]
    for (x, width), (name, line) in zip(columns, [("keys", "offline"), ("release", "for each release"), ("fresh", "every day")]):
        drawing.box(x, 46, width, name, line)
    drawing.lane(148, 222, "bucket, CDN, network: not trusted", is_below=True)
    for (x, width), lines in zip(columns, [
            ("key documents", "whose signatures", "count: 1, 2, 3 …"), ("release statement", "“this config is", "release 12”"),
            ("fresh statement", "“12 is still current", "until 15 December”")]):
        drawing.arrow((x + width / 2, 91), (x + width / 2, 164))
        drawing.text(x + width / 2 + 8, 128, "signs", "small")
        drawing.box(x, 166, width, *lines, kind="main")
    drawing.box(174, 272, 132, "config", "of release 12")
    drawing.box(20, 272, 62, "bundle")
    drawing.box(98, 272, 58, "index")
    drawing.arrow((240, 228), (240, 270), kind="names")
    drawing.arrow((389, 228), (389, 295), (308, 295), kind="names")
    drawing.arrow((174, 286), (158, 286), kind="names")
    drawing.arrow((98, 286), (84, 286), kind="names")
    drawing.text(20, 314, "each by its SHA-256", "small")
    drawing.arrow((240, 370), (240, 410))
    drawing.lane(412, 116, "an app that pins keys")
    drawing.box(28, 446, 198, "trusted key document", "the pinned one, then those", "that it leads to")
    drawing.box(254, 446, 198, "floor", "release 12: accepts", "no lower number")
    drawing.text(28, 556, "Whoever controls the middle can", "strong")
    drawing.text(28, 576, "keep news away, until the fresh statement ends: then “stale”", "small")
    drawing.text(28, 604, "and cannot", "strong")
    drawing.text(28, 624, "change a word, mix two releases, or go back to an older one", "small")
    return drawing.finished()


def main():
    drawings = {"concepts": concepts(), "fallback": fallback(), "lifetimes": lifetimes(), "trust": trust()}
    write_or_check({IMAGES / f"{name}.svg": text for name, text in drawings.items()}, "this script")


main()
