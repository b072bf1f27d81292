#!/usr/bin/env python3
"""Packs a release, signs its checksums, and installs and removes the program.

  Scripts/dist.py pack CONTENTC [--into FOLDER] [--sign KEY]     write the packages into dist/
  Scripts/dist.py sign SUMS KEY                                  sign a file of checksums
  Scripts/dist.py install CONTENTC [--prefix P] [--destdir D]    install below D/P
  Scripts/dist.py uninstall [--prefix P] [--destdir D]           remove what 'install' wrote

CONTENTC is the program that 'make release' has built, in the folder of the build: the objects beside it say what is
linked. Equal programs and equal commits give equal files. docs/start/install.md describes them.
"""

import argparse
import hashlib
import io
import json
import lzma
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import time

from distribution import Refusal, bill, components, debian, elf, layout, signature

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Debian's name of each architecture.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The files of a release.
PACKED = re.compile(
    r"contentc-.+\.tar\.xz|contentc_.+\.deb|contentc-.+\.cdx\.json|dist\.json|Package\.resolved|SHA256SUMS(\.sig)?")
# What 'install' writes for 'uninstall': a line for each file, and for each folder that it made, with '/' at its end.
MANIFEST = f"{layout.DOCUMENTS}/installed-files"


def archive(files, name, epoch):
    """Returns a compressed archive with one folder, sorted, of root, at one time."""
    folders = {str(parent) for path in files for parent in pathlib.PurePath(path).parents if str(parent) != "."}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folders | set(files) | {""}):
            entry = tarfile.TarInfo(f"{name}/{path}".rstrip("/"))
            entry.mtime = epoch
            entry.uname = entry.gname = "root"
            data = files.get(path)
            entry.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
            entry.mode = 0o755 if data is None else layout.mode(path)
            entry.size = len(data or b"")
            tar.addfile(entry, io.BytesIO(data or b""))
    # One stream of one block: threads would divide it.
    return lzma.compress(buffer.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def pack(arguments):
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        raise Refusal(f"there are no packages for the architecture {machine}")
    folder = pathlib.Path(arguments.into)
    folder.mkdir(parents=True, exist_ok=True)
    # Files of an earlier run would be uploaded with those of this one. Others may be of any worth, such as a key.
    old_files = contents(folder)
    for old in old_files:
        if old.is_dir() or not PACKED.fullmatch(old.name):
            raise Refusal(f"{folder} has '{old.name}', which 'pack' has not written: move it away, or name another folder")
    if arguments.sign:
        signature.check_key(arguments.sign)
    release = layout.CommittedRelease(arguments.program, os.environ)
    parts = components.everything(release.program, release.libraries)
    files = layout.installation(release, parts)
    if elf.names_folder(files[layout.PROGRAM], release.build_folder):
        raise Refusal(
            f"the program contains the path of its build, {release.build_folder}, so that a build in another folder "
            "gives another program")
    for old in old_files:
        old.unlink()
    name = f"contentc-{release.version}-linux-{machine}"
    (folder / f"{name}.tar.xz").write_bytes(archive(files, name, release.epoch))
    package = folder / f"contentc_{debian.version_of(release.version)}_{ARCHITECTURES[machine]}.deb"
    debian.build(files, parts, release, ARCHITECTURES[machine], package)
    write_json(folder / f"{name}.cdx.json", bill.bill(release, parts, files["bin/contentc"]))
    # The versions of all Swift packages, with which the same bytes can be built later.
    (folder / "Package.resolved").write_bytes(release.resolved_packages())
    write_json(folder / "dist.json", description(release, folder, machine))
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(f"{sha256(file)}  {file.name}\n" for file in contents(folder)))
    if arguments.sign:
        signature.sign(sums, arguments.sign)
    for file in contents(folder):
        print(f"{file.stat().st_size:>12,}  {file}")


def contents(folder):
    return sorted(folder.iterdir())


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write_json(file, value):
    file.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n")


def description(release, folder, machine):
    return {
        "architecture": machine,
        "commit": release.commit,
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
        "files": [
            {"name": file.name, "sha256": sha256(file), "size": file.stat().st_size} for file in contents(folder)],
        "format": 1,
        "glibc": elf.minimum_glibc(release.program),
        "isModified": release.is_modified,
        "libraries": elf.needed_libraries(release.program),
        "name": "contentc",
        "version": release.version,
    }


def sign(arguments):
    signature.sign(arguments.sums, arguments.key)


def places(arguments):
    """Returns the folder of DESTDIR, and the path of PREFIX below it."""
    prefix = pathlib.PurePath(arguments.prefix)
    if not prefix.is_absolute() or ".." in prefix.parts:
        raise Refusal(f"PREFIX is '{prefix}', not an absolute path")
    return pathlib.Path(arguments.destdir or "/").absolute(), prefix.relative_to("/")


