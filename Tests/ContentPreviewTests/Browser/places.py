"""A project of stores on a map, and of articles in Markdown, made by the tests."""

import random
import struct
import zlib

COUNT = 3_000
MAX, MINIMUM_TILE = 60, 20
# Clusters have a centre and a spread in degrees. Berlin's stores are for readers in Germany; Kyoto's are too dense for
# `minimumTile`.
CLUSTERS = [(48.8566, 2.3522, 3.0, 900), (51.5, -0.12, 2.0, 600), (35.68, 139.69, 4.0, 500), (-33.87, 151.21, 6.0, 300),
            (40.71, -74.0, 5.0, 400), (52.52, 13.405, 0.01, 150), (35.01, 135.77, 0.01, 100)]

PROJECT = f"""app: places
sourceLocale: en
locales: [en, de, ar]
devices:
  phone: {{}}
  tablet: {{}}
bundles:
  home: {{include: screen/*, startup: true}}
  stores: {{include: store/*, split: place, max: {MAX}, minimumTile: {MINIMUM_TILE}km}}
  articles: {{include: article/*}}
channels:
  qa: {{target: site}}
"""

ARTICLE = """title: How to press flowers
image: petal.png
body: |
  Pressing takes *two weeks* and **no skill**. See [the store](store/s0007), or write to
  [us](mailto:hello@places.example).

  ## You need

  1. blotting paper, `120 g`
  2. a heavy book, or [a press](https://example.com/press)
     - with ~~three~~ four screws
     - and two boards

  > Patience.
  >
  > Much of it.

  ![a petal](petal.png)

  ```swift
  press(flower, for: .weeks(2))
  ```

  | flower | days | hue |
  |:-------|-----:|:---:|
  | rose   |   14 | red |
  | iris   |   10 | **blue** |

  ---

  ### At the end

  A line  
  and another one.
"""

GERMAN = """title: Blumen pressen
"""

ARABIC = """title: ضغط الزهور
body: |
  يستغرق الضغط *أسبوعين*. اكتب `press()` أولًا.

  ## ما تحتاجه

  - ورق نشاف
  - كتاب ثقيل
"""


def stores(seed=7):
    """Returns the position of each store by id, rounded as the compiler rounds."""
    randomness = random.Random(seed)
    places = []
    for latitude, longitude, spread, count in CLUSTERS:
        places += [(randomness.gauss(latitude, spread), randomness.gauss(longitude, spread)) for _ in range(count)]
    # Beyond the map's edges, on both sides of 180°, and several in one point.
    places += [(90, 0), (-90, 0), (86.5, 10), (10, 180), (10, -180), (10, 179.99), (10, -179.99)] + [(0, 0)] * 5
    while len(places) < COUNT:
        places.append((randomness.uniform(-70, 75), randomness.uniform(-180, 180)))
    return {f"store/s{i:04}": (round(latitude, 6), round(longitude, 6)) for i, (latitude, longitude) in enumerate(places)}


def german():
    """Returns the ids of the stores for readers in Germany."""
    return {f"store/s{i:04}" for i in range(2_700, 2_850)}


def picture():
    """Returns a PNG of 2 by 2 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + b"\xd0\x40\x70" * 2 for _ in range(2))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def write(folder):
    """Writes the project's content folder."""
    only_german = german()
    entries = "".join(f"{name.split('/')[1]}:\n  title: Store {name[-4:]}\n" + ("  when: {country: [DE]}\n" if name in only_german else "")
                      + f"  place: {{latitude: {latitude}, longitude: {longitude}}}\n"
                      for name, (latitude, longitude) in stores().items())
    files = {
        "content.yaml": PROJECT,
        "datatypes/store.yaml": "fields:\n  title: string\n  place: place\n",
        "datatypes/article.yaml": "fields:\n  title: {type: string, localized: true}\n  image: asset\n  body: {type: markdown, localized: true, page: true, tables: true, strikethrough: true}\n  note: markdown\n",
        "datatypes/screen.yaml": "fields:\n  title: string\n  elements: {type: list, of: {type: object, fields: {id: string, type: string, title: string, value: markdown, action: url}}}\n",
        "entries/screen/home.yaml": "title: Places\nelements:\n  - {id: hello, type: paragraph, title: Hello, value: 'Find *us* [here](store/s0001)'}\n"
                                    "  - {id: press, type: row, title: How to press flowers, action: article/press}\n",
        "entries/article/press.yaml": ARTICLE, "entries/article/press.de.yaml": GERMAN, "entries/article/press.ar.yaml": ARABIC,
        "entries/store.yaml": entries,
    }
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "assets").mkdir(exist_ok=True)
    (folder / "assets/petal.png").write_bytes(picture())
