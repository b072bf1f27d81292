#!/usr/bin/env python3
"""Runs the steps of the Dockerfile in a folder with a bare Debian, then contentc as its user, and checks the result.

usage: PYTHON Scripts/check-dockerfile.py DIST ROOT

PYTHON is printed by `Scripts/install-dockerfile-parser.sh .build/tools/dockerfile`. DIST is the folder of `make dist`
with contentc_VERSION_ARCHITECTURE.deb. ROOT is the archive of a bare Debian, which
`Scripts/install-debian-root.sh .build/tools/debian` makes.

It needs Linux and root, but no container engine: each step runs in namespaces of its own. Instructions that it does not
know fail. The commands `docker run` of docs/guides/docker.md, their options, and the page's derived image are done in the
same way.
"""
import contextlib
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dockerfile

PROJECT = Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs/guides/docker.md"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # as engines set it
OTHER = 23456  # a user whom the image does not know


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Container:
    """A folder with a system, and how to start a program in it."""

    def __init__(self, root):
        self.root = root
        self.environment = {"PATH": PATH}
        self.user = "0:0"
        self.folder = "/"
        self.signal = signal.SIGTERM
        self.entry, self.command = [], []

    def start(
            self, arguments, user=None, folder=None, mounts=(), read_only=False, environment=(), output=subprocess.PIPE):
        """Starts a program as the first process of a namespace; mounts are (source, path below the root, options)."""
        root = shlex.quote(str(self.root))
        # A mounted folder can be written although the rest is read-only, as with `docker run --read-only --volume`.
        steps = ["set -e", f"mount --bind {root} {root}", f"cd {root}"]
        steps += [f"mount -o remount,bind,ro {root}"] if read_only else []
        for source, path, options in mounts:
            place = shlex.quote(f"{self.root}{path}")
            steps += [f"mount --bind {shlex.quote(str(source))} {place}"]
            steps += [f"mount -o remount,bind,{options} {place}"] if options else []
        steps += [f"mount -t proc proc {root}/proc", 'exec "$@"']
        variables = [f"{name}={value}" for name, value in [*self.environment.items(), *environment]]
        return subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
             "sh", "-c", "\n".join(steps), "sh",
             "chroot", f"--userspec={user or self.user}", "--groups=", self.root,
             "env", "--ignore-environment", f"--chdir={folder or self.folder}", *variables, *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, text=True)

    def run(self, arguments, **settings):
        """Runs a program to its end. Returns its status and output."""
        process = self.start(arguments, **settings)
        try:
            output, _ = process.communicate(timeout=900)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure(f"{arguments} does not end") from None
        return process.returncode, output

    def contentc(self, *arguments, **settings):
        """Runs the image with arguments of `docker run`, which must succeed. Returns the output."""
        status, output = self.run(self.entry + list(arguments), **settings)
        expect(status == 0, f"'contentc {' '.join(arguments)}' ended with {status}:\n{output}")
        return output

    def files(self):
        """What is known of each file and folder, so that a change is seen."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            for name in [*folders, *names]:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                found[path.removeprefix(str(self.root))] = (
                    status.st_mode, status.st_uid, status.st_gid, status.st_size, status.st_mtime_ns,
                    status.st_ctime_ns)
        return found


def expanded(text, variables):
    """Replaces `$NAME` and `${NAME}`."""
    def value(match):
        name = match[1] or match[2]
        expect(name in variables, f"'{text}' has the unknown variable {name}")
        return variables[name]

    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", value, text)


def unquoted(text):
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def pairs(values):
    return zip(values[::2], map(unquoted, values[1::2]))


def run_step(container, step, context):
    """RUN in the form of a shell, with mounts of the context."""
    expect(not step.json and not step.heredocs, f"line {step.start_line}: only RUN with a shell command is known")
    mounts, made = [], []
    for flag in step.flags:
        options = dict(part.partition("=")[::2] for part in flag.removeprefix("--mount=").split(","))
        expect(flag.startswith("--mount=") and options.keys() == {"type", "source", "target"}, f"unknown: RUN {flag}")
        expect(options["type"] == "bind" and options["source"] in context, f"unknown: RUN {flag}")
        place = Path(f"{container.root}{options['target']}")
        if not place.exists():
            place.mkdir()
            made.append(place)
        mounts.append((context[options["source"]], options["target"], "ro"))
    for name in ["/etc/resolv.conf", "/etc/hosts"]:  # as engines do
        Path(f"{container.root}{name}").touch()
        mounts.append((name, name, "ro"))
    status, output = container.run(["/bin/sh", "-c", *step.value], mounts=mounts)
    for place in made:
        place.rmdir()
    expect(status == 0, f"line {step.start_line}: RUN ended with {status}:\n{output}")


def build(container, steps, context):
    """Does what an engine does for each instruction. Returns the name of the base image."""
    arguments, base = {}, None
    for step in steps:
        values = list(step.value)
        expect(step.cmd == "RUN" or not step.flags, f"line {step.start_line}: unknown flags {step.flags}")
        match step.cmd:
            case "ARG":
                for value in values:
                    name, separator, default = value.partition("=")
                    expect(separator, f"line {step.start_line}: ARG {name} has no default")
                    arguments[name] = unquoted(default)
            case "FROM":
                expect(base is None and len(values) == 1, f"line {step.start_line}: there is more than one stage")
                base, arguments = expanded(values[0], arguments), {}
            case "LABEL":
                pass
            case "RUN":
                run_step(container, step, context)
            case "ENV":
                for name, value in pairs(values):
                    container.environment[name] = expanded(value, container.environment)
            case "USER":
                [container.user] = values
            case "WORKDIR":
                [container.folder] = values
                expect(Path(f"{container.root}{values[0]}").is_dir(), f"{values[0]} would be made as root")
            case "STOPSIGNAL":
                container.signal = signal.Signals[values[0]]
            case "ENTRYPOINT" | "CMD":
                expect(step.json, f"line {step.start_line}: a shell would be between the engine and contentc")
                container.entry, container.command = (
                    (values, container.command) if step.cmd == "ENTRYPOINT" else (container.entry, values))
            case other:
                raise Failure(f"line {step.start_line}: {other} is unknown to this check")
    return base


def check_image(container, base):
    expect(base.startswith("debian:bookworm"), f"the base is {base}, but the check has Debian 12")
    expect(re.fullmatch(r"[1-9]\d+:[1-9]\d+", container.user), f"USER {container.user} is not a number, or is root")
    expect(not list(Path(f"{container.root}/var/lib/apt/lists").iterdir()), "the lists of apt are in the image")
    packages = [path for path in container.files() if re.search(r"/contentc[^/]*\.deb$", path)]
    expect(not packages, f"the image has {packages}")
    expect(not (container.root / "dist").exists(), "the image has the folder /dist")


def check_use(container, **settings):
    """The first minutes of a user."""
    bakery = f"{container.folder}/bakery"
    version = container.contentc("--version", **settings)
    expect(re.search(r"(?m)^libcurl \d", version), f"libcurl cannot be loaded:\n{version}")
    expect("USAGE" in container.contentc(*container.command, **settings), "the image's command prints no help")
    container.contentc("init", "bakery", **settings)
    container.contentc("check", folder=bakery, **settings)
    container.contentc("build", folder=bakery, **settings)
    again = container.contentc("build", "--json", folder=bakery, **settings)
    expect('"ok":true' in again, f"the second build says {again}")
    container.contentc("publish", "qa", folder=bakery, **settings)


def check_owner(container):
    """contentc writes below /work only, as the image's user."""
    before = container.files()
    number = int(container.user.split(":")[0])
    check_use(container)
    after = container.files()
    changed = sorted(path for path in after if after[path] != before.get(path))
    expect(before.keys() <= after.keys(), "contentc removed files of the image")
    expect(any(path.endswith("/config.plist") for path in changed), "contentc has built nothing")
    for path in changed:
        expect(path == container.folder or path.startswith(f"{container.folder}/"), f"contentc wrote {path}")
        expect(after[path][1] == number, f"{path} belongs to the user {after[path][1]}")


