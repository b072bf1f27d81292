"""What is linked into the program: its parts, their versions and their licences."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess

from . import Refusal, elf

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SWIFT = "Apache-2.0 WITH Swift-exception"
# The projects of the archives of Swift's runtime.
RUNTIME = [
    (r"libswiftDispatch|libdispatch|libBlocksRuntime", "swiftlang/swift-corelibs-libdispatch", SWIFT),
    (r"libswift\w+", "swiftlang/swift", SWIFT),
    (r"lib_FoundationICU", "swiftlang/swift-foundation-icu", "Unicode-3.0"),
    (r"lib_FoundationCollections", "apple/swift-collections", SWIFT),
    (r"libFoundation(Essentials|Internationalization)|lib_FoundationCShims", "swiftlang/swift-foundation", SWIFT),
    (r"libFoundation(XML|Networking)?|libCoreFoundation|lib_CF\w+", "swiftlang/swift-corelibs-foundation", SWIFT),
]
# Debian's packages with archives that the program may contain.
ARCHIVES = {
    r"libyaml-dev": "MIT",
    r"libexpat1-dev": "MIT",
    r"zlib1g-dev": "Zlib",
    r"libdeflate-dev": "MIT",
    r"libcmark-gfm(-extensions)?-dev": "BSD-2-Clause AND MIT",
    r"libqrencode-dev": "LGPL-2.1-or-later",
    r"libssl-dev": "Apache-2.0",
    r"libcurl4-openssl-dev": "curl",
    r"lib(stdc\+\+|gcc)-\d+-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
# Debian's packages with libraries that the program loads.
SHARED = {
    r"libc6": "LGPL-2.1-or-later",
    r"libgcc-s1|libstdc\+\+6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    r"libssl3": "Apache-2.0",
    r"libcurl4": "curl",
    r"libqrencode4": "LGPL-2.1-or-later",
    r"libyaml-0-2|libexpat1|libdeflate0": "MIT",
    r"zlib1g": "Zlib",
    r"libcmark-gfm(-extensions)?[\d.]+gfm\.\d+": "BSD-2-Clause AND MIT",
}
# Libraries that the program loads on first use.
OPTIONAL = ["libcurl4", "libqrencode4"]


class Component:
    """A part of the program, or a library that it loads."""

    def __init__(self, name, version, purl, spdx, licences=(), linkage="static", scope="required", folder=None):
        # The folder of the licences; parts of one project share it.
        self.folder = folder or name
        self.name, self.version, self.purl, self.spdx = name, version, purl, spdx
        self.licences = [pathlib.Path(path) for path in licences]
        self.linkage, self.scope = linkage, scope
        if linkage == "static" and not self.licences:
            raise Refusal(f"'{name}' is linked, but has no licence file")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def matching(table, name):
    return next((value for pattern, value in table.items() if re.fullmatch(pattern, name)), None)


def linked_modules(program):
    """Returns the sorted names of the modules whose objects the program consists of."""
    file = program.parent / f"{program.name}.product" / "Objects.LinkFileList"
    if not file.exists():
        raise Refusal(f"there is no {file}: name the program in the folder where it was built")
    modules = set()
    for path in shlex.split(file.read_text()):
        folder = next((part for part in pathlib.PurePath(path).parts[::-1] if part.endswith(".build")), None)
        if folder in (None, ".build"):
            raise Refusal(f"the linked file {path} is of no module")
        modules.add(folder.removesuffix(".build"))
    return sorted(modules)


def identifier(name):
    """Returns the name of a module as the compiler and the folders of a build spell it."""
    return re.sub(r"\W", "_", name)


def spdx_of(text, path):
    if "Apache License" in text and "Version 2.0" in text:
        return SWIFT if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise Refusal(f"the licence in {path} is unknown: say in {pathlib.Path(__file__).name} which it is")


def swift_packages(program):
    """Returns the Swift packages with a module in the program."""
    modules = linked_modules(program)
    own = {identifier(path.name) for path in (ROOT / "Sources").iterdir()}
    scratch = program.resolve().parents[2]
    state = json.loads((scratch / "workspace-state.json").read_text())["object"]["dependencies"]
    packages = {}
    for dependency in state:
        folder = scratch / "checkouts" / dependency["subpath"]
        for module in folder.glob("Sources/**/*/"):
            packages.setdefault(identifier(module.name), []).append((dependency, folder))
    found = {}
    for module in modules:
        if module in own:
            continue
        owners = packages.get(module, [])
        if len({dependency["subpath"] for dependency, _ in owners}) != 1:
            raise Refusal(f"the linked module '{module}' is in {len(owners)} of the checked-out packages, not in one")
        dependency, folder = owners[0]
        found[dependency["subpath"]] = (dependency, folder)
    components = []
    for name, (dependency, folder) in sorted(found.items()):
        licences = sorted(path for path in folder.iterdir() if re.match(r"(LICEN[CS]E|COPYING|NOTICE)\b", path.name, re.I))
        texts = [path for path in licences if not path.name.upper().startswith("NOTICE")]
        if not texts:
            raise Refusal(f"the linked package '{name}' has no licence file")
        state = dependency["state"]["checkoutState"]
        version = state.get("version") or state["revision"]
        place = re.sub(r"^https://|\.git$", "", dependency["packageRef"]["location"])
        components.append(
            Component(name, version, f"pkg:swift/{place}@{version}", spdx_of(texts[0].read_text(), texts[0]), licences))
    return components


def toolchain():
    compiler = shutil.which("swiftc")
    if compiler is None:
        raise Refusal("there is no swiftc in PATH, whose runtime is linked")
    return pathlib.Path(compiler).resolve().parents[1]


def debian_archives():
    """Returns Debian's packages with archives, each with its licence and its archives."""
    found = []
    for line in output("dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n").splitlines():
        package, status = line.split()
        spdx = matching(ARCHIVES, package)
        if spdx and status == "installed":
            files = output("dpkg", "--listfiles", package).splitlines()
            found.append((package, spdx, [pathlib.Path(file) for file in files if file.endswith(".a")]))
    return found


