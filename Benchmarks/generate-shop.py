#!/usr/bin/env python3
"""Writes a made-up flower shop in contentc's format: equal arguments give equal files, with any Python 3.

Datatypes are aisles of 500 products, each of which is one bundle. Products have a file each; translations share one
file per aisle and locale, and device overrides one per aisle and device. 60 % of the strings are translated, at random;
20 % of the products differ on some device.
"""

import argparse
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
AISLE = 500
# A shop with few locales takes the first ones.
LOCALES = (
    "en fr de ja fr-CA es es-419 es-MX pt-BR pt-PT nb it nl sv da fi pl cs sk hu ro hr sl et lv lt el tr ru uk bg ar "
    "he hi th vi id ko zh-Hans zh-Hant"
).split()
DEVICES = ["phone", "tablet", "ipad"]
SIZES = {"S": (500, 40), "M": (5_000, 40), "L": (50_000, 4)}
WITHOUT_SPACES = {"ja", "th", "zh-Hans", "zh-Hant"}
BADGES = ["new", "sale", "gift", "local"]
COLORS = ["#C2185B", "#2F5D50", "#F2E8CF", "#FFB703", "#8ECAE6", "#D62828", "#6A4C93", "#386641"]
TAGS = (
    "spring summer autumn winter roses tulips lilies peonies mixed potted dried scented wedding birthday thanks"
).split()

DATATYPE = """\
ttl: 1h
fields:
  title: {type: string, required: true, localized: true, minLength: 2, maxLength: 120}
  subtitle: {type: string, localized: true, maxLength: 200}
  description: {type: text, localized: true, maxLength: 900}
  care: {type: text, localized: true, maxLength: 600}
  price: {type: number, required: true, min: 0}
  color: {type: color, required: true}
  image: {type: string, required: true}
  link: {type: url}
  available: {type: boolean, default: true}
  introduced: {type: date}
  tags: {type: list, of: {type: string}}
  badges:
    type: list
    of:
      type: object
      fields:
        id: {type: string, required: true}
        label: {type: string, localized: true, maxLength: 60}
        height: {type: integer, min: 10, max: 90}
"""


class Language:
    """The words of one language, and how they are put together."""

    def __init__(self, name, stop, stems, endings):
        self.words = [stem + ending for stem in stems for ending in endings]
        self.space = "" if name in WITHOUT_SPACES else " "
        self.stop = stop

    def phrase(self, rng, words):
        """So many words, the first with a capital."""
        text = self.space.join(rng.choices(self.words, k=words))
        return text[0].upper() + text[1:]

    def sentences(self, rng, count):
        return (self.space or " ").join(self.phrase(rng, 4 + draw(rng, 5)) + self.stop for _ in range(count))


