#!/usr/bin/env python3
"""Writes a made-up shop in contentc's format: equal arguments give equal files.

60 % of the products' texts are translated, per locale and at random; 20 % of the products differ on some device.
"""

import argparse
import hashlib
import pathlib
import random

LOCALES = (
    "en fr fr-CA de es es-MX pt-BR it ja ar nl sv da nb fi pl cs sk hu ro bg el tr uk ru he hi th vi id ms ko "
    "zh-Hans zh-Hant ca hr sl et lv lt"
).split()
DEVICES = {"phone": None, "tablet": None, "ipad": "tablet", "tv": None, "watch": None}
BUNDLE_SIZE = 500

ADJECTIVES = "Country Garden Morning Evening Spring Summer Autumn Winter Royal Wild Velvet Sunny Quiet Golden".split()
FLOWERS = "Rose Tulip Lily Peony Orchid Daisy Iris Dahlia Freesia Anemone Ranunculus Hydrangea Sunflower Poppy".split()
KINDS = "Basket Bouquet Wreath Arrangement Posy Box Vase Bunch".split()
COLORS = ["white", "cream", "coral", "crimson", "violet", "blush", "amber", "sky blue"]
CARE = [
    "Keep cool and out of direct sun.",
    "Cut the stems at an angle every other day.",
    "Change the water daily: it keeps for ten days.",
    "Water sparingly; never let it stand in water.",
]
# Not translations anyone would print, but of the right length and script for what is measured.
WORDS = {
    "fr": "panier champêtre bouquet de roses fraîches livré à la main aujourd’hui".split(),
    "de": "Frühlingsstrauß mit frischen Blüten heute von Hand gebunden für Sie".split(),
    "es": "cesta campestre con rosas frescas entregada hoy en su casa".split(),
    "ja": "花束 季節の バラ 贈り物 新鮮な 春の かご 手作り".split(),
    "ar": "باقة ورد طازجة هدية الربيع سلة زهور يدوية".split(),
    "zh-Hant": "花束 玫瑰 新鮮 春天 禮物 手工 花籃".split(),
    "ru": "букет свежих роз корзина весенних цветов подарок".split(),
}


def identifier(number):
    """The bundle's folder, and the rest of the product's id."""
    return f"b{number // BUNDLE_SIZE:03d}/p-{number:05d}"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def phrase(rng, locale, count):
    words = WORDS.get(locale) or WORDS.get(locale.split("-")[0]) or WORDS["fr"]
    return " ".join(rng.choice(words) for _ in range(count)) + f" ({locale})"


def base(rng, number):
    title = f"{rng.choice(ADJECTIVES)} {rng.choice(FLOWERS)} {rng.choice(KINDS)} No. {number}"
    colors = rng.sample(COLORS, 3)
    lines = [
        f"title: {quoted(title)}",
        f"subtitle: {quoted(f'With {rng.randint(5, 40)} stems in {colors[0]} and {colors[1]}')}",
        f"price: {rng.randint(900, 19900) / 100:.2f}",
        f"stock: {rng.randint(0, 400)}",
        f"available: {rng.choice(['true', 'false'])}",
        f"care: {quoted(' '.join(rng.sample(CARE, 2)))}",
        f"tags: [{', '.join(quoted(color) for color in colors)}]",
        "badges:",
    ]
    for badge in rng.sample(["new", "sale", "gift", "local"], 2):
        label = quoted(badge.capitalize() + " for you")
        lines.append(f"  - {{id: {badge}, label: {label}, height: {rng.randint(20, 60)}}}")
    return "\n".join(lines) + "\n", [line.split("id: ")[1].split(",")[0] for line in lines if "id: " in line]


def translation(rng, locale, badges):
    lines = []
    if rng.random() < 0.6:
        lines.append(f"  title: {quoted(phrase(rng, locale, 4))}")
    if rng.random() < 0.6:
        lines.append(f"  subtitle: {quoted(phrase(rng, locale, 8))}")
    if rng.random() < 0.6:
        lines.append(f"  care: {quoted(phrase(rng, locale, 14))}")
    labels = [f"{{id: {badge}, label: {quoted(phrase(rng, locale, 2))}}}" for badge in badges if rng.random() < 0.6]
    if labels:
        lines.append(f"  badges: [{', '.join(labels)}]")
    return lines


def device_override(rng, badges):
    lines = [f"stock: {rng.randint(0, 400)}"]
    if rng.random() < 0.5:
        lines.append(f"badges: [{{id: {badges[0]}, height: {rng.randint(61, 90)}}}]")
    return "\n".join(lines) + "\n"


def project(products, locales, devices):
    folders = range((products + BUNDLE_SIZE - 1) // BUNDLE_SIZE)
    lines = ["app: bench", "sourceLocale: en", f"locales: [{', '.join(locales)}]", "devices:"]
    for device in devices:
        parent = DEVICES[device]
        lines.append(f"  {device}: {{{f'parent: {parent}' if parent else ''}}}")
    lines += ["ttl: {app: 10m, edge: 5m, origin: 0s}", "bundles:"]
    lines += [f"  shop-{folder:03d}: {{include: product/b{folder:03d}/*}}" for folder in folders]
    lines += ["channels:", "  production: {target: site}"]
    return "\n".join(lines) + "\n"


DATATYPE = """\
ttl: 1h
fields:
  title: {type: string, required: true, localized: true}
  subtitle: {type: string, localized: true}
  price: {type: number, required: true, min: 0}
  stock: {type: integer, min: 0}
  available: {type: boolean}
  care: {type: text, localized: true}
  tags: {type: list, of: {type: string}}
  badges:
    type: list
    of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}, height: {type: integer}}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--products", type=int, required=True)
    parser.add_argument("--locales", type=int, default=10)
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--seed", default="flowers")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    locales = LOCALES[: options.locales]
    devices = list(DEVICES)[: options.devices]
    if len(locales) < options.locales or len(devices) < options.devices:
        parser.error(f"at most {len(LOCALES)} locales and {len(DEVICES)} devices")

    out = options.out
    (out / "datatypes").mkdir(parents=True)
    (out / "content.yaml").write_text(project(options.products, locales, devices), encoding="utf-8")
    (out / "datatypes" / "product.yaml").write_text(DATATYPE, encoding="utf-8")
    overlays = {locale: [] for locale in locales[1:]}
    for number in range(options.products):
        rng = random.Random(hashlib.sha256(f"{options.seed} {number}".encode()).digest())
        name = identifier(number)
        path = out / "entries" / "product" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        text, badges = base(rng, number)
        path.write_text(text, encoding="utf-8")
        for locale, lines in overlays.items():
            fields = translation(rng, locale, badges)
            if fields:
                lines += [f"{name}:"] + fields
        if rng.random() < 0.2:
            device = rng.choice(devices)
            path.with_name(f"p-{number:05d}@{device}.yaml").write_text(device_override(rng, badges), encoding="utf-8")
    for locale, lines in overlays.items():
        text = "\n".join(lines) + "\n" if lines else "{}\n"
        (out / "entries" / f"product.{locale}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