def installed(base, prefix):
    """Returns the files and the folders that the manifest names; both are empty without one."""
    manifest = base / prefix / MANIFEST
    try:
        lines = [line for line in os.fsdecode(manifest.read_bytes()).split("\n") if line]
    except FileNotFoundError:
        lines = []
    except OSError as error:
        raise Refusal(f"{error.filename} cannot be read: {error.strerror}") from None
    files, folders = {line for line in lines if line[-1:] != "/"}, {line for line in lines if line[-1:] == "/"}
    for line in files | folders:
        path = pathlib.PurePath(line)
        is_own = path.is_relative_to(prefix) and (
            line in folders or layout.is_of_installation(str(path.relative_to(prefix))))
        if not (is_own or line in folders and prefix.is_relative_to(path)) or ".." in path.parts:
            raise Refusal(f"{manifest} names '{line}', which is not of this installation: nothing was changed")
    return files, folders


def install(arguments):
    base, prefix = places(arguments)
    release = layout.Release(arguments.program)
    parts = components.everything(release.program, release.libraries)
    files = {str(prefix / path): data for path, data in layout.installation(release, parts).items()}
    manifest = str(prefix / MANIFEST)
    old_files, folders = installed(base, prefix)
    try:
        for path in [*files, manifest]:
            for parent in list(pathlib.PurePath(path).parents)[-2::-1]:
                if not (base / parent).exists():
                    (base / parent).mkdir(parents=True)
                    # The umask of root may hide a folder from the users of the program.
                    (base / parent).chmod(0o755)
                    folders.add(f"{parent}/")
        # The manifest comes first: after an interruption, 'uninstall' removes what is there.
        write_manifest(base / manifest, {*files, manifest} | old_files | folders)
        for path, data in files.items():
            replace(base / path, data, layout.mode(path))
        for path in sorted(old_files - set(files) - {manifest}):
            (base / path).unlink(missing_ok=True)
        write_manifest(base / manifest, {*files, manifest} | folders)
    except OSError as error:
        raise Refusal(f"{error.filename} cannot be written: {error.strerror}") from None
    print(f"installed {len(files)} files below {base / prefix}")


def write_manifest(file, lines):
    replace(file, os.fsencode("".join(f"{line}\n" for line in sorted(lines))), 0o644)


def replace(file, data, mode):
    """Replaces a file whole: a running program keeps its own."""
    new = file.with_name(f".{file.name}.new")
    new.write_bytes(data)
    new.chmod(mode)
    new.replace(file)


def uninstall(arguments):
    base, prefix = places(arguments)
    files, folders = installed(base, prefix)
    if not files:
        raise Refusal(f"'make install' has installed nothing below {base / prefix}: {MANIFEST} is missing there")
    try:
        for path in sorted(files - {str(prefix / MANIFEST)}):
            (base / path).unlink(missing_ok=True)
        # The manifest is the last file, so that an interrupted run can be repeated.
        (base / prefix / MANIFEST).unlink()
        for path in sorted(folders, key=lambda path: path.count("/"), reverse=True):
            # Others have put files into a folder that is not empty.
            if (base / path).is_dir() and not any((base / path).iterdir()):
                (base / path).rmdir()
    except OSError as error:
        raise Refusal(f"{error.filename} cannot be removed: {error.strerror}") from None
    print(f"removed {len(files) - 1} files below {base / prefix}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("pack")
    command.add_argument("program", metavar="CONTENTC")
    command.add_argument("--into", default=ROOT / "dist", metavar="FOLDER")
    command.add_argument("--sign", metavar="KEY")
    command.set_defaults(perform=pack)
    command = commands.add_parser("sign")
    command.add_argument("sums", metavar="SUMS")
    command.add_argument("key", metavar="KEY")
    command.set_defaults(perform=sign)
    for name, perform in (("install", install), ("uninstall", uninstall)):
        command = commands.add_parser(name)
        if name == "install":
            command.add_argument("program", metavar="CONTENTC")
        command.add_argument("--prefix", default="/usr/local", metavar="P")
        command.add_argument("--destdir", default="", metavar="D")
        command.set_defaults(perform=perform)
    arguments = parser.parse_args()
    # Foreign programs print what is read in the user's language otherwise.
    os.environ["LC_ALL"] = "C.UTF-8"
    os.environ.pop("LANGUAGE", None)
    try:
        arguments.perform(arguments)
    except Refusal as refusal:
        sys.exit(f"{parser.prog}: {refusal}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{parser.prog}: '{error.cmd[0]}' has failed: {(error.stderr or '').strip()}")


if __name__ == "__main__":
    main()
