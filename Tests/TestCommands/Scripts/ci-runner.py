"""Runs the GitHub action and the example workflows, and the jobs for GitLab, as the runners of these services do.

ci-runner.py CONTENTC CHECKOUT TEST…: CONTENTC is the program that the releases of these tests contain.

Steps run as they are in the files: the expressions are evaluated, and the scripts get a runner's variables and files.
Releases come from an HTTPS server on loopback with a certificate of its own. The API of GitHub is a program `gh` that
records its calls, and enforces GitHub's limits. The judges are the published schemas, zizmor and ShellCheck.
"""

import functools
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import ssl
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
import warnings
import zipfile

import markdown_it
import yaml

CONTENTC, CHECKOUT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ACTIONS, EXAMPLES = CHECKOUT / ".github/actions", CHECKOUT / "Examples/ci"
TOOLS = pathlib.Path(sys.executable).parent
VERSION = subprocess.run([CONTENTC, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
PROCESSOR = os.uname().machine
ARCHIVE = f"contentc-{VERSION}-linux-{PROCESSOR}.tar.xz"
SHA = "0123456789abcdef0123456789abcdef01234567"
HOSTILE = ["$(touch pwned)`touch pwned`${IFS}%0A::set-output name=a::b", "'; touch pwned; '", '"; touch pwned; "',
           "a\ntouch pwned\nrelease=999\n::set-output name=a::b", "--version", "../../../pwned"]


def filled(text, sha256=""):
    """The text of an example with values for its placeholders."""
    return text.replace("COMMIT", SHA).replace("vVERSION", f"v{VERSION}").replace(" VERSION", f" {VERSION}").replace(
        " SHA256", f" '{sha256}'")


def value(words, context):
    """The value of an expression of GitHub, without its braces."""
    source = ""
    for text, name, operator in re.findall(r"('[^']*')|([A-Za-z_][\w.-]*(?:\(\))?)|(==|!=|&&|\|\||!|\(|\))", words):
        if operator:
            source += {"&&": " and ", "||": " or ", "!": " not "}.get(operator, operator)
        elif text:
            source += repr(text[1:-1])
        elif name in ("cancelled()", "always()"):
            source += str(name == "always()")
        else:
            found = context
            for key in name.split("."):
                found = found.get(key, "") if isinstance(found, dict) else ""
            source += repr(found)
    return eval(source, {"__builtins__": {}})


def expanded(text, context):
    """A text of a workflow with the values of its expressions."""
    def one(found):
        result = value(found.group(1), context)
        return str(result).lower() if isinstance(result, bool) else str(result)
    return re.sub(r"\$\{\{(.*?)\}\}", one, str(text).lower() if isinstance(text, bool) else str(text), flags=re.DOTALL)


class Releases(http.server.ThreadingHTTPServer):
    """The files of a release, by their paths, on an HTTPS server."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Download)
        self.files, self.redirects, self.truncated = {}, {}, set()
        self.certificate = folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=releases", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem",
             "-out", self.certificate], check=True, capture_output=True)
        secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure.load_cert_chain(self.certificate, folder / "key.pem")
        self.socket = secure.wrap_socket(self.socket, server_side=True)
        self.address = f"https://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Ignores clients that leave."""


class Download(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path in self.server.redirects:
            self.send_response(302)
            self.send_header("Location", self.server.redirects[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        found = self.server.files.get(self.path)
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Length", str(len(found or b"")))
        self.end_headers()
        if found:
            self.wfile.write(found[:len(found) // 2] if self.path in self.server.truncated else found)

    def log_message(self, *words):
        pass


@functools.cache
def packed(program, version=VERSION):
    """An archive as `make dist` packs it, but compressed faster."""
    top, data = f"contentc-{version}-linux-{PROCESSOR}", io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz", preset=0) as archive:
        archive.add(program, f"{top}/bin/contentc")
    return data.getvalue()


class Case(unittest.TestCase):
    """A test with a runner's folders, and a server with one release."""

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.releases = Releases(cls.shared)
        cls.addClassCleanup(cls.releases.shutdown)
        cls.data = packed(PROGRAM)
        cls.sha256 = hashlib.sha256(cls.data).hexdigest()
        cls.releases.files[f"/OWNER/contentc/releases/download/v{VERSION}/{ARCHIVE}"] = cls.data
        cls.release = f"{cls.releases.address}/OWNER/contentc/releases/download/v{VERSION}"

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.workspace, self.temp = self.root / "workspace", self.root / "temp"
        for folder in (self.workspace, self.temp, self.root / "home", self.root / "bin"):
            folder.mkdir()
        for name in ("path", "output", "summary"):
            (self.root / name).touch()
        self.used, self.log = [], ""

    def environment(self, **more):
        path = ":".join([*reversed((self.root / "path").read_text().split("\n")), f"{self.root}/bin", os.environ["PATH"]])
        return {
            "PATH": path.lstrip(":"), "HOME": str(self.root / "home"), "CURL_CA_BUNDLE": str(self.releases.certificate),
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.workspace), "RUNNER_TEMP": str(self.temp),
            "GITHUB_PATH": str(self.root / "path"), "GITHUB_OUTPUT": str(self.root / "output"),
            "GITHUB_STEP_SUMMARY": str(self.root / "summary"), "GITHUB_EVENT_PATH": str(self.root / "event.json"),
            "AWS_EC2_METADATA_DISABLED": "true", **more}

    def bash(self, script, environment, folder):
        """Runs a script as the runners do, and returns its status."""
        file = self.root / "script.sh"
        file.write_text(script)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", file], cwd=folder, env=environment, timeout=120,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.log += done.stdout.decode("utf-8", "replace")
        return done.returncode

    def context(self, event="push", **more):
        return {"github": {
            "server_url": self.releases.address, "repository": "shop/content", "action_repository": "OWNER/contentc",
            "event_name": event, "sha": SHA, "run_id": 7, "run_attempt": 1, "token": "token of the job", "event": more}}

    def act(self, name, inputs, context, environment=()):
        """Runs the steps of an action of this repository; returns the status of the first that fails, and the outputs."""
        action = yaml.safe_load((ACTIONS / name / "action.yml").read_text())
        self.assertLessEqual(set(inputs), set(action["inputs"]))
        context = {**context, "steps": {}, "inputs": {
            key: expanded(inputs.get(key, each.get("default", "")), context) for key, each in action["inputs"].items()}}
        status = 0
        for step in action["runs"]["steps"]:
            condition = step.get("if", "always()").removeprefix("${{").removesuffix("}}")
            if status and "always()" not in condition or not value(condition, context):
                continue
            if "uses" in step:
                given = {key: expanded(each, context) for key, each in step["with"].items()}
                self.used.append((step["uses"].split("@")[0], given))
                outputs = {"cache-primary-key": given["key"]} if self.used[-1][0] == "actions/cache/restore" else {}
                context["steps"][step.get("id", "")] = {"outputs": outputs}
                continue
            self.assertEqual(step["shell"], "bash")
            (self.root / "output").write_text("")
            variables = {key: expanded(each, context) for key, each in step["env"].items()}
            status = status or self.bash(
                step["run"], self.environment(GITHUB_ACTION_PATH=str(ACTIONS / name), **dict(environment), **variables),
                self.workspace)
            outputs = dict(line.split("=", 1) for line in (self.root / "output").read_text().splitlines())
            context["steps"][step.get("id", "")] = {"outputs": outputs}
        return status, {key: expanded(each["value"], context) for key, each in action.get("outputs", {}).items()}

    def contentc(self, **inputs):
        """Runs the action contentc with a verified release."""
        return self.act("contentc", {"version": VERSION, "sha256": self.sha256, **inputs}, self.context())

    def bakery(self, folder, **edits):
        """Makes the small project of `contentc init`, with edits of its croissant."""
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([CONTENTC, "init", "--quiet", folder.name], cwd=folder.parent, check=True, capture_output=True)
        file = folder / "content/entries/product/croissant.yaml"
        for old, new in edits.items():
            self.assertIn(f"{old}:", file.read_text())
            file.write_text(re.sub(f"(?m)^{old}:.*$", new, file.read_text()))

    def assert_nothing_ran(self):
        self.assertEqual([path for path in self.root.rglob("pwned*")], [], self.log)


class Files(Case):
    """The files, by their published schemas and the rules of linters."""

    def judge(self, *words, status=0):
        environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(done.returncode != 0, status != 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def schema(self, name, *paths, status=0):
        self.judge(TOOLS / "check-jsonschema", "--builtin-schema", f"vendor.{name}", *paths, status=status)

    def repository(self):
        """A copy of the files as a user's repository has them."""
        shutil.copytree(ACTIONS, self.workspace / ".github/actions")
        (self.workspace / ".github/workflows").mkdir()
        for file in (EXAMPLES / "github").glob("*.yml"):
            (self.workspace / ".github/workflows" / file.name).write_text(filled(file.read_text(), self.sha256))
        subprocess.run(["git", "init", "--quiet", self.workspace], check=True)
        return self.workspace / ".github"

    def test_github_files_follow_their_schemas(self):
        folder = self.repository()
        self.schema("github-workflows", *folder.glob("workflows/*"), *CHECKOUT.glob(".github/workflows/*.yml"))
        self.schema("github-actions", *folder.glob("actions/*/action.yml"))
        bad = self.root / "bad.yml"
        bad.write_text("on: push\njobs: {a: {steps: [{run: echo, permissions: {}}]}}\n")
        self.schema("github-workflows", bad, status=1)

    def test_gitlab_files_follow_their_schema(self):
        documents = list(yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text()))
        self.assertEqual(len(documents), 2)
        paths = []
        for number, document in enumerate(documents):
            paths.append(self.root / f"{number}.yml")
            paths[-1].write_text(yaml.safe_dump(document))
        self.schema("gitlab-ci", "--data-transform", "gitlab-ci", *paths, EXAMPLES / "gitlab/.gitlab-ci.yml")
        paths[0].write_text("job: {script: [a], artifacts: {reports: {codequality: {}}}}\n")
        self.schema("gitlab-ci", paths[0], status=1)

    def test_inputs_of_the_gitlab_example_are_declared(self):
        spec, jobs = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        named = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", yaml.safe_dump(jobs)))
        self.assertEqual(named, set(spec["spec"]["inputs"]))
        given = yaml.safe_load((EXAMPLES / "gitlab/.gitlab-ci.yml").read_text())["include"][0]["inputs"]
        required = {name for name, each in spec["spec"]["inputs"].items() if "default" not in each}
        self.assertEqual(required, set(given))

    def test_zizmor_finds_no_weakness(self):
        folder = self.repository()
        command = (TOOLS / "zizmor", "--offline", "--no-progress", "--persona", "auditor", folder.parent)
        self.assertIn("No findings to report", self.judge(*command))
        (folder / "workflows/bad.yml").write_text(
            "on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n"
            "    - run: echo ${{ github.event.pull_request.title }}\n")
        self.assertIn("template-injection", self.judge(*command, status=1))

    def test_shellcheck_finds_no_mistake(self):
        scripts = [*ACTIONS.glob("*/*.sh"), CHECKOUT / "Scripts/install-ci-judges.sh"]
        _, jobs = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        for name, job in jobs.items():
            scripts.append(self.root / f"{name}.sh")
            scripts[-1].write_text("#!/bin/bash\n" + "\n".join(job.get("before_script", []) + job.get("script", [])))
        self.judge(TOOLS / "shellcheck", *scripts)

    def test_no_expression_is_part_of_a_script(self):
        release = CHECKOUT / ".github/workflows/release.yml"
        for path in [*ACTIONS.glob("*/action.yml"), *(EXAMPLES / "github").glob("*.yml"), release]:
            document = yaml.safe_load(path.read_text())
            steps = document["runs"]["steps"] if "runs" in document else [
                step for job in document["jobs"].values() for step in job["steps"]]
            for step in steps:
                self.assertNotIn("${{", step.get("run", ""), path)
                if "uses" in step:
                    self.assertRegex(step["uses"], "@([0-9a-f]{40}|COMMIT)$")
        _, jobs = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        for job in jobs.values():
            self.assertNotIn("$[[", "".join(job.get("before_script", []) + job.get("script", [])))

    def test_documented_commands_fill_in_the_examples(self):
        workflows = ["proposal.yml", "proposal-comment.yml", "publish.yml"]
        for page, names in (("github", workflows), ("gitlab", [".gitlab-ci.yml"])):
            folder = self.workspace / page
            (folder / ".github/workflows").mkdir(parents=True)
            place = folder / (".github/workflows" if page == "github" else "")
            for name in names:
                shutil.copy(EXAMPLES / page / name, place)
            text = (CHECKOUT / f"docs/guides/ci-{page}.md").read_text()
            script = re.search(r"```sh\n(owner=.*?)```", text, re.DOTALL).group(1)
            # The tag of a release is a tag of its own, so the server names its commit, too.
            git = self.root / "bin/git"
            lines = f"{'f' * 40}\\trefs/tags/v1.2.3\\n{SHA}\\trefs/tags/v1.2.3^{{}}\\n"
            git.write_text(f"#!/bin/sh\nprintf '{lines}'\n")
            git.chmod(0o755)
            self.assertEqual(self.bash(script, self.environment(), folder), 0, self.log)
            for name in names:
                made = (place / name).read_text()
                self.assertNotRegex(made, "OWNER|COMMIT|VERSION|SHA256")
                self.assertIn("1.2.3", made)
                if page == "github":
                    self.assertIn("acme/contentc/.github/actions/", made)
                    self.assertIn(f"@{SHA} # v1.2.3", made)

    def test_documented_commands_make_a_project_with_a_role(self):
        """Runs the other blocks of each page in order, except for those that ask GitHub or GitLab."""
        install = (CHECKOUT / "docs/start/install.md").read_text()
        (verification,) = re.findall(r"```sh\n(type=.*?)```", install, re.DOTALL)
        (self.root / "bin/contentc").symlink_to(CONTENTC)
        aws = self.root / "bin/aws"
        aws.write_text("#!/bin/sh\n")
        aws.chmod(0o755)
        for page in ("docs/guides/ci-github.md", "docs/guides/ci-gitlab.md"):
            text = (CHECKOUT / page).read_text()
            blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", text)
            init, check, fill, *rest, push = [block for block in blocks if not block.startswith("gh ")]
            (role,) = rest
            remote, folder = self.root / f"{pathlib.Path(page).stem}.git", self.root / pathlib.Path(page).stem
            subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
            subprocess.run(["git", "clone", "--quiet", remote, folder], check=True, capture_output=True)
            subprocess.run(["git", "switch", "--quiet", "--create", "main"], cwd=folder, check=True)
            identity = {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
            environment = self.environment(**identity)
            self.assertEqual(self.bash(init, environment, folder), 0, self.log)
            settings = folder / "content/content.yaml"
            (channels,) = re.findall(r"(?ms)^```yaml\n(channels:\n.*?)^```$", text)
            settings.write_text(settings.read_text().split("channels:\n")[0] + channels)
            self.assertEqual(self.bash("contentc check --quiet", environment, folder), 0, self.log)
            # SignedSumsTests runs these commands.
            self.assertEqual(check, f"{verification}grep linux-x86_64.tar.xz SHA256SUMS\n")
            self.assertTrue(fill.startswith("owner="), fill)
            self.assertEqual(self.bash(role, environment, self.temp), 0, self.log)
            for name in re.findall(r"file://([\w.]+)", role):
                self.assertEqual(json.loads((self.temp / name).read_text())["Version"], "2012-10-17")
            self.assertEqual(self.bash(push, environment, folder), 0, self.log)
            pushed = subprocess.run(
                ["git", "ls-tree", "-r", "--name-only", "main"], cwd=remote, check=True, capture_output=True, text=True)
            self.assertIn("content/content.yaml", pushed.stdout)

    def test_documented_gates_of_coverage_follow_their_schema(self):
        text = (CHECKOUT / "docs/guides/add-a-language.md").read_text()
        step, job = map(yaml.safe_load, re.findall(r"(?ms)^```yaml\n(.*?)^```$", text))
        for command in (step[0]["run"], job["coverage"]["script"]):
            # PageWalkTests types the same command.
            self.assertIn(f"$ {command}\n", text)
        file = self.root / "coverage.yml"
        file.write_text(yaml.safe_dump(job))
        self.schema("gitlab-ci", "--data-transform", "gitlab-ci", file)

    def test_documented_exchange_of_translations_runs(self):
        """The service translates one text anew. Its programs, and GitHub's, are scripts that note how they were called."""
        text = (CHECKOUT / "docs/guides/translating.md").read_text()
        (workflow,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", text)
        file = self.root / "translations.yml"
        file.write_text(workflow)
        self.schema("github-workflows", file)
        self.bakery(self.workspace)
        settings = self.workspace / "content/content.yaml"
        settings.write_text(re.sub(r"(?m)^locales: \[.*?\]", "locales: [en, fr, fr-CA, de, ja]", settings.read_text()))
        (self.root / "bin/contentc").symlink_to(CONTENTC)
        for path, script in (
                (self.workspace / "fetch-translations.sh",
                 'contentc translations export --locale fr --to xliff -o "$1/fr.xliff"\n'
                 'sed -i "s/Croissant au beurre/Croissant pur beurre/" "$1/fr.xliff"'),
                (self.workspace / "send-texts.sh", f'ls "$1" > "{self.root}/sent"'),
                (self.root / "bin/gh", f'echo "$*" >> "{self.root}/gh"')):
            path.write_text(f"#!/bin/sh -e\n{script}\n")
            path.chmod(0o755)
        remote = self.root / "remote.git"
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", self.workspace]
        subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
        for words in (["init", "--quiet"], ["remote", "add", "origin", remote], ["add", "."],
                      ["commit", "--quiet", "--message", "Begin"]):
            subprocess.run([*git, *words], check=True)
        for step in yaml.safe_load(workflow)["jobs"]["exchange"]["steps"]:
            if "run" in step:
                self.assertEqual(self.bash(step["run"], self.environment(), self.workspace), 0, self.log)
        self.assertEqual((self.root / "sent").read_text().split(), ["de.xliff", "fr.xliff", "ja.xliff"])
        self.assertIn("pr create --fill --head translations\n", (self.root / "gh").read_text())
        pushed = subprocess.run(
            ["git", "show", "translations"], cwd=remote, check=True, capture_output=True, text=True).stdout
        self.assertIn("Croissant pur beurre", pushed)

    def test_documents_name_every_input_and_output(self):
        action = yaml.safe_load((ACTIONS / "contentc/action.yml").read_text())
        page = (CHECKOUT / "docs/guides/ci-github.md").read_text().split("## The action")[1]
        for name in [*action["inputs"], *action["outputs"]]:
            self.assertIn(f"`{name}`", page)
        spec, _ = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        for name in spec["spec"]["inputs"]:
            self.assertIn(f"`{name}`", (CHECKOUT / "docs/guides/ci-gitlab.md").read_text())

    def test_documents_quote_the_messages_of_the_scripts(self):
        scripts = "".join(path.read_text() for path in ACTIONS.glob("*/*") if path.suffix in (".sh", ".py"))
        scripts = re.sub(r"\$\{[^}\n]*\}|\$\w+|\{[^{}\n]*\}", "…", scripts)
        page = (CHECKOUT / "docs/guides/ci-github.md").read_text().split("## If it does not work")[1]
        own = re.findall(
            r"(?m)^\| `((?:'sha256'|… has the checksum|the installed program|The base|nothing to post).*?)`", page)
        self.assertEqual(len(own), 6)
        for message in own:
            parts = [part.strip() for part in re.split("…|'contentc-proposal'", message) if len(part.strip()) > 2]
            for part in parts:
                self.assertTrue(part in scripts, part)

    def test_only_the_job_that_publishes_gets_a_token(self):
        jobs = {
            path.stem: list(yaml.safe_load(path.read_text())["jobs"].values())
            for path in (EXAMPLES / "github").glob("*.yml")}
        permissions = {name: [job["permissions"] for job in found] for name, found in jobs.items()}
        self.assertEqual(permissions, {
            "proposal": [{"contents": "read"}],
            "proposal-comment": [{"actions": "read", "pull-requests": "write"}],
            "publish": [{"contents": "read", "id-token": "write"}]})
        for name in ("proposal", "proposal-comment"):
            self.assertNotIn("secrets.", (EXAMPLES / f"github/{name}.yml").read_text())
        _, gitlab = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        self.assertEqual([name for name, job in gitlab.items() if "id_tokens" in job], ["contentc-publish"])
        self.assertEqual(gitlab["contentc-publish"]["rules"], [
            {"if": '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_COMMIT_REF_PROTECTED == "true"'}])
        self.assertEqual(["contentc-comment" in step["uses"] for step in jobs["proposal-comment"][0]["steps"]], [True])


class Install(Case):
    """What install.sh accepts."""

    def assert_refused(self, message, status=1, **inputs):
        self.log = ""
        found, _ = self.contentc(check="false", **inputs)
        self.assertEqual(found, status, self.log)
        self.assertIn("::error title=contentc::", self.log)
        self.assertIn(message, self.log)
        self.assertEqual((self.root / "path").read_text(), "")
        self.assertEqual([path for path in self.temp.rglob("contentc") if path.is_file()], [])

    def test_installs_the_release_for_later_steps(self):
        status, _ = self.contentc(check="false")
        self.assertEqual(status, 0, self.log)
        self.assertEqual(self.bash("contentc --version", self.environment(), self.workspace), 0)
        found = self.bash("command -v contentc", self.environment(), self.workspace)
        self.assertEqual(found, 0)
        self.assertIn(f"{self.temp}/contentc-{VERSION}/", self.log)

    def test_refuses_a_wrong_checksum(self):
        self.assert_refused(f"has the checksum {self.sha256}, and 'sha256' is {'0' * 64}", sha256="0" * 64)

    def test_refuses_a_replaced_archive(self):
        path = f"/replaced/{ARCHIVE}"
        self.releases.files[path] = self.data + b"\0"
        self.assert_refused(
            "one of them is not what you verified", downloads=f"{self.releases.address}/replaced")

    def test_refuses_a_truncated_download(self):
        path = f"/truncated/{ARCHIVE}"
        self.releases.files[path] = self.data
        self.releases.truncated.add(path)
        self.assert_refused("cannot download", downloads=f"{self.releases.address}/truncated/")

    def test_refuses_a_missing_release(self):
        self.assert_refused("(curl ended with 22)", downloads=f"{self.releases.address}/missing")

    def test_refuses_to_leave_https(self):
        self.releases.redirects[f"/redirected/{ARCHIVE}"] = f"http://127.0.0.1:9/{ARCHIVE}"
        self.assert_refused("(curl ended with 1)", downloads=f"{self.releases.address}/redirected")
        self.assert_refused("'downloads' must begin with https://", downloads="http://127.0.0.1:9")

    def test_refuses_an_unknown_server(self):
        certificate = self.releases.certificate
        self.releases.certificate = "/dev/null"
        try:
            self.assert_refused("cannot download")
        finally:
            self.releases.certificate = certificate

    def test_refuses_another_version_in_the_archive(self):
        data = packed(PROGRAM, "99.0.0")
        self.releases.files[f"/other/contentc-99.0.0-linux-{PROCESSOR}.tar.xz"] = data
        found, _ = self.act("contentc", {
            "version": "99.0.0", "sha256": hashlib.sha256(data).hexdigest(), "check": "false",
            "downloads": f"{self.releases.address}/other"}, self.context())
        self.assertEqual(found, 1)
        self.assertIn(f"the archive contains contentc {VERSION} instead of 99.0.0", self.log)
        self.assertEqual((self.root / "path").read_text(), "")

    def test_refuses_inputs_without_a_meaning(self):
        self.assert_refused("'version' must be a number such as 1.2.3, without a 'v'; it is 'v1.2.3'", version="v1.2.3")
        self.assert_refused("'sha256' must have 64 digits", sha256=self.sha256.upper())
        self.assert_refused("'build' must be 'true' or 'false'; it is 'yes'", build="yes")
        self.assert_refused("'working-directory' must be a path", **{"working-directory": "a*"})
        self.assert_refused("'content' must be a path", content="")

    def test_runs_no_text_of_an_input(self):
        self.bakery(self.workspace)
        for name in ("version", "sha256", "working-directory", "content", "build", "downloads", "diff", "base", "publish",
                     "message", "not-below"):
            for text in HOSTILE:
                with self.subTest(name=name, text=text):
                    self.log = ""
                    inputs = {"downloads": self.release, name: text}
                    if name in ("message", "not-below"):
                        inputs["publish"] = "qa"
                    status, outputs = self.contentc(**inputs)
                    self.assert_nothing_ran()
                    self.assertNotEqual(outputs["release"], "999")
                    if name not in ("message", "base"):
                        self.assertNotEqual(status, 0, self.log)
                    for line in self.log.splitlines():
                        self.assertFalse(line.startswith("::set-output"), line)


class Steps(Case):
    """The steps of the action after the installation."""

    def test_checks_content(self):
        self.bakery(self.workspace / "shop")
        status, _ = self.contentc(**{"working-directory": "shop"})
        self.assertEqual(status, 0, self.log)
        self.assertFalse((self.workspace / "shop/out").exists())

    def test_ends_with_the_status_of_a_failed_check(self):
        self.bakery(self.workspace, title="tittle: Croissant")
        status, outputs = self.contentc(publish="qa")
        self.assertEqual(status, 1)
        self.assertIn("unknown field 'tittle'", self.log)
        self.assertIn("::error ", self.log)
        self.assertEqual(outputs["release"], "")
        self.assertFalse((self.workspace / "site").exists())

    def test_builds_content_of_another_folder(self):
        self.bakery(self.workspace / "shop")
        (self.workspace / "shop/content").rename(self.workspace / "shop/texts")
        status, _ = self.contentc(**{"working-directory": "shop", "content": "texts", "build": "true"})
        self.assertEqual(status, 0, self.log)
        self.assertTrue((self.workspace / "shop/out/preview/config.plist").exists())

    def test_publishes_once(self):
        self.bakery(self.workspace)
        status, outputs = self.contentc(publish="qa", message='It\'s "$(touch pwned)"', check="false")
        self.assertEqual(status, 0, self.log)
        self.assertEqual((outputs["release"], outputs["changed"]), ("1", "true"))
        self.assertRegex(outputs["record"], "^[0-9a-f]{64}$")
        history = subprocess.run(
            [CONTENTC, "history", "qa", "--json"], cwd=self.workspace, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(history.stdout)["releases"][0]["message"], 'It\'s "$(touch pwned)"')
        self.assertIn("Release 1 is live", (self.root / "summary").read_text())
        status, again = self.contentc(publish="qa", check="false")
        self.assertEqual((status, again["release"], again["changed"]), (0, "1", "false"), self.log)
        self.assert_nothing_ran()

    def test_says_that_a_release_is_live_although_a_notification_failed(self):
        self.bakery(self.workspace)
        (self.root / "settings.yaml").write_text("notify:\n  - {channel: qa, command: ['false']}\n")
        status, outputs = self.act(
            "contentc", {"version": VERSION, "sha256": self.sha256, "check": "false", "publish": "qa"}, self.context(),
            {"CONTENTC_SETTINGS": str(self.root / "settings.yaml")}.items())
        self.assertEqual(status, 3, self.log)
        self.assertEqual(outputs["release"], "1")

    def test_shows_what_a_publication_would_change(self):
        self.bakery(self.workspace)
        self.contentc(publish="qa", check="false")
        self.bakery_price("2.7")
        status, _ = self.contentc(diff="qa")
        self.assertEqual(status, 0, self.log)
        self.assertIn("2.4 → 2.7", self.log)

    def bakery_price(self, price):
        file = self.workspace / "content/entries/product/croissant.yaml"
        file.write_text(re.sub("(?m)^price:.*$", f"price: {price}", file.read_text()))

    def test_refuses_a_release_below_the_stated_one(self):
        self.bakery(self.workspace)
        self.contentc(publish="qa", check="false")
        status, _ = self.contentc(publish="qa", check="false", **{"not-below": "41"})
        self.assertNotEqual(status, 0)
        self.assertIn("41", self.log)

    def test_reports_an_unknown_channel(self):
        self.bakery(self.workspace)
        status, _ = self.contentc(publish="production", check="false")
        self.assertEqual(status, 64, self.log)
        self.assertIn("unknown channel 'production'", self.log)

    def test_keeps_the_memory_of_releases_apart(self):
        self.bakery(self.workspace)
        self.contentc(publish="qa", check="false")
        self.bakery(self.workspace / "shop")
        self.contentc(publish="qa", check="false", **{"working-directory": "shop"})
        self.assertEqual([uses for uses, _ in self.used], ["actions/cache/restore", "actions/cache/save"] * 2)
        first, saved, second, _ = (found for _, found in self.used)
        self.assertEqual(saved, {"path": first["path"], "key": first["key"]})
        self.assertEqual(first["path"], f"{self.workspace}/.contentc/signed.plist")
        self.assertTrue(pathlib.Path(first["path"]).exists())
        self.assertEqual(second["path"], f"{self.workspace}/shop/.contentc/signed.plist")
        self.assertRegex(first["key"], "^contentc-releases-[0-9a-f]{16}-7-1$")
        self.assertNotEqual(first["restore-keys"], second["restore-keys"])

    def test_saves_the_memory_although_a_notification_failed(self):
        self.bakery(self.workspace)
        settings = self.root / "settings.yaml"
        settings.write_text("notify:\n- {channel: qa, command: [/bin/false]}\n")
        inputs = {"version": VERSION, "sha256": self.sha256, "publish": "qa"}
        status, outputs = self.act("contentc", inputs, self.context(), {"CONTENTC_SETTINGS": str(settings)})
        self.assertEqual((status, outputs["release"]), (3, "1"), self.log)
        self.assertEqual([uses for uses, _ in self.used], ["actions/cache/restore", "actions/cache/save"])

    def test_saves_no_memory_without_a_release(self):
        self.bakery(self.workspace, price="prise: 2.4")
        status, _ = self.contentc(publish="qa", check="false")
        self.assertEqual(status, 1, self.log)
        self.assertEqual([uses for uses, _ in self.used], ["actions/cache/restore"])

    def test_uses_no_cache_for_the_commits_of_strangers(self):
        self.bakery(self.workspace)
        for event in ("pull_request_target", "workflow_run", "issue_comment"):
            self.act("contentc", {"version": VERSION, "sha256": self.sha256, "publish": "qa"}, self.context(event))
        self.contentc(publish="qa", cache="false")
        self.contentc()
        self.assertEqual(self.used, [])


class Workflow(Case):
    """The example workflows from a proposal to its comment."""

    def setUp(self):
        super().setUp()
        (self.root / "gh.json").write_text("{}")
        program = self.root / "bin/gh"
        program.write_text(f"#!{sys.executable}\n{GH}")
        program.chmod(0o755)
        self.artifacts = {}

    def run_workflow(self, name, context, checkouts, environment=()):
        """Runs the steps of the only job of an example; returns the status of the first that fails."""
        workflow = yaml.safe_load(filled((EXAMPLES / f"github/{name}.yml").read_text(), self.sha256))
        (job,) = workflow["jobs"].values()
        context = {**context, "steps": {}}
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", self.workspace]
        if "if" in job and not value(job["if"], context):
            return None
        status = 0
        for step in job["steps"]:
            inputs = {key: expanded(each, context) for key, each in step.get("with", {}).items()}
            condition = step.get("if", "").removeprefix("${{").removesuffix("}}")
            if condition and not value(condition, context) or status and "cancelled()" not in condition:
                continue
            uses = step.get("uses", "").split("@")[0]
            if "run" in step:
                (self.root / "output").write_text("")
                status = status or self.bash(step["run"], self.environment(), self.workspace)
                outputs = dict(line.split("=", 1) for line in (self.root / "output").read_text().splitlines())
                context["steps"][step.get("id", "")] = {"outputs": outputs}
            elif uses == "actions/checkout":
                self.assertEqual(inputs["persist-credentials"], "false")
                source = checkouts[""]
                if "ref" in inputs:
                    parent = subprocess.run([*git, "rev-parse", "HEAD^1"], check=True, capture_output=True, text=True)
                    self.assertEqual(inputs["ref"], parent.stdout.strip())
                    source = checkouts["base"]
                shutil.copytree(source, self.workspace / inputs.get("path", ""), symlinks=True, dirs_exist_ok=True)
                if inputs.get("fetch-depth") == "2":
                    subprocess.run([*git, "init", "--quiet"], check=True)
                    for message in ("Base", "Merge"):
                        subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", message], check=True)
            elif uses == "actions/upload-artifact":
                data, folder = io.BytesIO(), pathlib.Path(inputs["path"])
                with zipfile.ZipFile(data, "w") as archive:
                    for file in sorted(folder.rglob("*")):
                        archive.write(file, file.relative_to(folder))
                self.artifacts[inputs["name"]] = data.getvalue()
            else:
                self.assertTrue(uses.startswith("OWNER/contentc/.github/actions/"))
                failed, outputs = self.act(uses.split("/")[-1], inputs, context, environment)
                context["steps"][step.get("id", "")] = {"outputs": outputs}
                status = status or failed
        return status

    def propose(self, number=17, **edits):
        """Runs the workflow of proposals for an edited bakery."""
        self.bakery(self.root / "base")
        self.bakery(self.root / "proposal", **edits)
        pull = {"number": number, "base": {"sha": "f" * 40}, "head": {"sha": SHA}}
        return self.run_workflow("proposal", self.context("pull_request", pull_request=pull), {
            "base": self.root / "base", "": self.root / "proposal"})

    def github(self, number=17, conclusion="success", head=SHA, artifacts=None, comments=(), pulls=None, **run):
        """Sets what GitHub knows, and the event of the finished run."""
        repository = {"id": 1, "full_name": "shop/content", "html_url": "https://github.com/shop/content"}
        fork = {"id": 2, "owner": {"login": "stranger"}}
        artifacts = self.artifacts if artifacts is None else artifacts
        known = {
            "pulls": pulls if pulls is not None else [
                {"number": number, "head": {"sha": head, "repo": fork}, "base": {"repo": repository}}],
            "artifacts": [
                {"id": 100 + index, "name": name, "expired": False, "size_in_bytes": len(data), "hex": data.hex()}
                for index, (name, data) in enumerate(artifacts.items())],
            "comments": list(comments), "calls": []}
        (self.root / "gh.json").write_text(json.dumps(known))
        event = {"repository": repository, "workflow_run": {
            "id": 5, "event": "pull_request", "conclusion": conclusion, "head_sha": SHA, "head_branch": "patch-1",
            "head_repository": fork, **run}}
        (self.root / "event.json").write_text(json.dumps(event))
        return event

    def comment(self, event):
        """Runs the second workflow; returns its status and the calls that changed something."""
        shutil.rmtree(self.workspace)
        self.workspace.mkdir()
        before = sorted(self.root.rglob("*"))
        status = self.run_workflow("proposal-comment", {**self.context("workflow_run"), "github": {
            **self.context("workflow_run")["github"], "event": event}}, {}, {"FAKE_GH": str(self.root / "gh.json")}.items())
        after = sorted(self.root.rglob("*"))
        self.assertLessEqual(set(after) - set(before), {self.root / "script.sh"})
        self.assert_nothing_ran()
        return status, json.loads((self.root / "gh.json").read_text())["calls"]

    def posted(self, files, comments=(), **more):
        """Posts the results in an artifact with these files; returns the comment."""
        event = self.github(artifacts={"contentc-proposal": zipped(files)}, comments=comments, **more)
        status, calls = self.comment(event)
        self.assertEqual((status, len(calls)), (0, 1), self.log)
        return calls[0]

    def assert_refused(self, data, message, **more):
        self.log = ""
        status, calls = self.comment(self.github(artifacts={"contentc-proposal": data}, **more))
        self.assertEqual((status, calls), (1, []), self.log)
        self.assertIn(message, self.log)

    def assert_nothing_posted(self, event, message):
        self.log = ""
        status, calls = self.comment(event)
        self.assertIn((status, calls), ((0, []), (None, [])), self.log)
        self.assertIn(message, self.log)

    def blocks(self, body):
        """The texts of the code blocks of a comment. All else must be what the script itself writes."""
        tokens = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(body)
        self.assertLessEqual({token.type for token in tokens}, {
            "html_block", "paragraph_open", "inline", "paragraph_close", "heading_open", "heading_close", "fence"})
        outside = [token.content for token in tokens if token.type in ("html_block", "inline")]
        self.assertEqual(outside[0], "<!-- contentc: results of a proposal -->\n")
        self.assertRegex(outside[1], r"^\*\*contentc\*\* [a-z, ]+ in 0123456789ab\. "
                         r"\[The run\]\(https://github\.com/shop/content/actions/runs/5\) has annotations[a-z ,]+\.$")
        self.assertLessEqual(set(outside[2:]), {"Check", "Changes for readers"})
        return [token.content for token in tokens if token.type == "fence"]

    def test_posts_what_a_good_proposal_changes(self):
        self.assertEqual(self.propose(price="price: 2.7"), 0, self.log)
        self.assertEqual(set(self.artifacts), {"contentc-proposal", "preview"}, self.log)
        self.assertIn("2.7", (self.root / "summary").read_text())
        status, calls = self.comment(self.github())
        self.assertEqual(status, 0, self.log)
        self.assertEqual(
            [(call["method"], call["path"]) for call in calls], [("POST", "repos/shop/content/issues/17/comments")])
        check, changes = self.blocks(calls[0]["body"])
        self.assertIn("No mistakes in 4 entries", check)
        self.assertIn("2.4 → 2.7", changes)
        self.assertIn("Entries: 1 changed", changes)

    def test_posts_the_mistakes_of_a_proposal(self):
        self.assertEqual(self.propose(title="tittle: Croissant"), 1, self.log)
        self.assertEqual(set(self.artifacts), {"contentc-proposal"})
        status, calls = self.comment(self.github(conclusion="failure"))
        self.assertEqual(status, 0, self.log)
        self.assertIn("unknown field 'tittle'", self.blocks(calls[0]["body"])[0])
        # GitHub compares with the paths of the proposal's files.
        self.assertRegex(self.log, "::error [^:]*file=content/entries/product/croissant[.]yaml,")
        self.assertIn("finds mistakes", calls[0]["body"])

    def test_says_why_the_base_branch_cannot_be_compared(self):
        self.bakery(self.root / "base")
        file = self.root / "base/content/content.yaml"
        for target, reason in (("s3://bucket", "must be a folder"), ("../elsewhere", "must be a folder")):
            file.write_text(re.sub(r"target: \S+(?=\})", f"target: {target}", file.read_text()))
            shutil.rmtree(self.workspace)
            self.workspace.mkdir()
            self.bakery(self.root / "proposal")
            pull = {"number": 17, "base": {"sha": "f" * 40}, "head": {"sha": SHA}}
            self.run_workflow("proposal", self.context("pull_request", pull_request=pull), {
                "base": self.root / "base", "": self.root / "proposal"})
            with zipfile.ZipFile(io.BytesIO(self.artifacts["contentc-proposal"])) as files:
                text = files.read("changes.txt").decode()
            self.assertIn("The base branch cannot be compared", text)
            shutil.rmtree(self.root / "proposal")

    def test_says_that_a_proposal_moves_the_channel(self):
        self.bakery(self.root / "base")
        self.bakery(self.root / "proposal")
        file = self.root / "proposal/content/content.yaml"
        file.write_text(file.read_text().replace("qa: {target: site}", "qa: {target: elsewhere}"))
        pull = {"number": 17, "base": {"sha": "f" * 40}, "head": {"sha": SHA}}
        self.assertEqual(self.run_workflow("proposal", self.context("pull_request", pull_request=pull), {
            "base": self.root / "base", "": self.root / "proposal"}), 0, self.log)
        with zipfile.ZipFile(io.BytesIO(self.artifacts["contentc-proposal"])) as files:
            self.assertIn("[changed-address]", files.read("changes.txt").decode())

    def test_exports_a_preview_although_the_base_branch_has_none(self):
        mistaken = self.root / "mistaken"
        self.bakery(mistaken, title="tittle: Croissant")
        (self.root / "empty").mkdir()
        self.bakery(self.root / "proposal")
        pull = {"number": 17, "base": {"sha": "f" * 40}, "head": {"sha": SHA}}
        for base in (self.root / "empty", mistaken):
            self.artifacts = {}
            status = self.run_workflow("proposal", self.context("pull_request", pull_request=pull), {
                "base": base, "": self.root / "proposal"})
            self.assertEqual((status, set(self.artifacts)), (0, {"contentc-proposal", "preview"}), self.log)
            with zipfile.ZipFile(io.BytesIO(self.artifacts["contentc-proposal"])) as files:
                self.assertIn("The base branch cannot be compared", files.read("changes.txt").decode())
            shutil.rmtree(self.workspace)
            self.workspace.mkdir()

    def test_follows_no_link_of_a_proposal(self):
        (self.root / "outside").mkdir()
        self.bakery(self.root / "proposal")
        (self.root / "proposal/site").symlink_to(self.root / "outside")
        self.bakery(self.root / "base")
        pull = {"number": 17, "base": {"sha": "f" * 40}, "head": {"sha": SHA}}
        self.run_workflow("proposal", self.context("pull_request", pull_request=pull), {
            "base": self.root / "base", "": self.root / "proposal"})
        self.assertEqual(list((self.root / "outside").iterdir()), [])

    def test_updates_its_own_comment_only(self):
        marker = "<!-- contentc: results of a proposal -->\n"
        comments = [{"id": index, "user": {"login": "reader"}, "body": "Nice"} for index in range(150)]
        comments += [{"id": 900, "user": {"login": "stranger"}, "body": marker}, {"id": 901, "user": None, "body": marker},
                     {"id": 902, "user": {"login": "github-actions[bot]"}, "body": "Of another workflow"},
                     {"id": 903, "user": {"login": "github-actions[bot]"}, "body": marker}]
        call = self.posted({"number.txt": "17\n", "check.txt": "fine"}, comments)
        self.assertEqual((call["method"], call["path"]), ("PATCH", "repos/shop/content/issues/comments/903"))
        call = self.posted({"number.txt": "17\n", "check.txt": "fine"}, comments[:-1])
        self.assertEqual((call["method"], call["path"]), ("POST", "repos/shop/content/issues/17/comments"))

    def test_posts_only_to_the_proposal_of_the_commit(self):
        for number in ("18", "0", "-17", "17.0", "1e1", "17\n18", "", "١٧", "../17", "9" * 30, "17; touch pwned"):
            self.assert_refused(
                zipped({"number.txt": number, "check.txt": "fine"}),
                "names a pull request that its commit does not belong to")
        self.assert_refused(zipped({"check.txt": "fine"}), "names a pull request")
        foreign = [{"number": 17, "head": {"sha": SHA, "repo": {"id": 3}}, "base": {"repo": {"id": 1}}},
                   {"number": 17, "head": {"sha": SHA, "repo": None}, "base": {"repo": {"id": 1}}},
                   {"number": 17, "head": {"sha": SHA, "repo": {"id": 2}}, "base": {"repo": {"id": 9}}}]
        self.artifacts = {"contentc-proposal": zipped({"number.txt": "17"})}
        self.assert_nothing_posted(self.github(pulls=foreign), "the proposal is closed, or has a newer commit")

    def test_posts_nothing_without_a_reason(self):
        self.artifacts = {"contentc-proposal": zipped({"number.txt": "17"})}
        self.assert_nothing_posted(self.github(head="f" * 40), "the proposal is closed, or has a newer commit")
        self.assert_nothing_posted(self.github(conclusion="cancelled"), "the run ended as 'cancelled'")
        self.assert_nothing_posted(self.github(head_repository=None), "the proposal's repository was removed")
        self.assert_nothing_posted(self.github(artifacts={"preview": b""}), "the run has no artifact 'contentc-proposal'")
        self.assert_nothing_posted(self.github(event="push"), "")

    def test_texts_stay_in_their_blocks(self):
        texts = [
            "@everyone #1 https://evil.example <img src=x> **bold** [a](b)", "```\n@everyone\n```", "~~~\n<b>",
            "`````` ```` x",
            "```text\n" * 9, "    code\n\tcode", "<!-- contentc: results of a proposal -->", "a\r```\r\n@x\u2028```\u2028",
            "\u202eevil\u202c \ufeff \x1b[31m \x00 \x85```", "</pre></details>",
            "&lt; \\` \\```", " ```\n  ```\n   ```", "> ```\n- ```"]
        for text in texts:
            with self.subTest(text=text):
                body = self.posted({"number.txt": "17", "check.txt": text, "changes.txt": text})["body"]
                first, second = self.blocks(body)
                self.assertEqual(first, second)
                self.assertNotRegex(body, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufeff]")
                harmless = re.sub("[\x00\x1b\x85\u2028\u202c\u202e\ufeff]", "\ufffd", text)
                self.assertEqual(first.split()[-1][-2:], harmless.split()[-1][-2:])

    def test_comments_have_a_size_that_github_accepts(self):
        for text in ("x" * 10_000_000, "`" * 10_000_000, "😀" * 3_000_000, "```\n" * 1_000_000,
                     "\n" * 10_000_000 + "x", "\ud7ff" * 3_000_000):
            body = self.posted({"number.txt": "17", "check.txt": text, "changes.txt": text})["body"]
            self.assertLessEqual(len(self.blocks(body)), 2)

    def test_reads_hostile_archives_without_writing(self):
        fine = {"number.txt": "17", "check.txt": "fine"}
        link = zipfile.ZipInfo("check.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        names = {"../pwned.txt": "x", "/tmp/pwned": "x", "a/../../pwned": "x", "..\\pwned": "x", "sub/check.txt": "x",
                 "CHECK.TXT": "x"}
        self.assertEqual(self.blocks(self.posted({**fine, **names})["body"]), ["fine\n"])
        self.assertEqual(self.blocks(self.posted({"number.txt": "17", link: "/etc/passwd"})["body"]), [])
        invalid = self.posted({"number.txt": "17", "check.txt": b"\xff\xfe\xc3"})["body"]
        self.assertEqual(self.blocks(invalid), ["\ufffd\ufffd\ufffd\n"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            twice = zipped({**fine, zipfile.ZipInfo("number.txt"): "18"})
        self.assert_refused(twice, "contains number.txt twice")
        good = zipped(fine)
        for damaged in (b"", b"PK", good[:-30], good.replace(b"check.txt", b"chekk.txt", 1), b"\0" * 5000):
            self.assert_refused(damaged, "::error title=contentc::the artifact is")
        for offset in range(0, len(good), 7):
            data = bytearray(good)
            data[offset] ^= 0xFF
            self.log = ""
            self.comment(self.github(artifacts={"contentc-proposal": bytes(data)}))
            self.assertNotIn("Traceback", self.log)
        self.assert_refused(os.urandom(1_000_001), "at most 1000000 are read")

    def test_publishes_with_a_token_of_the_job(self):
        self.bakery(self.root / "main")
        file = self.root / "main/content/content.yaml"
        file.write_text(file.read_text().replace("qa: {target: site}", "production: {target: site}"))
        self.assertEqual(self.run_workflow("publish", self.context(), {"": self.root / "main"}), 0, self.log)
        self.assertIn("Release 1 is live", self.log)
        self.assertTrue((self.workspace / "site/production/config.plist").exists())


class GitLab(Case):
    """The jobs of the example for GitLab."""

    def setUp(self):
        super().setUp()
        program = self.root / "bin/apt-get"
        program.write_text('#!/bin/sh\necho "apt-get $*"\n')
        program.chmod(0o755)
        self.git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", self.workspace]

    def job(self, name, folder=".", base="", **variables):
        """Runs a job's scripts in one shell, as a runner does."""
        _, jobs = yaml.safe_load_all((EXAMPLES / "gitlab/contentc.gitlab-ci.yml").read_text())
        template, job = jobs[".contentc"], jobs[name]
        inputs = {
            "version": VERSION, "sha256": self.sha256, "downloads": self.release, "folder": folder, "channel": "qa"}
        inputs.update({key: variables.pop(key) for key in list(variables) if key in inputs})
        named = {key: re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: inputs[found.group(1)], each)
                 for key, each in {**template["variables"], **job.get("variables", {})}.items()}
        environment = self.environment(
            CI_PROJECT_DIR=str(self.workspace), CI_JOB_ID="33", CI_PROJECT_PATH="group/sub/shop",
            CI_COMMIT_SHORT_SHA="0123456", CI_PROJECT_ROOT_NAMESPACE="group", CI_PAGES_DOMAIN="pages.example",
            CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
            GITLAB_CI="true", TMPDIR=str(self.temp), **named, **variables)
        environment = {key: each for key, each in environment.items() if not key.startswith("GITHUB_")}
        self.log = ""
        return self.bash("\n".join(template["before_script"] + job["script"]), environment, self.workspace)

    def commit(self):
        subprocess.run([*self.git, "init", "--quiet"], check=True)
        subprocess.run([*self.git, "add", "."], check=True)
        subprocess.run([*self.git, "commit", "--quiet", "-m", "Edit"], check=True)
        return subprocess.run([*self.git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()

    def test_checks_with_a_report(self):
        self.bakery(self.workspace / "shop", title="tittle: Croissant")
        self.assertEqual(self.job("contentc-check", folder="shop"), 1, self.log)
        report = json.loads((self.workspace / "contentc-quality.json").read_text())
        self.assertIn("shop/content/entries/product/croissant.yaml", {each["location"]["path"] for each in report})
        self.bakery(self.workspace / "fine")
        self.assertEqual(self.job("contentc-check", folder="fine"), 0, self.log)
        self.assertEqual(json.loads((self.workspace / "contentc-quality.json").read_text()), [])

    def test_exports_a_preview_of_a_proposal(self):
        (self.workspace / "README").write_text("nothing yet")
        first = self.commit()
        self.bakery(self.workspace / "shop")
        self.assertEqual(self.job("contentc-preview", folder="shop", base=first), 0, self.log)
        second = self.commit()
        self.assertEqual(self.job("contentc-preview", folder="shop", base=second), 0, self.log)
        file = self.workspace / "shop/content/entries/product/croissant.yaml"
        text = file.read_text()
        file.write_text(text.replace("title:", "tittle:"))
        mistaken = self.commit()
        file.write_text(text)
        self.assertEqual(self.job("contentc-preview", folder="shop", base=mistaken), 0, self.log)
        self.assertTrue((self.workspace / "contentc-preview/index.html").exists())
        self.assertEqual(
            (self.workspace / "contentc.env").read_text(),
            "CONTENTC_PREVIEW=https://group.pages.example/-/sub/shop/-/jobs/33/artifacts/contentc-preview/index.html\n")

    def test_publishes_and_leaves_no_token(self):
        self.bakery(self.workspace)
        status = self.job("contentc-publish", AWS_ROLE_ARN="arn:aws:iam::1:role/a", CONTENTC_ID_TOKEN="t0ken-of-this-job")
        self.assertEqual(status, 0, self.log)
        self.assertTrue((self.workspace / "site/qa/config.plist").exists())
        files = [path for path in self.root.rglob("*") if path.is_file()]
        self.assertEqual([path for path in files if b"t0ken-of-this-job" in path.read_bytes()], [])
        self.assertNotIn("t0ken-of-this-job", self.log)

    def test_refuses_a_release_below_the_stated_one(self):
        self.bakery(self.workspace)
        self.assertEqual(self.job("contentc-publish"), 0, self.log)
        self.assertNotEqual(self.job("contentc-publish", CONTENTC_NOT_BELOW="41; touch pwned"), 0)
        self.assert_nothing_ran()
        self.assertNotEqual(self.job("contentc-publish", CONTENTC_NOT_BELOW="41"), 0)
        self.assertIn("41", self.log)

    def test_ends_with_the_status_of_a_failed_publication(self):
        self.bakery(self.workspace)
        self.assertEqual(self.job("contentc-publish", channel="production"), 64, self.log)

    def test_refuses_a_wrong_checksum(self):
        self.bakery(self.workspace)
        self.assertNotEqual(self.job("contentc-publish", sha256="0" * 64), 0)
        self.assertIn("computed checksum did NOT match", self.log)
        self.assertFalse((self.workspace / "site").exists())
        self.assertEqual([path for path in self.temp.rglob("contentc") if path.is_file()], [])

    def test_runs_no_text_of_an_input(self):
        self.bakery(self.workspace)
        for name in ("version", "sha256", "downloads", "folder", "channel"):
            for text in HOSTILE:
                with self.subTest(name=name, text=text):
                    self.assertNotEqual(self.job("contentc-publish", **{name: text}), 0)
                    self.assert_nothing_ran()


def zipped(files):
    """An archive with these texts, by their names or descriptions."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


# The part of `gh api` that the comment uses. Like GitHub, it filters, pages and refuses long comments.
GH = r'''
import json, os, sys
path = os.environ["FAKE_GH"]
known = json.load(open(path))
assert os.environ["GH_TOKEN"] == "token of the job" and sys.argv[1] == "api", sys.argv
words, fields, method, body = sys.argv[2:], {}, "GET", None
while words and words[0].startswith("-"):
    option, word = words[0], words[1]
    del words[:2]
    if option == "-f":
        fields[word.split("=", 1)[0]] = word.split("=", 1)[1]
    elif option == "--method":
        method = word
    elif option == "--input" and word == "-":
        body = json.loads(sys.stdin.buffer.read())
    else:
        sys.exit(f"unknown option {option}")
    if words[1:] and words[1] == "--input":
        words = words[1:] + words[:1]
(address,) = words
root, size = "repos/shop/content", int(fields.get("per_page", 30))
def page(items):
    start = (int(fields.get("page", 1)) - 1) * size
    return items[start:start + size]
if method == "GET" and address == f"{root}/pulls":
    assert fields["state"] == "open" and fields["head"] == "stranger:patch-1", fields
    print(json.dumps(page(known["pulls"])))
elif method == "GET" and address == f"{root}/actions/runs/5/artifacts":
    found = [{k: v for k, v in each.items() if k != "hex"} for each in known["artifacts"] if each["name"] == fields["name"]]
    print(json.dumps({"total_count": len(found), "artifacts": page(found)}))
elif method == "GET" and address.startswith(f"{root}/actions/artifacts/") and address.endswith("/zip"):
    (found,) = [each for each in known["artifacts"] if address.split("/")[-2] == str(each["id"])]
    sys.stdout.buffer.write(bytes.fromhex(found["hex"]))
elif method == "GET" and address.startswith(f"{root}/issues/") and address.endswith("/comments"):
    print(json.dumps(page(known["comments"])))
elif method in ("POST", "PATCH") and address.startswith(f"{root}/issues/"):
    if len(body["body"].encode("utf-16-le")) > 2 * 65536:
        sys.exit("gh: Validation Failed: body is too long (maximum is 65536 characters) (HTTP 422)")
    known["calls"].append({"method": method, "path": address, "body": body["body"]})
    json.dump(known, open(path, "w"))
    print("{}")
else:
    sys.exit(f"gh: Not Found (HTTP 404): {method} {address}")
'''


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        PROGRAM = pathlib.Path(made) / "contentc"
        shutil.copy(CONTENTC, PROGRAM)
        # A release has no symbols. A script that stands for the program has none, either.
        subprocess.run(["strip", PROGRAM], check=False, stderr=subprocess.DEVNULL)
        unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
