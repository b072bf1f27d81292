"""Markdown values on the screen, and their pages."""

import contextlib
import http.server
import json
import re
import shutil
import string
import subprocess
import tempfile
import threading
from pathlib import Path

from viewer import address, body, field, point_at, shown, until

PRESS = "#preview?locale=en&device=phone&show=article/press"
BODY = "entries/article/press.yaml"
# Each line is an attack; `⏎` is a line break.
ATTACKS = Path(__file__).parents[2] / "MarkdownTests/Attacks/strings.txt"
# The elements of a text on the screen, and of a page.
ELEMENTS = "p h1 h2 h3 h4 h5 h6 div blockquote ul ol li pre code em strong del br hr table thead tbody tr th td img".split()
SCREEN, PAGE = [*ELEMENTS, "button", "span"], [*ELEMENTS, "html", "head", "meta", "title", "style", "body", "main", "a"]
# The names of elements outside a list, attributes that are handlers, and addresses with a scheme that content cannot have.
FOREIGN = """([root, names]) => [document.querySelector(root), ...document.querySelectorAll(`${root} *`)].flatMap((part) => [
  ...names.includes(part.localName) ? [] : [part.localName], ...[...part.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
  ...part.localName === 'a' && !/^(https|mailto|tel|entry):/.test(part.href) ? [part.href] : [], ...part.localName === 'img' && !part.src.startsWith(location.origin + '/') ? [part.src] : []])"""


