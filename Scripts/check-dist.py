#!/usr/bin/env python3
"""Checks what 'make dist' has written, in bare Debian folders.

  Scripts/check-dist.py CONTENTC DIST [--rebuild]

CONTENTC is the program that was packed, in the folder of its build, and DIST the folder with the packages.

1. The checksums, the description and the bill of materials agree with the files. CycloneDX's own schema accepts the
   bill. lintian finds no error.
2. The needed libraries are those of Scripts/distribution/libraries.txt. The program exports nothing, and is small.
3. The archive's program runs in a folder with Debian's smallest system and libssl3. The commands are those of
   docs/start/install.md here, for the Debian package, and for the checksums.
4. The Debian package is installed there with apt: 'man contentc', completions in bash, zsh and fish, the README's first
   minute, and a sentence if libcurl is missing. Its removal leaves no file.
5. 'install' and 'uninstall' leave no file, and keep those of others.
6. The same program is packed into equal files, and a program does not depend on the folder of its build. With --rebuild,
   a second clone of the commit is built in another folder, and packed into equal files.

It needs root, and Debian's mmdebstrap. The folders are in .build/dist-check.
"""

import argparse
import hashlib
import importlib
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

from distribution import debian, elf, signature

walk_page = importlib.import_module("walk-page")

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/dist-check"
PAGE = ROOT / "docs/start/install.md"
LIBRARIES = ROOT / "Scripts/distribution/libraries.txt"
DIST = ROOT / "Scripts/dist.py"
# In bytes. ICU alone has 34 MB: a dependency that imports all of Foundation would link it.
LARGEST_PROGRAM = 45_000_000
# What dpkg and other packages keep about any package that was installed once.
KEPT = re.compile(r"/(proc|sys|dev|tmp)/|/var/(log|cache)/|/var/lib/dpkg/[\w.-]+$|/var/lib/apt/")


# For this function, the compiler puts the length of the source's path into the program.
ESCAPING = """
@inline(never) func each(_ body: (Int) -> Int) -> [Int] {
  withoutActuallyEscaping(body) { body in [%d].lazy.map(body).map { $0 + 1 } }
}
print(each { $0 * CommandLine.arguments.count })
"""


def run(*command, **settings):
    return subprocess.run([str(word) for word in command], check=True, text=True, **settings)


def output(*command, **settings):
    return run(*command, stdout=subprocess.PIPE, **settings).stdout


def expect(condition, sentence):
    if not condition:
        sys.exit(f"check-dist.py: {sentence}")


def passed(sentence):
    print(f"  {sentence}", flush=True)


def shown(start, dist):
    """The commands of the installation page's block that begins so, with the names of the packages in a folder."""
    found = re.search(rf"(?ms)^```sh\n({re.escape(start)}.*?)^```$", PAGE.read_text())
    expect(found, f"{PAGE.name} has no block that begins with '{start}'")
    archive = only(dist, "*.tar.xz").name.removesuffix(".tar.xz")
    return found[1].replace("contentc_VERSION_amd64.deb", only(dist, "*.deb").name).replace(
        "contentc-VERSION-linux-x86_64", archive)


# MARK: 1. Statements


def check_statements(dist):
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=dist)
    run("/bin/sh", "-ec", shown("sha256sum", dist), cwd=dist, stdout=subprocess.DEVNULL)
    listed = [line.split("  ", 1)[1] for line in (dist / "SHA256SUMS").read_text().splitlines()]
    present = sorted(path.name for path in dist.iterdir() if not path.name.startswith("SHA256SUMS"))
    expect(listed == present, f"SHA256SUMS names {listed}, and there are {present}")
    description = json.loads((dist / "dist.json").read_text())
    expect(
        [file["name"] for file in description["files"]] == [name for name in present if name != "dist.json"],
        "dist.json names other files than there are")
    for file in description["files"]:
        data = (dist / file["name"]).read_bytes()
        expect(
            (file["size"], file["sha256"]) == (len(data), hashlib.sha256(data).hexdigest()),
            f"dist.json has another size or hash of {file['name']}")
    archive = only(dist, "*.tar.xz")
    bill = only(dist, "*.cdx.json")
    program = archived(archive, "bin/contentc")
    own = json.loads(bill.read_text())["metadata"]["component"]
    expect(own["hashes"][0]["content"] == hashlib.sha256(program).hexdigest(), "the bill is of another program")
    expect(own["version"] == description["version"], "the bill is of another version")
    check_schema(bill)
    check_licences(archive, bill)
    package = only(dist, "*.deb")
    with tempfile.TemporaryDirectory() as work:
        run("dpkg-deb", "--extract", package, work)
        packed = (pathlib.Path(work) / "usr/bin/contentc").read_bytes()
    expect(packed == program, "the archive and the package have different programs")
    passed("checksums, dist.json and the bill of materials agree with the files")
    # Overrides are in the package, each with its reason.
    done = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", package], capture_output=True, text=True)
    expect(done.returncode == 0, f"lintian has failed:\n{done.stdout}{done.stderr}")
    passed("lintian finds no error")


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    expect(len(found) == 1, f"there are {len(found)} files {pattern} in {folder}, not one")
    return found[0]


