#!/usr/bin/env python3
"""Writes Sources/TimeZoneData/zones.bin from the time zone database of time-zones.txt.

usage: generate-time-zones.py [--check]

With --check, nothing is written: the script fails if the file is not that of the database. Equal input gives equal
bytes. A newer release needs another version and hash in time-zones.txt, and the zones that it changes in
FoundationTimeZoneTests.

The file begins with the release in 8 bytes, the number of names in 2, and the width of a name in 2. A record for each
name follows, sorted by name: the name, the offset of its zone in the file in 4 bytes, the length of the zone in 2.
Names and release are padded with NUL, and all numbers are big-endian. Zones come last, each once: links of the database
share one. A zone is the second part of a TZif file (RFC 9636), with times of 64 bits: header, data block and footer.
"""
import struct
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
OUTPUT = PROJECT / "Sources" / "TimeZoneData" / "zones.bin"
HEADER = struct.Struct(">4sc15x6L")


def package():
    """The folder of the package and the release in it."""
    install = PROJECT / "Scripts" / "install-time-zones.sh"
    python = subprocess.check_output([install, PROJECT / ".build" / "tools" / "tzdata"], text=True).strip()
    script = "import tzdata; print(tzdata.__path__[0]); print(tzdata.IANA_VERSION)"
    folder, release = subprocess.check_output([python, "-c", script], text=True).splitlines()
    return Path(folder), release


def length(bytes, start, time):
    """The length of a header and its data block, whose times have `time` bytes."""
    magic, version, isut, isstd, leap, times, types, characters = HEADER.unpack_from(bytes, start)
    if magic != b"TZif" or version < b"2" or leap:
        sys.exit("a file is no TZif file of version 2 or later, or has leap seconds")
    return HEADER.size + times * (time + 1) + types * 6 + characters + leap * (time + 4) + isstd + isut


def zone(file):
    """The part of a file that has times of 64 bits."""
    bytes = file.read_bytes()
    second = bytes[length(bytes, 0, 4) :]
    footer = second[length(second, 0, 8) :]
    if not (footer.startswith(b"\n") and footer.endswith(b"\n") and footer.count(b"\n") == 2):
        sys.exit(f"{file}: the footer is not one line")
    return second


def generated():
    folder, release = package()
    names = (folder / "zones").read_text(encoding="ascii").split()
    zones = {name.encode("ascii"): zone(folder / "zoneinfo" / name) for name in names}
    width = max(map(len, zones))
    records, bodies, offsets = b"", b"", {}
    start = 12 + len(zones) * (width + 6)
    for name, body in sorted(zones.items()):
        if body not in offsets:
            offsets[body] = start + len(bodies)
            bodies += body
        records += name.ljust(width, b"\0") + struct.pack(">LH", offsets[body], len(body))
    return release.encode("ascii").ljust(8, b"\0") + struct.pack(">HH", len(zones), width) + records + bodies


def main():
    bytes = generated()
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.read_bytes() != bytes:
            sys.exit(f"{OUTPUT.relative_to(PROJECT)} is not that of time-zones.txt: run Scripts/generate-time-zones.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        OUTPUT.write_bytes(bytes)


if __name__ == "__main__":
    main()
