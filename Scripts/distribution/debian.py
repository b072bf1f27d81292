"""The Debian package."""

import hashlib
import os
import pathlib
import subprocess
import tempfile
import textwrap
import time

from . import layout

PACKAGE = "contentc"
MAINTAINER = "contentc maintainers <maintainers@contentc.example>"
SUMMARY = "compile an app's content, and publish it as plain files"
DESCRIPTION = """\
contentc compiles content in YAML (products, screens, texts, settings) into property lists for each locale and device.
The output is plain files, which any web server or CDN delivers. A mistake in content is an error with a place. A
publication is one swap, and one command brings an earlier release back.
"""
# Each tag with its reason.
OVERRIDES = """\
# The program also runs on other systems than Debian, so it contains these libraries. The bill of materials of a release
# names their versions, and a security update of one of them is a reason for a release.
contentc: embedded-library expat *
contentc: embedded-library libyaml *
contentc: embedded-library zlib *
"""


def version_of(version):
    """Returns the Debian version: a release follows its previews, as `~` sorts before the end."""
    return version.replace("-", "~", 1)


def compressed(data):
    return subprocess.run(["gzip", "-9n"], input=data, check=True, capture_output=True).stdout


def place_of(path):
    """Returns the path in the package of a file of an installation."""
    return "usr/" + path.replace("share/zsh/site-functions/", "share/zsh/vendor-completions/")


def contents(files, components, release):
    """Returns the files of the package by their paths."""
    packed = {}
    for path, data in files.items():
        name = place_of(path)
        # /usr/share/doc/contentc/copyright has the licence.
        if name == "usr/share/doc/contentc/LICENSE":
            continue
        if "/man/" in name or name.endswith("CHANGELOG.md"):
            name, data = name + ".gz", compressed(data)
        packed[name] = data
    documents = f"usr/share/doc/{PACKAGE}"
    packed[f"{documents}/changelog.gz"] = compressed(changelog(release).encode())
    packed[f"{documents}/copyright"] = copyright(components).encode()
    packed[f"usr/share/lintian/overrides/{PACKAGE}"] = OVERRIDES.encode()
    return dict(sorted(packed.items()))


def changelog(release):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(release.epoch))
    return (
        f"{PACKAGE} ({version_of(release.version)}) unstable; urgency=medium\n\n"
        f"  * Release {release.version}: CHANGELOG.md.gz describes what has changed.\n\n"
        f" -- {MAINTAINER}  {date}\n")


def indented(text):
    """Returns a text as the further lines of a field."""
    return "".join(f" {line.rstrip()}\n" if line.strip() else " .\n" for line in text.strip().splitlines())


def copyright(components):
    """Returns the licences in the machine-readable format (DEP-5)."""
    notice = textwrap.fill(
        "The program contains the following parts. Their licences and notices are in the folder licences/ beside this "
        "file, and the bill of materials of the release names their versions and sources.", 78)
    paragraphs = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: contentc\n"
        "Comment:\n" + indented(notice),
        "Files: *\nCopyright: © 2026 the contentc authors\nLicense: Apache-2.0\n",
    ]
    names = {}
    for component in components:
        if component.linkage == "static":
            names.setdefault(component.spdx or "public-domain", set()).add(component.folder)
    short = {spdx: short_name(spdx) for spdx in names}
    for spdx, parts in sorted(names.items()):
        folders = "".join(f" licences/{name}/*\n" for name in sorted(parts))
        paragraphs.append(
            f"Files:\n{folders}Copyright: the authors that the files of these folders name\nLicense: {short[spdx]}\n")
    paragraphs.append(
        "License: Apache-2.0\n On Debian systems, /usr/share/common-licenses/Apache-2.0 has the full text.\n")
    for spdx in sorted(names):
        if short[spdx] != "Apache-2.0":
            common = "" if not short[spdx].startswith("GPL-3") else (
                " On Debian systems, /usr/share/common-licenses/GPL-3 has the text of the GPL.\n")
            paragraphs.append(
                f"License: {short[spdx]}\n The SPDX expression is '{spdx}'.\n"
                f" The text is in the folders licences/NAME of the parts.\n{common}")
    return "\n".join(paragraphs)


def short_name(spdx):
    """Returns the name of a licence in the spelling of Debian."""
    exceptions = {"Swift-exception": "Swift", "GCC-exception-3.1": "GCC"}
    base, _, exception = spdx.partition(" WITH ")
    base = base.replace("GPL-3.0-or-later", "GPL-3+").replace("LGPL-2.1-or-later", "LGPL-2.1+")
    base = base.replace(" AND ", " and ").replace("MIT", "Expat").replace("BSD-2-Clause", "BSD-2-clause")
    return f"{base} with {exceptions[exception]} exception" if exception else base


def dependencies(program):
    """Returns the packages that the program's libraries and their symbols ask for."""
    with tempfile.TemporaryDirectory() as work:
        # dpkg-shlibdeps works in the folder of a source package.
        (pathlib.Path(work) / "debian").mkdir()
        (pathlib.Path(work) / "debian/control").write_text(f"Source: {PACKAGE}\n\nPackage: {PACKAGE}\nArchitecture: any\n")
        text = subprocess.run(
            ["dpkg-shlibdeps", "-O", "--warnings=0", program], cwd=work, check=True, capture_output=True, text=True).stdout
    return text.strip().removeprefix("shlibs:Depends=")


def control(release, program, architecture, bytes_installed):
    description = indented(textwrap.fill(DESCRIPTION, 78))
    return (
        f"Package: {PACKAGE}\n"
        f"Version: {version_of(release.version)}\n"
        f"Architecture: {architecture}\n"
        f"Maintainer: {MAINTAINER}\n"
        f"Installed-Size: {-(-bytes_installed // 1024)}\n"
        f"Depends: {dependencies(program)}\n"
        "Recommends: ca-certificates, libcurl4\n"
        "Suggests: libqrencode4\n"
        "Section: web\n"
        "Priority: optional\n"
        f"Description: {SUMMARY}\n{description}")


def build(files, components, release, architecture, package):
    """Writes the package; equal files give equal bytes."""
    packed = contents(files, components, release)
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work) / "root"
        for path, data in packed.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(layout.mode(path))
        size = sum(len(data) + 4096 for data in packed.values())
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control(release, root / "usr/bin/contentc", architecture, size))
        (root / "DEBIAN/md5sums").write_text(
            "".join(f"{hashlib.md5(data).hexdigest()}  {path}\n" for path, data in packed.items()))
        for path in [root, *root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
            elif path.parent.name == "DEBIAN":
                path.chmod(0o644)
            os.utime(path, (release.epoch, release.epoch))
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "-Sextreme", "--threads-max=1", "--build", root, package],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch)})