@contextlib.contextmanager
def volume(owner):
    folder = Path(tempfile.mkdtemp(prefix="contentc-volume-"))
    try:
        os.chown(folder, owner, owner)
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


def check_other_user(container):
    """`docker run --read-only --user OTHER --volume FOLDER:/work` writes with that number into the folder, only."""
    with volume(OTHER) as folder:
        before = container.files()
        check_use(
            container, user=f"{OTHER}:{OTHER}", mounts=[(folder, container.folder, "")], read_only=True)
        expect(container.files() == before, "contentc changed the image")
        owners = {path.lstat().st_uid for path in sorted(folder.rglob("*"))}
        expect(owners == {OTHER}, f"files in the folder belong to the users {owners}")


def check_foreign_folder(container):
    """A folder of another user gives one error, with its path."""
    with volume(OTHER) as folder:
        mounts = [(folder, container.folder, "")]
        container.contentc("init", "bakery", user=f"{OTHER}:{OTHER}", mounts=mounts)
        before = sorted(folder.rglob("*"))
        container.contentc("check", folder=f"{container.folder}/bakery", mounts=mounts)
        status, output = container.run([*container.entry, "build"], folder=f"{container.folder}/bakery", mounts=mounts)
        expect(status not in (0, None) and status < 128, f"a build without permission ended with {status}:\n{output}")
        expect("ermission denied" in output and "[unwritable]" in output, f"a build without permission says:\n{output}")
        expect(sorted(folder.rglob("*")) == before, "a build without permission wrote files")
        for shown in blocks("text"):
            expect(shown in output, f"a build without permission does not print the page's error, but:\n{output}")