def archived(archive, path):
    with tarfile.open(archive) as tar:
        return tar.extractfile(f"{archive.name.removesuffix('.tar.xz')}/{path}").read()


def check_schema(bill):
    python = output(ROOT / "Scripts/install-cyclonedx.sh", ROOT / ".build/tools/cyclonedx").strip()
    script = (
        "import sys; from cyclonedx.schema import SchemaVersion; "
        "from cyclonedx.validation.json import JsonStrictValidator; "
        "mistake = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()); "
        "sys.exit(mistake and str(mistake))")
    run(python, "-c", script, bill)


def check_licences(archive, bill):
    """The archive has a licence of each part that is linked."""
    with tarfile.open(archive) as tar:
        folders = {pathlib.PurePath(name).parent.name for name in tar.getnames() if "/licences/" in name}
    parts = json.loads(bill.read_text())["components"]
    static = [part for part in parts if part["properties"][0]["value"] == "static"]
    expect(len(static) > 10, f"only {len(static)} parts are linked")
    for part in static:
        project = part["purl"].split("@")[0].split("/")[-1]
        folder = {"swift-foundation-icu": "cldr"}.get(project)
        swift = "swift" if part["purl"].startswith("pkg:github/") else None
        expect({part["name"], folder, swift} & folders, f"the archive has no licence of '{part['name']}'")


# MARK: 2. Libraries


def check_libraries(dist):
    golden = LIBRARIES.read_text().split()
    with tempfile.TemporaryDirectory() as work:
        program = pathlib.Path(work) / "contentc"
        program.write_bytes(archived(only(dist, "*.tar.xz"), "bin/contentc"))
        needed = elf.needed_libraries(program)
        # A name with a version is that of a variable of a library, which the linker copies into a program.
        exported = sorted(name for name in elf.symbols(program, "--dynamic") if "@" not in name)
        size = program.stat().st_size
    # The loader's name has the architecture in it.
    needed = [name for name in needed if not name.startswith("ld-linux")]
    expect(needed == golden, f"the program needs {needed}, and {LIBRARIES.name} names {golden}")
    described = json.loads((dist / "dist.json").read_text())["libraries"]
    expect([name for name in described if not name.startswith("ld-linux")] == golden, "dist.json names other libraries")
    passed(f"the program needs {', '.join(golden)}")
    expect(not exported, f"the program exports {len(exported)} symbols, such as {exported[:3]}")
    expect(size <= LARGEST_PROGRAM, f"the program has {size:,} bytes, more than {LARGEST_PROGRAM:,}")
    passed(f"the program exports nothing, and has {size / 1e6:.1f} MB")


# MARK: 3. and 4. Bare folders


