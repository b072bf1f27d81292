"""The pictures of the documentation can be taken and are not blank."""

import struct
import tempfile
import zlib
from pathlib import Path

from pictures import SIZES, take


def size_and_pixels(picture):
    """Width and height, and the filtered rows: a plain row is zero except for its first pixel."""
    data, at, size, packed = picture.read_bytes(), 8, None, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{picture.name} is no PNG"
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            size = struct.unpack(">II", data[at + 8:at + 16])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    return size, zlib.decompress(packed)


def takes_the_pictures_of_the_documentation(viewer):
    with tempfile.TemporaryDirectory(prefix="contentc-pictures.") as folder:
        take(viewer, folder)
        assert sorted(file.name for file in Path(folder).iterdir()) == sorted(f"{name}.png" for name in SIZES)
        for name, expected in SIZES.items():
            size, pixels = size_and_pixels(Path(folder) / f"{name}.png")
            assert size == expected, f"{name}.png is {size}"
            drawn = 1 - pixels.count(0) / len(pixels)
            assert drawn > 0.01, f"{name}.png is blank but for {drawn:.2%}"


def are_those_that_the_documentation_shows(viewer):
    documentation = Path(__file__).parents[3] / "docs"
    text = (documentation / "guides/preview.md").read_text(encoding="utf-8")
    assert sorted(file.name for file in (documentation / "images").glob("*.png")) == sorted(f"{name}.png" for name in SIZES)
    for name, expected in SIZES.items():
        assert f"(../images/{name}.png)" in text, f"{name}.png is not shown"
        assert size_and_pixels(documentation / "images" / f"{name}.png")[0] == expected, f"{name}.png is to be taken again"


CHECKS = [takes_the_pictures_of_the_documentation, are_those_that_the_documentation_shows]