@contextlib.contextmanager
def counting_server():
    """Serves nothing; yields its address, and a list of the paths that a browser asks it for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()


def draws_every_kind_of_block(viewer):
    with viewer.open(PRESS) as page:
        text = field(page, "body")
        text.wait_for()
        found = text.evaluate("""text => Object.fromEntries(['p', '[role=heading], h4, h5, h6', 'ol > li', 'ol ul > li', 'blockquote p', 'pre code', 'th', 'td', 'hr', 'img', 'em', 'strong', 'del', 'p code, li code', 'br']
          .map((name) => [name, [...text.querySelectorAll(name)].map((part) => part.textContent)]))""")
        assert found["[role=heading], h4, h5, h6"] == ["You need", "At the end"], found
        assert len(found["ol > li"]) == 2 and found["ol ul > li"] == ["with three four screws", "and two boards"], found
        assert found["blockquote p"] == ["Patience.", "Much of it."], found
        assert found["pre code"] == ["press(flower, for: .weeks(2))\n"] or found["pre code"] == ["press(flower, for: .weeks(2))"], found
        assert found["th"] == ["flower", "days", "hue"] and found["td"] == ["rose", "14", "red", "iris", "10", "blue"], found
        assert [len(found[name]) for name in ["hr", "img", "br"]] == [1, 1, 1], found
        assert found["em"] == ["two weeks"] and found["strong"] == ["no skill", "blue"] and found["del"] == ["three"], found
        until(lambda: text.locator("img").evaluate("image => image.naturalWidth") == 2, "the picture")
        assert text.locator("img").get_attribute("alt") == "a petal"
        columns = text.locator("tbody tr").first.evaluate("row => [...row.cells].map(cell => getComputedStyle(cell).textAlign)")
        assert columns == ["left", "right", "center"], columns


def follows_links(viewer):
    with viewer.open(PRESS) as page:
        shown(page, "Pressing takes")
        body(page).get_by_role("button", name="a press").click()
        page.get_by_text("An app opens https://example.com/press").wait_for()
        body(page).get_by_role("button", name="us", exact=True).click()
        page.get_by_text("An app opens mailto:hello@places.example").wait_for()
        body(page).get_by_role("button", name="the store").click()
        until(lambda: "show=store/s0007" in address(page), "the store")
        page.keyboard.press("Backspace")
        shown(page, "Pressing takes")


def follows_links_by_keyboard(viewer):
    with viewer.open(PRESS) as page:
        field(page, "body").focus()
        page.locator(".inspected-path code").get_by_text("body", exact=True).wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        until(lambda: "show=store/s0007" in address(page), "the store")


def draws_markdown_in_elements(viewer):
    with viewer.open("#preview?locale=en&device=phone&show=screen/home") as page:
        field(page, "elements[hello].value").wait_for()
        assert field(page, "elements[hello].value").locator("em").inner_text() == "us"
        assert body(page).locator(".left-over").count() == 0


def explains_a_text_as_one(viewer):
    with viewer.open(PRESS) as page:
        shown(page, "Pressing takes")
        point_at(page, "body")
        page.locator(".place-text", has_text="entries/article/press.yaml").wait_for()
        # Its picture is a part of the text.
        field(page, "body").locator("img").hover()
        page.locator(".inspected-path code").get_by_text("body", exact=True).wait_for()


def marks_a_text_from_another_language(viewer):
    with viewer.open(PRESS.replace("locale=en", "locale=de")) as page:
        text = field(page, "body")
        text.locator(".from").wait_for()
        assert text.get_attribute("lang") == "en"
        before = text.bounding_box()
        page.keyboard.press("m")
        until(lambda: not text.locator(".from").is_visible(), "no marks")
        assert text.bounding_box() == before, "marks move the text"


def lays_out_right_to_left(viewer):
    with viewer.open(PRESS.replace("locale=en", "locale=ar")) as page:
        text = field(page, "body")
        text.locator("ul").wait_for()
        direction, padding = text.locator("ul").evaluate("list => { const style = getComputedStyle(list); return [style.direction, style.paddingRight]; }")
        assert direction == "rtl" and float(padding[:-2]) > 8, (direction, padding)
        assert text.locator(".from").count() == 0
        # Brackets after a name stay after it, on the screen and in the page.
        is_ordered = """code => {
          const box = (at) => { const range = document.createRange(); range.setStart(code.firstChild, at); range.setEnd(code.firstChild, at + 1); return range.getBoundingClientRect().left; };
          return code.textContent === 'press()' && [0, 1, 2, 3, 4, 5].every(at => box(at) < box(at + 1));
        }"""
        assert text.locator("code").evaluate(is_ordered)
        with page.context.expect_page() as opened:
            body(page).get_by_role("link", name="Open the page").click()
        assert opened.value.locator("code").evaluate(is_ordered)


def applies_pseudo_locales(viewer):
    with viewer.open(PRESS + "&pseudo=en-XA") as page:
        first = field(page, "body").locator("p").first
        first.wait_for()
        text = first.inner_text()
        assert text.startswith("[") and text.endswith("]") and "ţŵö ŵééķš" in text.lower() and len(text) > 1.35 * len("Pressing takes two weeks and no skill. See the store, or write to us."), text
        assert field(page, "body").locator("pre").inner_text().strip() == "press(flower, for: .weeks(2))"
        page.evaluate("location.hash = location.hash.replace('en-XA', 'ar-XB')")
        until(lambda: "\u202e" in field(page, "body").locator("p").first.inner_text(), "mirrored words")


def hides_no_field(viewer):
    from fields import hidden_fields, unmarked_words
    with viewer.open() as page:
        for locale in ["en", "de", "ar"]:
            hidden = hidden_fields(page, "article/press", locale)
            assert not hidden, hidden
            assert not unmarked_words(page)


def highlights_a_changed_text(viewer):
    with viewer.open(PRESS) as page:
        shown(page, "Pressing takes")
        # Only a style changes.
        with viewer.edited((BODY, "*two weeks*", "**two weeks**")):
            until(lambda: field(page, "body").locator("strong").first.inner_text() == "two weeks", "the new style")
            assert "flash" in field(page, "body").get_attribute("class")
        until(lambda: field(page, "body").locator("em").count() == 1, "the old style")


def marks_differences_from_live_content(viewer):
    with viewer.edited((BODY, "*two weeks*", "**two weeks**")):
        with viewer.open(PRESS + "&side=both") as page:
            until(lambda: page.locator(".markdown.differs").count() == 2, "two marked texts")


def opens_the_page(viewer):
    with viewer.open(PRESS) as page:
        link = body(page).get_by_role("link", name="Open the page")
        link.wait_for()
        assert "noopener" in link.get_attribute("rel")
        # An earlier check has restored a file: the next build removes the page of the build that is still shown.
        until(lambda: field(page, "body").locator("em").count() == 1, "the build of the restored file")
        with page.context.expect_page() as opened:
            link.click()
        other = opened.value
        other.get_by_role("heading", name="You need").wait_for()
        assert other.evaluate("window.opener === null")
        until(lambda: other.locator("img").evaluate("image => image.naturalWidth") == 2, "the picture of the page")
        answer = page.request.get(other.url)
        assert answer.headers["content-type"] == "text/html; charset=utf-8", answer.headers
        assert "sandbox" in answer.headers["content-security-policy"] and "allow-scripts" not in answer.headers["content-security-policy"]
        before = other.url
        other.get_by_role("link", name="the store").click()
        other.wait_for_timeout(200)
        assert other.url == before, other.url


def runs_nothing_in_a_hostile_page(viewer):
    """A file of the content can be any HTML: opened by itself, it has no power in the preview's origin."""
    with counting_server() as (elsewhere, asked):
        run_hostile_page(viewer, elsewhere)
    assert not asked, asked