def languages():
    found = {}
    for line in (HERE / "words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, stop, stems, endings = (part.strip() for part in line.split("|"))
        endings = ["" if ending == "-" else ending for ending in endings.split()]
        found[name] = Language(name, "" if stop == "-" else stop, stems.split(), endings)
    return found


def language(found, locale):
    return found.get(locale) or found[locale.split("-")[0]]


def draw(rng, below):
    """A whole number. `randrange` differs between versions of Python, `random` does not."""
    return int(rng.random() * below)


def folded(text, width=96):
    """A block scalar of several lines, as editors write longer texts."""
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [">-"] + ["  " + line for line in lines]


def base(rng, words, aisle, name, badges):
    first, second, third = (TAGS[draw(rng, 5)], TAGS[5 + draw(rng, 5)], TAGS[10 + draw(rng, 5)])
    instant = (
        f"20{20 + draw(rng, 7)}-{1 + draw(rng, 12):02d}-{1 + draw(rng, 28):02d}"
        f"T{draw(rng, 24):02d}:{draw(rng, 12) * 5:02d}:00Z"
    )
    lines = [
        f"title: {words.phrase(rng, 3)} No. {draw(rng, 900) + 100}",
        f'subtitle: "{words.phrase(rng, 5)}: {5 + draw(rng, 36)} stems"',
        "description: " + "\n".join(folded(words.sentences(rng, 2))),
        f"care: {words.sentences(rng, 2)}",
        f"price: {(900 + draw(rng, 19000)) / 100:.2f}",
        f'color: "{COLORS[draw(rng, len(COLORS))]}"',
        f"image: {aisle}/{name}.webp",
        f"link: https://example.com/{aisle}/{name}",
        f"available: {'true' if rng.random() < 0.9 else 'false'}",
        f"introduced: {instant}",
        f"tags: [{first}, {second}, {third}]",
        "badges:",
    ]
    for badge in badges:
        lines.append(f"  - {{id: {badge}, label: {words.phrase(rng, 2)}, height: {20 + draw(rng, 41)}}}")
    return "\n".join(lines) + "\n"


def translation(rng, words, badges):
    """The lines of one product in a locale's file; none without a translated string."""
    lines = []
    if rng.random() < 0.6:
        lines.append(f"  title: {words.phrase(rng, 3)} {draw(rng, 900) + 100}")
    if rng.random() < 0.6:
        lines.append(f'  subtitle: "{words.phrase(rng, 5)}: {5 + draw(rng, 36)}"')
    if rng.random() < 0.6:
        lines.append(f"  description: {words.sentences(rng, 2)}")
    if rng.random() < 0.6:
        lines.append(f"  care: {words.sentences(rng, 2)}")
    labels = [f"{{id: {badge}, label: {words.phrase(rng, 2)}}}" for badge in badges if rng.random() < 0.6]
    if labels:
        lines.append(f"  badges: [{', '.join(labels)}]")
    return lines


def override(rng, words, aisle, name, badges, device):
    """The lines of one product in a device's file."""
    lines = [f"  image: {aisle}/{name}-{device}.webp"]
    if rng.random() < 0.5:
        lines.append(f"  title: {words.phrase(rng, 4)}")
    if rng.random() < 0.5:
        lines.append(f"  badges: [{{id: {badges[0]}, height: {61 + draw(rng, 30)}}}]")
    return lines


def write_aisle(out, number, products, locales, found):
    """Everything of one aisle, on which the shop's other aisles do not depend."""
    aisle = f"aisle-{number:03d}"
    rng = random.Random(f"flowers {aisle}")
    entries = out / "entries"
    (entries / aisle).mkdir()
    (out / "datatypes" / f"{aisle}.yaml").write_text(DATATYPE, encoding="utf-8")
    sides = {f".{locale}": [] for locale in locales[1:]} | {f"@{device}": [] for device in DEVICES}
    for product in products:
        name = f"p{product:05d}"
        first = draw(rng, len(BADGES))
        badges = [BADGES[first], BADGES[(first + 1 + draw(rng, len(BADGES) - 1)) % len(BADGES)]]
        (entries / aisle / f"{name}.yaml").write_text(base(rng, found["en"], aisle, name, badges), encoding="utf-8")
        if rng.random() < 0.2:
            device = DEVICES[draw(rng, len(DEVICES))]
            sides[f"@{device}"] += [f"{name}:"] + override(rng, found["en"], aisle, name, badges, device)
        for locale in locales[1:]:
            lines = translation(rng, language(found, locale), badges)
            if lines:
                sides[f".{locale}"] += [f"{name}:"] + lines
    for suffix, lines in sides.items():
        (entries / f"{aisle}{suffix}.yaml").write_text("\n".join(lines or ["{}"]) + "\n", encoding="utf-8")


def project(aisles, locales, output_format):
    lines = ["app: bench", "sourceLocale: en", f"locales: [{', '.join(locales)}]"]
    lines += ["devices: {phone: {}, tablet: {}, ipad: {parent: tablet}}", f"format: {output_format}"]
    lines += ["ttl: {app: 10m, edge: 5m, origin: 0s}", "bundles:"]
    lines += [f"  aisle-{aisle:03d}: {{include: aisle-{aisle:03d}/*}}" for aisle in range(aisles)]
    return "\n".join(lines + ["channels:", "  production: {target: site}"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="S")
    parser.add_argument("--products", type=int, help="in place of the size's")
    parser.add_argument("--locales", type=int, help="in place of the size's")
    parser.add_argument("--format", default="binary", help="that of the bundles")
    parser.add_argument("out", type=pathlib.Path, help="the content folder to make")
    options = parser.parse_args()
    products = options.products or SIZES[options.size][0]
    count = options.locales or SIZES[options.size][1]
    if count > len(LOCALES):
        parser.error(f"at most {len(LOCALES)} locales")
    locales = LOCALES[:count]
    aisles = (products + AISLE - 1) // AISLE
    out = options.out
    (out / "datatypes").mkdir(parents=True)
    (out / "entries").mkdir()
    (out / "content.yaml").write_text(project(aisles, locales, options.format), encoding="utf-8")
    found = languages()
    for aisle in range(aisles):
        numbers = range(aisle * AISLE, min(products, (aisle + 1) * AISLE))
        write_aisle(out, aisle, numbers, locales, found)


if __name__ == "__main__":
    main()
