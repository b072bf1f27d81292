#!/usr/bin/env python3
"""Posts the results of a proposal's workflow run as a comment of its pull request, or updates the earlier comment.

The event `workflow_run` comes from GitHub and is trusted. The artifact comes from a job that a stranger controls:
nothing of it is run or written to disk, its texts appear in code blocks that they cannot end, and its number only
chooses among the pull requests that GitHub names for the run's commit.
"""

import io
import json
import os
import re
import stat
import subprocess
import sys
import unicodedata
import zipfile

MARKER = "<!-- contentc: results of a proposal -->"
AUTHOR = "github-actions[bot]"
ARTIFACT_BYTES = 1_000_000
# GitHub refuses a comment of more than 65,536 characters. Half of that for each text leaves room for the rest.
TEXT_CHARACTERS = 30_000
PAGES = 30


class Refusal(Exception):
    """A reason to post nothing."""


def gh(*arguments, body=None):
    """Runs `gh api`, and returns the bytes that it prints."""
    words = ["gh", "api", *arguments]
    if body is not None:
        words += ["--input", "-"]
    data = None if body is None else json.dumps(body).encode()
    done = subprocess.run(words, input=data, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Refusal(f"'gh api {arguments[-1]}' failed; its message is above")
    return done.stdout


def listed(path, *fields, key=None):
    """The items of a list of GitHub, from all pages."""
    for page in range(1, PAGES + 1):
        pairs = [word for field in (*fields, "per_page=100", f"page={page}") for word in ("-f", field)]
        found = json.loads(gh("--method", "GET", *pairs, path))
        items = found[key] if key else found
        yield from items
        if len(items) < 100:
            return


def proposals(run, repository):
    """The numbers of the open pull requests whose newest commit is the one that the run is about."""
    head = run["head_repository"]
    # Of a fork, GitHub lists no pull requests in the event, nor under the commit.
    found = listed(
        f"repos/{repository['full_name']}/pulls", "state=open", f"head={head['owner']['login']}:{run['head_branch']}")
    return {
        each["number"] for each in found
        if each["head"]["sha"] == run["head_sha"] and (each["head"]["repo"] or {}).get("id") == head["id"]
        and each["base"]["repo"]["id"] == repository["id"]}


def artifact(run, repository, name):
    """The bytes of the run's artifact; `None` if there is none."""
    path = f"repos/{repository['full_name']}/actions"
    for each in listed(f"{path}/runs/{int(run['id'])}/artifacts", f"name={name}", key="artifacts"):
        if each["name"] == name and not each["expired"]:
            if each["size_in_bytes"] > ARTIFACT_BYTES:
                raise Refusal(f"the artifact has {each['size_in_bytes']} bytes, and at most {ARTIFACT_BYTES} are read")
            return gh(f"{path}/artifacts/{int(each['id'])}/zip")
    return None


def texts(archive):
    """The texts of the three known files in an archive, each cut at a limit. All other files are ignored."""
    known = {"number.txt": 20, "check.txt": 4 * TEXT_CHARACTERS, "changes.txt": 4 * TEXT_CHARACTERS}
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            for file in files.infolist():
                kind = stat.S_IFMT(file.external_attr >> 16)
                if file.filename not in known or kind not in (0, stat.S_IFREG):
                    continue
                if file.filename in found:
                    raise Refusal(f"the artifact contains {file.filename} twice")
                with files.open(file) as opened:
                    # Reading stops at the limit, whatever size the archive states.
                    found[file.filename] = opened.read(known[file.filename] + 1).decode("utf-8", "replace")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise Refusal(f"the artifact is no archive that can be read: {type(error).__name__}") from None
    except Exception as error:  # zlib and lzma have errors of their own for damaged data.
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"the artifact is damaged: {type(error).__name__}") from None
    return found


def block(text):
    """A code block with a text that cannot end it, without characters that change what readers see around them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(
        each if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else "\ufffd"
        for each in text)
    # GitHub counts in UTF-16: a character beyond its first plane counts twice.
    units = text.encode("utf-16-le", "surrogatepass")[:2 * TEXT_CHARACTERS]
    cut = units.decode("utf-16-le", "ignore")
    rest = "" if len(cut) == len(text) else "\n… the rest is in the log of the run"
    # Backquotes at the limit make the fences, too, so they must not use up the comment.
    longest = max((len(run) for run in re.findall("`+", cut)), default=0)
    if longest > 1000:
        cut, longest = re.sub("`{3,}", "```", cut), 3
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{cut.rstrip()}{rest}\n{fence}"


def comment(run, repository, found):
    """The Markdown text of the comment."""
    conclusion = "finds no mistakes" if run["conclusion"] == "success" else "finds mistakes, or cannot run"
    address = f"{repository['html_url']}/actions/runs/{int(run['id'])}"
    sections = [MARKER, f"**contentc** {conclusion} in {run['head_sha'][:12]}. [The run]({address}) has annotations and "
                "the preview, if there is one."]
    for name, title in (("check.txt", "Check"), ("changes.txt", "Changes for readers")):
        if found.get(name, "").strip():
            sections += [f"#### {title}", block(found[name])]
    return "\n\n".join(sections) + "\n"


def post(number, text, repository):
    """Replaces the text of the comment that this script has posted before; else posts one."""
    path = f"repos/{repository['full_name']}/issues"
    for each in listed(f"{path}/{number}/comments"):
        # Anybody can write the marker, and this token may edit everybody's comments.
        if each["user"] and each["user"]["login"] == AUTHOR and each["body"].startswith(MARKER):
            gh("--method", "PATCH", f"{path}/comments/{int(each['id'])}", body={"body": text})
            return
    gh("--method", "POST", f"{path}/{number}/comments", body={"body": text})


def main():
    with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
        event = json.load(file)
    run, repository = event["workflow_run"], event["repository"]
    if run["event"] != "pull_request":
        return f"nothing to post: the run belongs to the event '{run['event']}'"
    if run["conclusion"] not in ("success", "failure"):
        return f"nothing to post: the run ended as '{run['conclusion']}'"
    if not run["head_repository"]:
        return "nothing to post: the proposal's repository was removed"
    numbers = proposals(run, repository)
    if not numbers:
        return "nothing to post: the proposal is closed, or has a newer commit"
    archive = artifact(run, repository, os.environ["ARTIFACT"])
    if archive is None:
        return f"nothing to post: the run has no artifact '{os.environ['ARTIFACT']}'"
    found = texts(archive)
    number = found.get("number.txt", "").strip()
    if not re.fullmatch("[1-9][0-9]{0,9}", number) or int(number) not in numbers:
        raise Refusal("the artifact names a pull request that its commit does not belong to")
    post(int(number), comment(run, repository, found), repository)
    return f"posted the results to #{int(number)}"


if __name__ == "__main__":
    try:
        print(main())
    except Refusal as refusal:
        print(f"::error title=contentc::{refusal}")
        sys.exit(1)