def run_hostile_page(viewer, elsewhere):
    hostile = """<!doctype html><title>quiet</title><script>document.title = 'ran'</script><img src=x onerror="document.title='ran'">
<iframe src="/"></iframe><form action="/"><button>send</button></form><svg onload="document.title='ran'"></svg><a href="javascript:document.title='ran'">link</a>
<link rel=stylesheet href="https://elsewhere.example/a.css"><img src="https://elsewhere.example/a.png"><meta http-equiv=refresh content="0;url=javascript:document.title='ran'">""".replace("https://elsewhere.example/", elsewhere)
    (viewer.content / "assets/hostile.html").write_text(hostile, encoding="utf-8")
    with viewer.edited((BODY, "image: petal.png", "image: hostile.html")):
        with viewer.open(PRESS, expected=["Content Security Policy", "sandbox"]) as page:
            link = body(page).locator('a[data-path="image"]')
            link.wait_for()
            other = page.context.new_page()
            answered = []
            other.on("response", lambda answer: answered.append(answer.url))
            other.goto(viewer.base + link.get_attribute("href").lstrip("/"))
            other.get_by_role("link", name="link").click()
            other.get_by_role("button", name="send").click()
            other.wait_for_timeout(300)
            assert other.title() == "quiet", other.title()
            assert "/objects/" in other.url
            assert viewer.base not in answered, answered


def shows_markup_of_values_as_text(viewer):
    """A value that a hostile server wrote: every text is a text, and no link leads anywhere by itself."""
    value = {"plain": "x", "blocks": [
        {"type": "paragraph", "runs": [{"text": "<img src=x onerror=\"document.title='ran'\">", "strong": True}, {"text": "click", "link": "javascript:document.title='ran'"}]},
        {"type": "heading", "level": 99, "runs": [{"text": "</h4><script>document.title='ran'</script>"}]}, {"type": "marquee", "runs": []}, {"type": "list", "start": "x", "items": "no"},
        {"type": "code", "language": "\"><b>", "text": "<b>"}, {"type": "table", "header": [[{"text": "<i>"}]], "alignments": ["x\" onclick=\"1"], "rows": [[[{"text": "<u>"}]], "no"]}]}
    # The inspector asks for the source of a text under the pointer, and no entry has this id.
    with viewer.open(PRESS, expected=["404 for .*/api/explain.entry=article%2Fx"]) as page:
        shown(page, "Pressing takes")
        page.evaluate("""value => {
          const { frame } = page.panel('preview');
          let deep = { type: 'rule' };
          for (let i = 0; i < 300; i++) deep = { type: 'quote', blocks: [deep] };
          const drawing = new Drawing(frame, { id: 'article/x', content: {} });
          frame.body.replaceChildren(drawing.markdown('body', { ...value, blocks: [...value.blocks, deep] }));
        }""", value)
        shown(page, "nested too deep")
        body(page).get_by_role("button", name="click").click()
        page.get_by_text("An app opens javascript:").wait_for()
        assert page.title() != "ran"
        assert body(page).locator("script, b, i, u, marquee, img, [onclick]").count() == 0


def attacks():
    texts = [line.replace("⏎", "\n") for line in ATTACKS.read_text(encoding="utf-8").splitlines() if line]
    assert len(texts) >= 100, f"{len(texts)} attacks"
    return texts


def escaped(text):
    """The Markdown of a text, in one line."""
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in text.replace("\n", " ").strip())


