"""ELF files: what a program needs, and bytes that do not depend on the folder of the build."""

import hashlib
import os
import pathlib
import platform
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


def without_path_lengths(program):
    """Returns the bytes of a program in which no call passes the length of a source's path.

    For `withoutActuallyEscaping`, Swift's optimizing compiler passes an empty string as the source's path, but the length
    of the whole path with it (IRGenFunction::emitIsEscapingClosureCall). The function that is called needs both only to
    report a mistake. Packages that contentc does not own use it, too. On x86_64 only.
    """
    data = bytearray(pathlib.Path(program).read_bytes())
    listed = subprocess.run(["nm", program], check=True, capture_output=True, text=True, errors="replace").stdout
    function = re.search(r"(?m)^(\w+) [Tt] swift_isEscapingClosureAtFileLocation$", listed)
    headers = subprocess.run(
        ["readelf", "--section-headers", "--wide", program], check=True, capture_output=True, text=True).stdout
    text = re.search(r" \.text +PROGBITS +(\w+) (\w+) (\w+)", headers)
    if platform.machine() != "x86_64" or not function or not text:
        return bytes(data)
    address, start, size = (int(word, 16) for word in text.groups())
    # The file's offsets of code and read-only data differ from their addresses by a number for each section.
    bases = [tuple(int(word, 16) for word in found) for found in re.findall(r" PROGBITS +(\w+) (\w+) (\w+)", headers)]
    for call in re.finditer(rb"\xe8", data[start:start + size - 4]):
        after = address + call.start() + 5
        if after + struct.unpack_from("<i", data, start + call.start() + 1)[0] != int(function[1], 16):
            continue
        # `lea string(%rip), %rsi`, then `mov $length, %edx`, both within the few instructions before the call.
        begin = start + max(0, call.start() - 40)
        window = bytes(data[begin:start + call.start()])
        found = list(re.finditer(rb"\x48\x8d\x35(....).{0,6}?\xba(..\x00\x00)", window, re.DOTALL))
        if not found:
            continue
        string, length = found[-1].span(1), found[-1].span(2)
        target = address + begin - start + string[1] + struct.unpack_from("<i", window, string[0])[0]
        place = next((offset + target - base for base, offset, count in bases if base <= target < base + count), None)
        if place is not None and data[place] == 0:
            data[begin + length[0]:begin + length[1]] = bytes(4)
    return bytes(data)


def stripped(program, work):
    """Returns the bytes of a program without symbols and debug information; `work` is a folder for files."""
    whole, copy = pathlib.Path(work) / "whole", pathlib.Path(work) / "stripped"
    whole.write_bytes(without_path_lengths(program))
    removed = [f"--remove-section={name}" for name in FOR_DEBUGGERS]
    subprocess.run(["strip", *removed, "-o", copy, whole], check=True)
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