def check_stop(container):
    """`docker stop` ends the preview, and a command that waits, at once."""
    bakery = f"{container.folder}/bakery"
    os.mkfifo(f"{container.root}{bakery}/pipe.yaml")
    os.chmod(f"{container.root}{bakery}/pipe.yaml", 0o666)
    stop(container, ["preview", "--port", "0"], lambda child, text: "http://" in text(), folder=bakery)
    # Nobody writes into the pipe.
    stop(
        container, ["convert", "pipe.yaml", "--to", "json"], lambda child, text: has_handler(child, signal.SIGINT),
        folder=bakery)


def blocks(language):
    """The code blocks of the page in a language."""
    found = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE.read_text())
    expect(found, f"{PAGE.name} has no block of {language}")
    return found


def check_page(container):
    """The commands of docs/guides/docker.md work, and so does the image that the page derives."""
    lines = "".join(blocks("sh")).replace("\\\n", " ").splitlines()
    lines = [line for line in lines if line not in ("make dist", "docker build --tag contentc .")]
    with volume(OTHER) as project, volume(OTHER) as home, volume(int(container.user.split(":")[0])) as shop:
        container.contentc("init", user=f"{OTHER}:{OTHER}", mounts=[(project, container.folder, "")])
        settings = project / "content/content.yaml"
        text = settings.read_text()
        settings.write_text(text.replace("\nchannels:\n", "\nchannels:\n  production: {target: site}\n"))
        expect(settings.read_text() != text, "the new project has no channels")
        for name in (".aws", ".config/contentc"):
            (home / name).mkdir(parents=True)
        for line in lines:
            run_line(container, line, {"PWD": str(project), "HOME": str(home), "USER": "ada", "shop": str(shop)})
    for text in blocks("dockerfile"):
        expect(build(container, dockerfile.parse_string(text), {}) == "contentc", "the page derives from another image")
        status, output = container.run(["rclone", "version"])
        expect(status == 0, f"the derived image has no rclone:\n{output}")