def archives_in(program):
    """Returns the archives of Swift's runtime and Debian's packages from which the program has code."""
    usr = toolchain()
    groups = {}
    for archive in sorted((usr / "lib/swift_static/linux").glob("*.a")):
        groups[archive.stem] = (("swift", archive), [archive])
    for package, spdx, archives in debian_archives():
        groups[package] = (("debian", spdx), archives)
    owners = {}
    for name, (_, archives) in groups.items():
        for archive in archives:
            # A linker script has the name of an archive.
            if archive.read_bytes()[:8] not in (b"!<arch>\n", b"!<thin>\n"):
                continue
            for symbol in elf.symbols(archive, "--extern-only"):
                owners.setdefault(symbol, set()).add(name)
    defined = elf.symbols(program)
    if len(defined) < 1000:
        raise Refusal("the program has no symbols: name the one that was built, before 'strip'")
    used = {next(iter(names)) for symbol, names in owners.items() if symbol in defined and len(names) == 1}
    return [(name, *groups[name][0]) for name in sorted(used)]


def debian_purl(package):
    version, architecture = output(
        "dpkg-query", "--show", "--showformat=${Version} ${Architecture}", package).split()
    escaped = package.replace("+", "%2B")
    return version, f"pkg:deb/debian/{escaped}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}&distro=debian-12"


def runtime_and_libraries(program):
    usr = toolchain()
    line = output(str(usr / "bin/swiftc"), "--version")
    release = re.search(r"\((swift-([\d.]+)-RELEASE)\)", line)
    if release is None:
        raise Refusal("swiftc is no release, so its runtime has no version")
    components = []
    for name, kind, detail in archives_in(program):
        if kind == "debian":
            version, purl = debian_purl(name)
            components.append(Component(name, version, purl, detail, [f"/usr/share/doc/{name}/copyright"]))
            continue
        known = next(((project, spdx) for pattern, project, spdx in RUNTIME if re.fullmatch(pattern, name)), None)
        if known is None:
            raise Refusal(f"'{name}' of Swift's runtime is linked, and its licence is unknown")
        project, spdx = known
        licence, folder = usr / "share/swift/LICENSE.txt", "swift"
        if spdx == "Unicode-3.0":
            licence, folder = ROOT / "Scripts/cldr/LICENSE", "cldr"
        components.append(
            Component(
                name, release[2], f"pkg:github/{project}@{release[1]}#{name}", spdx, [licence], folder=folder))
    return components


def data(versions):
    """Returns the data that is compiled in; `versions` are those that the program prints."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "Sources").rglob("*.swift")]
    found = [re.search(r"^// Generated by .* CLDR (\d+)", text, re.M) for text in sources]
    releases = sorted({match[1] for match in found if match}, key=int)
    if not releases:
        raise Refusal("no generated file in Sources names its release of CLDR")
    licence = [ROOT / "Scripts/cldr/LICENSE"]
    components = [
        Component("cldr", release, f"pkg:github/unicode-org/cldr@release-{release}", "Unicode-3.0", licence, folder="cldr")
        for release in releases
    ]
    if "tzdata" in versions:
        release = versions["tzdata"]
        components.append(Component("tzdata", release, f"pkg:generic/tzdata@{release}", None, [ROOT / "NOTICE"]))
    return components


def shared_libraries(program):
    """Returns Debian's packages with the libraries that the program needs, and those that it may load."""
    packages = {package: "required" for package in map(package_of, elf.needed_libraries(program))}
    for package in OPTIONAL:
        packages.setdefault(package, "optional")
    components = []
    for package, scope in sorted(packages.items()):
        spdx = matching(SHARED, package)
        if spdx is None:
            raise Refusal(f"the program needs the package '{package}', whose licence is unknown")
        version, purl = debian_purl(package)
        components.append(Component(package, version, purl, spdx, linkage="dynamic", scope=scope))
    return components


def package_of(library):
    """Returns the Debian package of a library that the loader finds."""
    cache = output("/sbin/ldconfig", "--print-cache")
    path = re.search(rf"^\s*{re.escape(library)} .* => (\S+)$", cache, re.M)
    if path is None:
        raise Refusal(f"this machine lacks the library {library}, which the program needs")
    for place in {path[1], str(pathlib.Path(path[1]).resolve()), path[1].removeprefix("/usr"), "/usr" + path[1]}:
        found = subprocess.run(["dpkg", "--search", place], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise Refusal(f"the library {library} is of no Debian package")


def everything(program, versions):
    """Returns the parts of the program and the libraries that it loads, sorted within each kind."""
    return (
        swift_packages(program) + runtime_and_libraries(program) + data(versions) + shared_libraries(program))
