"""ELF files: what a program needs, and bytes that do not depend on the folder of the build."""

import hashlib
import os
import pathlib
import re
import struct
import subprocess

from . import Refusal

BUILD_ID = ".note.gnu.build-id"
# The hash of each module's intermediate code, in which the paths of debug information count. Only the compiler reads it.
MODULE_HASHES = ".swift_modhash"

# Sections that 'strip' keeps: the compilers' names, and the module for LLDB, which has the folder of the build.
FOR_DEBUGGERS = [".comment", ".swift_ast"]


def sections(data):
    """Returns the offset and the size of each section of a 64-bit little-endian ELF file, by name."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise Refusal("the program is no 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + index * size) for index in range(count)]
    start = headers[names][4]
    found = {}
    for name, kind, _, _, offset, length in headers:
        text = data[start + name:data.index(b"\0", start + name)].decode()
        # A section without bytes in the file (NOBITS) has nothing to change.
        if kind != 8:
            found[text] = (offset, length)
    return found


def with_identity_of_contents(data):
    """Returns a stripped program whose build ID is the hash of its contents.

    The linker hashes debug information, too, which contains the folder of the build. contentc identifies itself by its
    build ID, so equal programs must have equal ones, and different programs different ones.
    """
    places = sections(data)
    if BUILD_ID not in places:
        raise Refusal("the program has no build ID, by which contentc identifies itself: link it with --build-id")
    data = bytearray(data)
    if MODULE_HASHES in places:
        offset, length = places[MODULE_HASHES]
        data[offset:offset + length] = bytes(length)
    offset, length = places[BUILD_ID]
    name_size, hash_size, _ = struct.unpack_from("<III", data, offset)
    start = offset + 12 + (name_size + 3 & ~3)
    if hash_size > 32 or start + hash_size > offset + length:
        raise Refusal("the build ID of the program is damaged")
    data[start:start + hash_size] = bytes(hash_size)
    data[start:start + hash_size] = hashlib.sha256(data).digest()[:hash_size]
    return bytes(data)


def stripped(program, work):
    """Returns the bytes of a program without symbols and debug information; `work` is a folder for a file."""
    copy = pathlib.Path(work) / "stripped"
    removed = [f"--remove-section={name}" for name in FOR_DEBUGGERS]
    subprocess.run(["strip", *removed, "-o", copy, program], check=True)
    return with_identity_of_contents(copy.read_bytes())


def names_folder(data, folder):
    """Whether bytes of a program contain the path of a file below a folder, such as one of its sources."""
    return re.search(rb"(?<![\w./-])" + re.escape(os.fsencode(folder)) + b"/", data) is not None


def needed_libraries(program):
    """Returns the sorted names of the libraries that the loader must find."""
    text = subprocess.run(["readelf", "--dynamic", "--wide", program], check=True, capture_output=True, text=True).stdout
    return sorted(re.findall(r"\(NEEDED\).*\[(.+)\]", text))


def minimum_glibc(program):
    """Returns the lowest version of glibc that has all symbols which the program uses."""
    text = subprocess.run(
        ["readelf", "--version-info", "--wide", program], check=True, capture_output=True, text=True).stdout
    versions = re.findall(r"Name: GLIBC_(\d+(?:\.\d+)+)", text)
    if not versions:
        raise Refusal("the program names no version of glibc")
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def symbols(path, *options):
    """Returns the names of the strong symbols that a program or an archive defines."""
    text = subprocess.run(
        ["nm", "--defined-only", "--format=posix", *options, path], check=True, capture_output=True, text=True,
        errors="replace").stdout
    return {line.split(" ", 1)[0] for line in text.splitlines() if re.search(r" [TtDdRrBb] ", line)}