def run_line(container, line, variables):
    """Does what an engine does for a line `docker run …`. A preview gets a free port, and is stopped."""
    words = [expanded(word, variables) for word in shlex.split(line.replace("$(id -u):$(id -g)", f"{OTHER}:{OTHER}"))]
    expect(words[:3] == ["docker", "run", "--rm"], f"'{line}' is unknown to this check")
    options, arguments = words[3:words.index("contentc")], words[words.index("contentc") + 1:]
    settings = {"mounts": [], "environment": []}
    for option, value in zip(options[::2], options[1::2], strict=True):
        match option:
            case "--user":
                settings["user"] = value
            case "--workdir":
                settings["folder"] = value
            case "--env":
                settings["environment"].append((value, "value"))
            case "--volume":
                source, place, *mode = value.split(":")
                Path(f"{container.root}{place}").mkdir(parents=True, exist_ok=True)
                settings["mounts"].append((variables.get(source, source), place, ",".join(mode)))
            case "--publish":
                expect(value.endswith(f":{arguments[arguments.index('--port') + 1]}"), f"'{line}' publishes another port")
            case _:
                raise Failure(f"{option} in '{line}' is unknown to this check")
    if arguments[0] == "preview":
        arguments[arguments.index("--port") + 1] = "0"
        stop(container, arguments, lambda child, text: "http://" in text(), **settings)
    else:
        container.contentc(*arguments, **settings)


def stop(container, arguments, is_ready, **settings):
    """Starts contentc, and sends it the signal of `docker stop` as soon as it is ready."""
    name = f"'contentc {arguments[0]}'"
    with tempfile.TemporaryFile("w+") as output:
        process = container.start([*container.entry, *arguments], output=output, **settings)
        try:
            def text():
                output.seek(0)
                return output.read()

            def child():
                # The child of `unshare` is the first process in the container.
                found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                return int(found[0]) if found else None

            def ready():
                return process.poll() is None and child() is not None and is_ready(child(), text)

            wait(ready, lambda: f"{name} does not start:\n{text()}")
            os.kill(child(), container.signal)
            wait(lambda: process.poll() is not None, lambda: f"{container.signal.name} does not end {name}")
        finally:
            process.kill()
            process.wait()


def has_handler(process, number):
    """True if a process runs contentc, which has a handler for a signal."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return status["Name"].strip() == "contentc" and int(status["SigCgt"], 16) >> (number - 1) & 1 == 1


def wait(condition, message):
    end = time.monotonic() + 10
    while not condition():
        expect(time.monotonic() < end, message())
        time.sleep(0.05)


def size(container):
    """The bytes of all files, each once."""
    statuses = [os.lstat(f"{container.root}{path}") for path in container.files()]
    files = {status.st_ino: status.st_blocks * 512 for status in statuses if stat.S_ISREG(status.st_mode)}
    return sum(files.values())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    dist, archive = map(Path, sys.argv[1:])
    expect(list(dist.glob("contentc_*.deb")), f"{dist} has no package contentc_….deb: run 'make dist'")
    expect(os.geteuid() == 0, "the steps need root, as an engine does")
    steps = dockerfile.parse_file(str(PROJECT / "Dockerfile"))
    root = Path(tempfile.mkdtemp(prefix="contentc-image-"))
    try:
        root.chmod(0o755)
        subprocess.run(["tar", "--extract", "--numeric-owner", "--file", archive, "--directory", root], check=True)
        container = Container(root)
        bare = size(container)
        base = build(container, steps, {"dist": dist.resolve()})
        print(f"built: {(size(container) - bare) / 1e6:.0f} MB more than the base")
        for check in [check_owner, check_other_user, check_foreign_folder, check_stop, check_page]:
            check_image(container, base)
            check(container)
            print(f"passed: {check.__doc__.splitlines()[0]}")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"check-dockerfile.py: {failure}")