def in_every_part(text, number):
    """Markdown with a text in each part that can have one."""
    words = escaped(text)
    return (f"## {words}\n\n{words}\n\n> - *{words}*\n\n[{words}](https://example.com/{number})\n\n![{words}](petal.png)\n\n"
            f"| {words} |\n|---|\n| {words} |\n\n~~~~~~ {words}\n{text}\n~~~~~~\n\n")


@contextlib.contextmanager
def attacking_articles(viewer, texts):
    """Adds an article with each text in every part, and one for each text that is valid Markdown itself; yields their ids."""
    def article(body):
        return f"title: Article\nbody: {json.dumps(body, ensure_ascii=False)}\n"
    folder = viewer.content / "entries/article"
    sources = {folder / f"raw-{number}.yaml": article(text) for number, text in enumerate(texts)}
    # Most of the attacks are errors; the compiler names their files.
    with tempfile.TemporaryDirectory(prefix="contentc-attacks.") as copy:
        checked = Path(copy) / "content"
        shutil.copytree(viewer.content, checked)
        for file, text in sources.items():
            (checked / file.relative_to(viewer.content)).write_text(text, encoding="utf-8")
        # Equal mistakes are one error, which names some of their files.
        for _ in texts:
            said = subprocess.run([viewer.program, "check"], cwd=copy, capture_output=True, text=True)
            wrong = set(re.findall(r"raw-\d+\.yaml", said.stdout + said.stderr))
            if said.returncode == 0 or not wrong:
                break
            sources = {file: text for file, text in sources.items() if file.name not in wrong}
            for name in wrong:
                (checked / "entries/article" / name).unlink()
        assert said.returncode == 0, said.stderr
    sources[folder / "every-part.yaml"] = article("".join(in_every_part(text, number) for number, text in enumerate(texts)))
    try:
        for file, text in sources.items():
            viewer.save(file, text)
        yield [f"article/{file.stem}" for file in sources]
    finally:
        for file in sources:
            file.unlink(missing_ok=True)


def runs_no_attack_on_the_screen_or_in_a_page(viewer):
    texts = attacks()
    with attacking_articles(viewer, texts) as ids, viewer.open(PRESS) as page:
        assert len(ids) > 10, ids
        # The article that the project has itself, and these.
        until(lambda: page.evaluate("page.session.catalogue().then(catalogue => catalogue.count('articles'))") == len(ids) + 1, "a build with the attacks")
        asked, dialogs = [], []
        page.context.on("request", lambda request: asked.append(request.url))
        other = page.context.new_page()
        other.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        for id in ids:
            page.evaluate("id => location.hash = `#preview?locale=en&device=phone&show=${id}`", id)
            field(page, "body", id).wait_for()
            assert page.evaluate(FOREIGN, [".frame.primary .markdown", SCREEN]) == [], id
            other.goto(body(page).get_by_role("link", name="Open the page").evaluate("link => link.href"))
            assert other.evaluate(FOREIGN, ["html", PAGE]) == [], id
        codes = field(page, "body", "article/every-part").locator("pre").all_text_contents()
        assert [code.rstrip("\n") for code in codes] == texts, "a text is changed on the screen"
        until(lambda: field(page, "body", "article/every-part").locator("img").evaluate_all("images => images.length > 0"), "pictures")
        assert page.title() == f"{ids[-1]} · places preview" and not dialogs
        assert all(url.startswith((viewer.base, "data:", "blob:")) for url in asked), [url for url in asked if not url.startswith(viewer.base)]


def has_no_violations(viewer):
    from check_accessibility import violations
    for locale in ["en", "de", "ar"]:
        with viewer.open(PRESS.replace("locale=en", f"locale={locale}")) as page:
            field(page, "body").wait_for()
            page.wait_for_timeout(300)
            found = violations(page)
            assert not found, "\n".join(found[:6])


CHECKS = [draws_every_kind_of_block, follows_links, follows_links_by_keyboard, draws_markdown_in_elements, explains_a_text_as_one, marks_a_text_from_another_language,
          lays_out_right_to_left, applies_pseudo_locales, hides_no_field, highlights_a_changed_text, marks_differences_from_live_content, opens_the_page,
          runs_nothing_in_a_hostile_page, shows_markup_of_values_as_text, has_no_violations,
          runs_no_attack_on_the_screen_or_in_a_page]
