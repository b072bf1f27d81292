#!/usr/bin/env python3
"""Writes what is read and written by the benchmark; the same files on every machine.

`served.json`: 500 flowers as a web service of 2010 sends them, 366 to 388 kB. `bundle.json` and `large.json`: bundles as
contentc makes them, of 300 kB and 2 MB as binary property lists.
"""

import json
import pathlib
import random
import sys

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
FRENCH = "panier champêtre bouquet de roses fraîches livré à la main aujourd’hui".split()


def flower(rng, number):
    title = f"{rng.choice(ADJECTIVES)} {rng.choice(FLOWERS)} {rng.choice(KINDS)}"
    size = {"name": "Standard", "price": rng.randint(1900, 9900) / 100, "height": rng.randint(20, 60)}
    return {
        "productId": 40_000 + number,
        "sku": f"FL-{number:05d}-{rng.randint(10, 99)}",
        "name": title,
        "shortDescription": f"{title} in {rng.choice(COLORS)} and {rng.choice(COLORS)}",
        "description": f"<p>A {rng.choice(ADJECTIVES).lower()} gift: {' '.join(rng.sample(CARE, 3))}</p>\n<p>{phrase(rng, 7)}</p>",
        "price": size["price"],
        "salePrice": round(size["price"] * 0.9, 2),
        "currency": "USD",
        "available": rng.random() < 0.8,
        "rating": rng.randint(20, 50) / 10,
        "reviewCount": rng.randint(0, 400),
        "thumbnail": f"http://images.example.com/products/{number:05d}_t.jpg",
        "image": f"http://images.example.com/products/{number:05d}_l.jpg",
        "categories": rng.sample(["birthday", "sympathy", "romance", "thanks", "newborn"], 2),
        "sizes": [size, {"name": "Deluxe", "price": size["price"] + 10.0, "height": size["height"] + 12}],
        "deliveryDates": [f"2010-0{rng.randint(1, 9)}-{rng.randint(10, 28)}" for _ in range(2)],
    }


def phrase(rng, count):
    return " ".join(rng.choice(FRENCH) for _ in range(count))


def product(rng, number):
    colors = rng.sample(COLORS, 3)
    return {
        "title": f"{rng.choice(ADJECTIVES)} {rng.choice(FLOWERS)} {rng.choice(KINDS)} No. {number}",
        "subtitle": phrase(rng, 8) if rng.random() < 0.6 else f"With {rng.randint(5, 40)} stems in {colors[0]}",
        "price": rng.randint(900, 19900) / 100,
        "stock": rng.randint(0, 400),
        "available": rng.random() < 0.5,
        "care": phrase(rng, 14) if rng.random() < 0.6 else " ".join(rng.sample(CARE, 2)),
        "tags": colors,
        "badges": [
            {"id": badge, "label": phrase(rng, 2), "height": rng.randint(20, 60)}
            for badge in rng.sample(["new", "sale", "gift", "local"], 2)
        ],
    }


def bundle(rng, count):
    names = [f"product/flower-{number:04d}" for number in range(count)]
    entries = {
        name: {"datatype": "product", "ttl": 3600, "content": product(rng, number)} for number, name in enumerate(names)
    }
    return {"format": 1, "bundle": "catalog", "order": names, "entries": entries}


def main():
    folder = pathlib.Path(sys.argv[1])
    served = {"status": "ok", "total": 500, "products": [flower(random.Random(n), n) for n in range(500)]}
    values = {"served": served, "bundle": bundle(random.Random(1), 750), "large": bundle(random.Random(2), 5_200)}
    for name, value in values.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}.json: {len(text.encode())} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
