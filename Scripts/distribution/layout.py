"""The files that an installation consists of, below a prefix such as /usr/local."""

import pathlib
import re
import subprocess
import tempfile

from . import Refusal, elf

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = "bin/contentc"
DOCUMENTS = "share/doc/contentc"
# The folders of completions below a prefix, and the name of a file.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/contentc",
    "zsh": "share/zsh/site-functions/_contentc",
    "fish": "share/fish/vendor_completions.d/contentc.fish",
}


def is_of_installation(path):
    """Whether a version of contentc may have installed a file at a path below the prefix."""
    return path in {PROGRAM, *COMPLETIONS.values()} or re.fullmatch(
        rf"share/man/man1/contentc[a-z-]*\.1|{DOCUMENTS}/.+", path) is not None


class Release:
    """What a program says about itself."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        if not self.program.is_file():
            raise Refusal(f"there is no program {program}: 'make release' builds it")
        lines = subprocess.run(
            [self.program, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()
        self.version = lines[0]
        if not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", self.version):
            raise Refusal(f"the program's version '{self.version}' is no semantic version")
        self.libraries = dict(line.rsplit(" ", 1) for line in lines[1:])


class CommittedRelease(Release):
    """A program and its commit. An installation needs no commit: sources may be without git, or of another user."""

    def __init__(self, program, environment):
        super().__init__(program)
        self.commit = self.git("rev-parse", "HEAD")
        self.epoch = int(environment.get("SOURCE_DATE_EPOCH") or self.git("log", "-1", "--format=%ct"))
        self.is_modified = bool(self.git("status", "--porcelain"))
        tags = re.findall(r"^v\d.*$", self.git("tag", "--points-at", "HEAD"), re.M)
        if tags and f"v{self.version}" not in tags:
            raise Refusal(f"the tag {tags[0]} of this commit is not that of the program's version {self.version}")

    @property
    def build_folder(self):
        """The folder of the package: the program is in its folder `.build/TRIPLE/release`."""
        return self.program.parents[3]

    def resolved_packages(self):
        """Returns the file with the versions of the Swift packages from which the program was built."""
        file = self.build_folder / "Package.resolved"
        if not file.is_file():
            raise Refusal(f"there is no {file}: name the program in the folder where it was built")
        return file.read_bytes()

    @staticmethod
    def git(*arguments):
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise Refusal(f"'git {' '.join(arguments)}' fails in {ROOT}: {done.stderr.strip()}")
        return done.stdout.strip()


def manual_pages(program, work):
    """Returns the manual pages that the commands' own descriptions give, by name."""
    folder = pathlib.Path(work) / "man"
    folder.mkdir()
    subprocess.run([ROOT / "Scripts/make-man-pages.py", program, folder], check=True)
    pages = {page.name: page.read_bytes() for page in sorted(folder.glob("*.1"))}
    if "contentc.1" not in pages:
        raise Refusal("Scripts/make-man-pages.py writes no contentc.1")
    return pages


def licence_files(components):
    """Returns the licences of all that is linked, by their paths in the folder of documents."""
    files = {}
    for component in components:
        for licence in component.licences:
            files[f"licences/{component.folder}/{licence.name}"] = licence.read_bytes()
    return files


def installation(release, components):
    """Returns the bytes of each file, by its path below the prefix."""
    with tempfile.TemporaryDirectory() as work:
        files = {PROGRAM: elf.stripped(release.program, work)}
        for name, page in manual_pages(release.program, work).items():
            files[f"share/man/man1/{name}"] = page
    for shell, path in COMPLETIONS.items():
        files[path] = subprocess.run(
            [release.program, "--generate-completion-script", shell], check=True, capture_output=True).stdout
    # A shell reads the script; nobody runs it.
    files[COMPLETIONS["bash"]] = re.sub(rb"\A#!.*\n+", b"", files[COMPLETIONS["bash"]])
    for name in ("LICENSE", "NOTICE", "CHANGELOG.md"):
        files[f"{DOCUMENTS}/{name}"] = (ROOT / name).read_bytes()
    for name, licence in licence_files(components).items():
        files[f"{DOCUMENTS}/{name}"] = licence
    return dict(sorted(files.items()))


def mode(path):
    """Returns the permissions of a file, by its path below the prefix or in a package."""
    return 0o755 if path == PROGRAM or path.endswith(f"/{PROGRAM}") else 0o644