class Bare:
    """A folder with Debian's smallest system."""

    def __init__(self, name):
        self.root = WORK / name
        base = WORK / "minbase.tar"
        if not base.exists():
            WORK.mkdir(parents=True, exist_ok=True)
            codename = re.search(r"VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text())[1]
            # The machine's own list says where packages come from.
            lists = sorted(pathlib.Path("/etc/apt").glob("sources.list.d/debian.sources")) or ["/etc/apt/sources.list"]
            done = subprocess.run(
                ["mmdebstrap", "--variant=minbase", codename, base.with_suffix(".new"), "--format=tar", lists[0]],
                capture_output=True, text=True)
            expect(done.returncode == 0, f"mmdebstrap has failed: {done.stderr}")
            base.with_suffix(".new").rename(base)
        remove(self.root)
        self.root.mkdir(parents=True)
        run("tar", "--extract", "--file", base, "--directory", self.root, "--exclude=./dev/*")
        (self.root / "etc/resolv.conf").write_bytes(pathlib.Path("/etc/resolv.conf").read_bytes())
        for settings in pathlib.Path("/etc/apt/apt.conf.d").glob("*proxy*"):
            shutil.copy(settings, self.root / "etc/apt/apt.conf.d")

    def run(self, script, check=True):
        """Runs a script with mounts and processes of its own; returns its output, after its status without `check`."""
        inside = f"set -eu; sudo() {{ \"$@\"; }}; export HOME=/tmp/home LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive; mkdir -p ~; cd; {script}"
        root = shlex.quote(str(self.root))
        outside = (
            f"mount -t proc proc {root}/proc; mount --bind /dev {root}/dev; "
            f"exec chroot {root} /bin/bash -c {shlex.quote(inside)}")
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-ec", outside], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
        expect(not check or done.returncode == 0, f"in {self.root}: {script}\n{done.stdout}")
        return done.stdout if check else (done.returncode, done.stdout)

    def install(self, *packages):
        self.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends " + " ".join(packages))

    def files(self):
        """Returns the hash of each file, and the target of each link."""
        found = {}
        for folder, names, files in os.walk(self.root):
            place = folder.removeprefix(str(self.root))
            names[:] = [name for name in names if not KEPT.match(f"{place}/{name}/")]
            for name in names + files:
                path = pathlib.Path(folder) / name
                if KEPT.match(f"{place}/{name}"):
                    continue
                if path.is_symlink():
                    found[f"{place}/{name}"] = os.readlink(path)
                elif path.is_file():
                    found[f"{place}/{name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
                else:
                    found[f"{place}/{name}"] = "folder"
        return found


def remove(folder):
    # Mounts are private to the processes that have ended, so nothing outside is below the folder.
    expect(not any(str(folder) in line for line in open("/proc/self/mounts")), f"something is mounted below {folder}")
    if folder.exists():
        shutil.rmtree(folder)


def check_archive(dist):
    bare = Bare("archive")
    # tar needs xz; the program does not.
    bare.install("libssl3", "xz-utils")
    before = bare.files()
    archive = only(dist, "*.tar.xz")
    shutil.copy(archive, bare.root / "tmp")
    version = json.loads((dist / "dist.json").read_text())["version"]
    text = bare.run(f"cd /tmp; {shown('tar', dist)}")
    program = f"/tmp/{archive.name.removesuffix('.tar.xz')}/bin/contentc"
    expect(text.splitlines()[0] == version, f"the archive's program is {text.splitlines()[0]}, not {version}")
    bare.run(f"{program} init bakery && cd bakery && {program} build && test -f out/preview/config.plist")
    passed("the archive's program runs with libssl3 only")
    extract, remove_files = shown("sudo tar", dist).splitlines()
    bare.run(f"cd /tmp; {extract}\ncontentc --version; test -f /usr/local/share/man/man1/contentc.1")
    bare.run(f"cd /tmp; {remove_files}")
    after = bare.files()
    traces = sorted(path for path in after if after[path] not in (before.get(path), "folder"))
    expect(not traces and before.keys() <= after.keys(), f"the archive leaves traces: {traces}")
    passed("the archive's files are removed from /usr/local by the page's command")


def check_package(dist):
    bare = Bare("package")
    package = only(dist, "*.deb")
    depends = output("dpkg-deb", "--field", package, "Depends").strip()
    expect(
        {word.split()[0] for word in depends.split(", ")} == {"libc6", "libssl3"},
        f"the package depends on {depends}, not on libc6 and libssl3 only")
    expect("libcurl4" in output("dpkg-deb", "--field", package, "Recommends"), "the package does not recommend libcurl4")
    bare.install("libssl3", "man-db", "bash-completion", "zsh", "fish")
    (bare.root / "etc/apt/apt.conf.d/answers").write_text(
        'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n')
    before = bare.files()
    shutil.copy(package, bare.root / "tmp" / package.name)
    install, purge = shown("sudo apt", dist).splitlines()
    bare.run(f"cd /tmp; {install}")
    expect(before != bare.files(), "the package has installed nothing")
    check_manual(bare)
    check_completions(bare)
    check_first_minute(bare)
    check_missing_libcurl(bare)
    bare.run(purge)
    after = bare.files()
    traces = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    expect(not traces, f"the package leaves traces: {traces}")
    passed("the package is removed without a trace")


def check_manual(bare):
    text = bare.run("MANPAGER=cat MANWIDTH=80 man contentc")
    expect("NAME" in text and "contentc" in text, f"'man contentc' prints {text}")
    text = bare.run("MANPAGER=cat MANWIDTH=80 man contentc-publish")
    expect("publish" in text, f"'man contentc-publish' prints {text}")
    passed("man contentc")


def check_completions(bare):
    words = bare.run(
        "source /usr/share/bash-completion/bash_completion; __load_completion contentc; "
        "function=$(complete -p contentc | sed -E 's/.*-F ([^ ]+).*/\\1/'); COMP_WORDS=(contentc publ); COMP_CWORD=1; "
        "COMP_LINE='contentc publ'; COMP_POINT=13; set +eu; $function contentc publ contentc; echo \"${COMPREPLY[*]}\"")
    expect(words.split() == ["publish"], f"bash completes 'contentc publ' to '{words}'")
    words = bare.run("zsh -c 'autoload -Uz compinit; compinit -u -D; print $_comps[contentc]'")
    expect(words.split() == ["_contentc"], f"zsh completes by '{words}'")
    words = bare.run("fish -c 'complete --do-complete \"contentc publ\"'")
    expect(words.split()[:1] == ["publish"], f"fish completes 'contentc publ' to '{words}'")
    passed("completions in bash, zsh and fish")


def check_first_minute(bare):
    steps = walk_page.steps_of(ROOT / "README.md")
    expect(steps and all(step.command for step in steps), "the README's first minute has more than commands")
    printed = bare.run("set +e\n" + "".join(f"{step.command}\nprintf '{walk_page.MARK}'\n" for step in steps))
    texts = printed.split(walk_page.MARK)[:-1]
    expect(len(texts) == len(steps), f"the README's first minute ends early:\n{printed}")
    for step, text in zip(steps, texts):
        agrees = walk_page.agrees(step.output, text.splitlines())
        expect(agrees, f"'{step.command}' of the README's first minute prints\n{text}")
    passed(f"the README's first minute: {len(steps)} commands")


def check_missing_libcurl(bare):
    bare.run(
        "cd bakery && printf 'channels:\\n  away:\\n    target: s3://shop/content\\n' > channels && "
        "sed -i -e '/^channels:/r channels' -e '/^channels:/d' content/content.yaml")
    status, text = bare.run(
        "cd bakery; AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=us-east-1 contentc publish away --quiet",
        check=False)
    sentences = [line for line in text.splitlines() if "libcurl" in line]
    expect(
        status != 0 and len(sentences) == 1 and "install" in sentences[0],
        f"'contentc publish' without libcurl ends with {status} and prints\n{text}")
    passed(f"without libcurl: {sentences[0]}")


# MARK: 5. Installation


def check_installation(program):
    with tempfile.TemporaryDirectory() as work:
        # One folder is there before, with a file of another program; DESTDIR has a space.
        base = pathlib.Path(work) / "a destination"
        other = base / "usr/local/share/man/man1/other.1"
        other.parent.mkdir(parents=True)
        other.write_text("other\n")
        before = listed(base)
        arguments = ["--prefix", "/usr/local", "--destdir", base]
        # Sources may come without git, and root's umask may hide new files.
        for _ in range(2):
            run(
                DIST, "install", program, *arguments, stdout=subprocess.DEVNULL, umask=0o077,
                env={**os.environ, "GIT_DIR": "/nonexistent"})
        hidden = [path for path in (base / "usr/local").rglob("*") if path.stat().st_mode & 0o044 != 0o044]
        expect(not hidden, f"others cannot read {hidden}")
        found = listed(base)
        for path in ("bin/contentc", "share/man/man1/contentc.1", "share/doc/contentc/LICENSE"):
            expect(f"usr/local/{path}" in found, f"'install' has not written {path}")
        run(base / "usr/local/bin/contentc", "--version", stdout=subprocess.DEVNULL)
        own = base / "usr/local/share/fish/own.fish"
        own.write_text("own\n")
        run(DIST, "uninstall", *arguments, stdout=subprocess.DEVNULL)
        kept = {"usr/local/share/fish", "usr/local/share/fish/own.fish"}
        expect(listed(base) == before | kept, f"'uninstall' leaves {sorted(listed(base) - before - kept)}")
        done = subprocess.run([DIST, "uninstall", *arguments], capture_output=True, text=True)
        expect(done.returncode == 1 and "installed nothing" in done.stderr, "'uninstall' removes what is not there")
    passed("'install' and 'uninstall' leave no file, and keep those of others")


def listed(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# MARK: 6. Equal bytes


def check_signature(dist):
    """Another type of statement, and another file, do not have the signature."""
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        sums = folder / "SHA256SUMS"
        shutil.copy(dist / "SHA256SUMS", sums)
        key = folder / "key.pem"
        with open(key, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            run("openssl", "genpkey", "-algorithm", "ed25519", stdout=file)
        run("openssl", "pkey", "-in", key, "-pubout", "-out", folder / "contentc.pub")
        run(DIST, "sign", sums, key)
        commands = shown("type=", dist)
        verify = lambda: subprocess.run(
            ["/bin/sh", "-ec", commands], cwd=folder, capture_output=True, text=True)
        done = verify()
        expect(done.returncode == 0 and "Verified Successfully" in done.stdout, f"openssl refuses: {done}")
        text = sums.read_text()
        sums.write_text(("1" if text[0] == "0" else "0") + text[1:])
        expect(verify().returncode != 0, "openssl accepts a changed sum")
        sums.write_text(text)
        expect(verify().returncode == 0, "openssl refuses the sums after a second check")
        other = signature.message(text.encode()).replace(b"contentc.sums", b"contentc.keys")
        (folder / "other").write_bytes(other)
        run("openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", folder / "other", "-out", f"{sums}.sig")
        expect(verify().returncode != 0, "openssl accepts a signature of another type")
        key.chmod(0o644)
        done = subprocess.run([DIST, "sign", sums, key], capture_output=True, text=True)
        expect(done.returncode == 1 and "others may read" in done.stderr, "'sign' takes a key that others may read")
    passed("openssl checks the signature by the page's commands")


def check_folders():
    """A program has equal bytes in two folders, and another program another build ID."""
    programs = []
    with tempfile.TemporaryDirectory() as work:
        for name, number in (("first", 1), ("second/longer", 1), ("first", 2)):
            folder = pathlib.Path(work) / name
            folder.mkdir(parents=True, exist_ok=True)
            # Only on x86_64 does 'elf.py' clear the length of a path.
            source = ESCAPING % number if platform.machine() == "x86_64" else f"print([{number}].map {{ $0 + 1 }})\n"
            (folder / "main.swift").write_text(source)
            run("swiftc", "-g", "-O", "-static-stdlib", "-o", folder / "program", folder / "main.swift", cwd=folder)
            programs.append((folder / "program").read_bytes())
            programs.append(elf.stripped(folder / "program", work))
    first, first_packed, second, second_packed, _, other = programs
    expect(first != second, "debug information no longer has the folder of the build: 'elf.py' may be simpler")
    expect(first_packed == second_packed, "a program depends on the folder of its build")
    expect(identity(first_packed) != identity(other), "two programs have one build ID")
    expect(elf.names_folder(b"\0/srv/ada/contentc/.build/a.c\0", "/srv/ada/contentc"), "a path of the build is missed")
    for other_path in (b"\0./srv/ada/contentc/a.c", b"\0/srv/ada/contentc-2/a.c", b"\0/mnt/srv/ada/contentc/a.c"):
        expect(not elf.names_folder(other_path, "/srv/ada/contentc"), f"{other_path} is no path of the build")
    passed("a program does not depend on the folder of its build")


def identity(data):
    offset, length = elf.sections(data)[elf.BUILD_ID]
    return data[offset:offset + length]


def check_again(program, dist):
    again = WORK / "again"
    settings = {"TZ": "Pacific/Kiritimati", "LANGUAGE": "fr", "LC_ALL": "C.UTF-8", "XZ_OPT": "-0"}
    run(
        DIST, "pack", program, "--into", again, stdout=subprocess.DEVNULL, umask=0o077, env={**os.environ, **settings})
    compare(dist, again)
    passed("the program is packed into equal files again, with another umask, language and time zone")


def check_rebuilt(dist):
    clone = WORK / "clone" / "deeper" / "contentc"
    remove(clone)
    clone.parent.mkdir(parents=True, exist_ok=True)
    run("git", "clone", "--quiet", ROOT, clone)
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", clone)
    run("make", "dist", cwd=clone, stdout=subprocess.DEVNULL)
    compare(dist, clone / "dist")
    passed("a build in another folder is packed into equal files")


def compare(first, second):
    one, two = ((folder / "SHA256SUMS").read_text().splitlines() for folder in (first, second))
    expect(one == two, f"{first} and {second} differ: {sorted(set(one) ^ set(two))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CONTENTC", type=pathlib.Path)
    parser.add_argument("dist", metavar="DIST", type=pathlib.Path)
    parser.add_argument("--rebuild", action="store_true")
    arguments = parser.parse_args()
    expect(os.geteuid() == 0, "a bare Debian folder needs root")
    dist = arguments.dist.resolve()
    check_statements(dist)
    check_libraries(dist)
    check_signature(dist)
    check_folders()
    check_installation(arguments.program)
    check_archive(dist)
    check_package(dist)
    check_again(arguments.program, dist)
    if arguments.rebuild:
        check_rebuilt(dist)
    remove(WORK / "archive")
    remove(WORK / "package")


if __name__ == "__main__":
    main()
