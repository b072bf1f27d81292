"""The translator's view: texts side by side, saved into the content by the preview's own page and by no other."""

import contextlib
import json
import re
import subprocess

from axe_playwright_python.sync_playwright import Axe

from check_hostile import other_server
from viewer import address, choose, own_text, until

FRENCH = "#translations?locale=fr&device=phone"
ARABIC = "#translations?locale=ar&device=phone"
# A text that the sample has in neither language.
MISSING = "product/balloon#description"
TITLE = "product/country-charm#title"
TITLE_FILE = "entries/product/country-charm.fr.yaml"
UNITS = "locale => fetch(`/api/translations?locale=${locale}`).then(answer => answer.json()).then(({ units }) => units)"


def row(page, unit):
    return page.locator(f'.unit[data-unit="{unit}"]')


def area(page, unit):
    return row(page, unit).locator("textarea")


def go_to(page, unit):
    """Draws the text of a unit, which may be far below, and moves the focus to it."""
    page.locator(".unit").first.wait_for()
    page.evaluate("unit => page.panel('translations').goTo(unit)", unit)
    row(page, unit).wait_for()


def target(page, unit, locale="fr"):
    """The translation that the content has."""
    return next(one.get("target") for one in page.evaluate(UNITS, locale) if one["id"] == unit)


def files(viewer):
    return {path: path.read_bytes() for path in sorted(viewer.content.rglob("*")) if path.suffix in (".yaml", ".yml", ".lock")}


@contextlib.contextmanager
def restored(viewer):
    """Restores the files of the content at the end."""
    before = files(viewer)
    try:
        yield before
    finally:
        for path, text in files(viewer).items():
            if path not in before:
                path.unlink()
            elif before[path] != text:
                viewer.save(path, before[path].decode())


def holds(viewer, text):
    """Returns true if a file of the content has a text, which may be folded over lines."""
    return any(text in " ".join(content.decode().split()) for content in files(viewer).values())


def said(page, text):
    page.locator("#said", has_text=text).wait_for()


def shows_texts_side_by_side(viewer):
    with viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        source = row(page, TITLE).locator(".unit-source")
        assert source.inner_text() == "Country Charm Basket" and source.get_attribute("lang") == "en" and source.get_attribute("dir") == "ltr"
        text = area(page, TITLE)
        assert text.input_value() == "Panier champêtre" and text.get_attribute("lang") == "fr" and text.get_attribute("dir") == "ltr"
        assert f"{len('Panier champêtre')} / 60" in row(page, TITLE).inner_text()
        assert "country-charm.fr.yaml" in row(page, TITLE).locator(".unit-place").inner_text()
        go_to(page, MISSING)
        assert "Readers get the source text (en)." in row(page, MISSING).inner_text() and area(page, MISSING).input_value() == ""


def filters_and_finds_texts(viewer):
    with viewer.open(FRENCH) as page:
        page.locator(".unit").first.wait_for()
        units = page.evaluate(UNITS, "fr")
        missing = [unit["id"] for unit in units if "target" not in unit]
        counts = [int(text.replace(",", "")) for text in page.locator(".translations .side .count").all_inner_texts()]
        assert counts[:2] == [len(units), len(missing)], counts
        page.get_by_role("radio", name="Missing").check()
        until(lambda: "filter=missing" in address(page), "the filter in the address")
        page.locator(".unit").first.wait_for()
        assert page.evaluate("page.panel('translations').list.ids") == missing
        page.keyboard.press("/")
        page.keyboard.type("balloon")
        until(lambda: page.evaluate("page.panel('translations').list.ids") == [one for one in missing if "balloon" in one], "the found texts")
        page.get_by_label("Find a text").fill("no such text")
        page.get_by_text("No text matches “no such text”").wait_for()
        page.get_by_role("button", name="Show all texts").click()
        until(lambda: len(page.evaluate("page.panel('translations').list.ids")) == len(units), "all texts")


def draws_thousands_of_texts_in_parts(viewer):
    with viewer.open(FRENCH) as page:
        page.locator(".unit").first.wait_for()
        known = page.evaluate(UNITS, "fr")
        took = page.evaluate("""known => {
          const units = Array.from({ length: 20_000 }, (_, i) => {
            const entry = `product/p${Math.floor(i / 3)}`;
            return { ...known[i % known.length], id: `${entry}#f${i % 3}`, entry };
          });
          const panel = page.panel("translations");
          panel.translations.byID = new Map(units.map((unit) => [unit.id, unit]));
          const start = performance.now();
          panel.list.show(units, "many");
          document.body.offsetHeight;
          return performance.now() - start;
        }""", known)
        assert took < 3_000, f"{took} ms"
        until(lambda: page.locator(".unit").count() > 0, "the first texts")
        assert page.locator(".unit").count() < 400, page.locator(".unit").count()
        page.evaluate("page.panel('translations').goTo('product/p6000#f1')")
        until(lambda: page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") == "product/p6000#f1", "a text far below")
        assert page.locator(".unit").count() < 800


def saves_by_keyboard_alone(viewer):
    with restored(viewer), viewer.open("#preview?locale=fr&device=phone") as page:
        page.keyboard.press("7")
        page.locator(".unit").first.wait_for()
        first, second = [unit["id"] for unit in page.evaluate(UNITS, "fr") if "target" not in unit and unit["id"].endswith("#description")][:2]
        page.keyboard.press("/")
        page.keyboard.type("description")
        until(lambda: "find=description" in address(page), "the search")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        until(lambda: page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") == first, "the first missing text")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", "no visible focus"
        page.keyboard.press("Alt+ArrowDown")
        until(lambda: page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") == second, "the second missing text")
        page.keyboard.press("Alt+ArrowUp")
        page.keyboard.type("Batiment vert")
        assert target(page, first) is None, "typing saves nothing"
        page.keyboard.press("Control+Enter")
        row(page, first).locator(".unit-saved").wait_for()
        said(page, "Saved")
        assert target(page, first) == "Batiment vert" and holds(viewer, "Batiment vert")
        assert page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") == first, "the focus stays"
        assert row(page, first).get_attribute("data-state") == "translated"
        # Escape leaves the text, and keys are shortcuts again.
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        until(lambda: page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") not in (first, None), "the missing text before")


def saves_in_a_right_to_left_locale(viewer):
    with restored(viewer), viewer.open(ARABIC) as page:
        go_to(page, MISSING)
        assert page.evaluate("document.documentElement.dir") != "rtl", "the page around the texts stays as it is"
        text = area(page, MISSING)
        assert text.get_attribute("dir") == "rtl" and text.get_attribute("lang") == "ar"
        assert text.evaluate("area => getComputedStyle(area).direction") == "rtl"
        assert row(page, MISSING).locator(".unit-source").evaluate("text => getComputedStyle(text).direction") == "ltr"
        assert page.evaluate("document.activeElement.closest('.unit')?.dataset.unit") == MISSING
        page.keyboard.type("بالون ABC 3")
        page.keyboard.press("Control+Enter")
        row(page, MISSING).locator(".unit-saved").wait_for()
        assert target(page, MISSING, "ar") == "بالون ABC 3"
        page.locator('.translation-screen .frame-body[dir="rtl"]').get_by_text("بالون ABC 3").wait_for()


def saves_by_a_button(viewer):
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, MISSING)
        save = row(page, MISSING).get_by_role("button", name="Save")
        assert save.is_disabled(), "there is nothing to save"
        area(page, MISSING).fill("Un ballon")
        save.click()
        row(page, MISSING).locator(".unit-saved").wait_for()
        assert target(page, MISSING) == "Un ballon"
        assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


def shows_the_screen_beside_the_text(viewer):
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        screen = page.locator(".translation-screen")
        title = screen.locator('[data-path="title"][data-entry="product/country-charm"]').first
        title.wait_for()
        until(lambda: "inspected" in title.get_attribute("class"), "the marked text")
        area(page, TITLE).fill("Panier des champs")
        page.keyboard.press("Control+Enter")
        until(lambda: own_text(title) == "Panier des champs", "the saved text on the screen")
        page.get_by_role("link", name="product/country-charm", exact=True).first.click()
        assert "#translations" in address(page)


def keeps_a_typed_text_while_content_changes(viewer):
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, MISSING)
        page.keyboard.type("Un ballon rouge")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        generation = page.evaluate("Number(document.documentElement.dataset.settled)")
        with viewer.edited(("entries/product/country-charm.yaml", "Keep cool. Water", "Keep very cool. Water")):
            until(lambda: page.evaluate("Number(document.documentElement.dataset.settled)") > generation, "a build")
            until(lambda: any("Keep very cool" in one["source"] for one in page.evaluate("page.panel('translations').translations.units")), "the new texts")
            assert area(page, MISSING).input_value() == "Un ballon rouge"
            assert area(page, MISSING).evaluate("area => area === document.activeElement && area.selectionStart") == len("Un ballon rouge") - 2
        page.reload()
        go_to(page, MISSING)
        assert area(page, MISSING).input_value() == "Un ballon rouge", "a reload loses the typed text"
        row(page, MISSING).get_by_role("button", name="Discard").click()
        assert area(page, MISSING).input_value() == ""


def shows_both_texts_of_a_conflict(viewer):
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        area(page, TITLE).fill("Panier du pré")
        with viewer.edited((TITLE_FILE, "title: Panier champêtre", "title: Panier de village")):
            conflict = row(page, TITLE).locator(".unit-conflict")
            conflict.get_by_text("Panier de village").wait_for()
            assert "Panier du pré" in conflict.inner_text() and area(page, TITLE).input_value() == "Panier du pré"
            page.keyboard.press("Control+Enter")
            said(page, "choose a text first")
            assert target(page, TITLE) == "Panier de village"
            row(page, TITLE).get_by_role("button", name="Keep the typed text").click()
            page.keyboard.press("Control+Enter")
            row(page, TITLE).locator(".unit-saved").wait_for()
            assert target(page, TITLE) == "Panier du pré"


def shows_a_changed_source_text(viewer):
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        area(page, TITLE).fill("Panier du pré")
        with viewer.edited(("entries/product/country-charm.yaml", "title: Country Charm Basket", "title: Village Basket")):
            conflict = row(page, TITLE).locator(".unit-conflict")
            conflict.get_by_text("The source text has changed").wait_for()
            assert "Country Charm Basket" in conflict.inner_text() and row(page, TITLE).locator(".unit-source").inner_text() == "Village Basket"
            row(page, TITLE).get_by_role("button", name="Use the text of the file").click()
            assert area(page, TITLE).input_value() == "Panier champêtre"


def keeps_a_typed_text_whose_source_is_gone(viewer):
    unit = "product/country-charm#subtitle"
    with restored(viewer), viewer.open(FRENCH) as page:
        go_to(page, unit)
        area(page, unit).fill("Des fleurs des champs")
        with viewer.edited(("entries/product/country-charm.yaml", "subtitle: Daisies, lavender and sweet peas in willow\n", "")):
            orphan = page.locator(".orphan")
            orphan.get_by_text("Des fleurs des champs").wait_for()
            assert unit in orphan.inner_text() and row(page, unit).count() == 0
        until(lambda: page.locator(".orphan").count() == 0, "the text with its source")
        go_to(page, unit)
        assert area(page, unit).input_value() == "Des fleurs des champs"


def says_that_nothing_is_left(viewer):
    unit = {"id": TITLE, "entry": "product/country-charm", "source": "Basket", "target": "Panier", "state": "final"}
    answers = {"targets": ["fr"], "source": "en", "locale": "fr", "isEditable": True, "token": "a", "units": [unit]}
    with viewer.open("#translations?locale=fr&filter=missing") as page:
        page.route("**/api/translations*", lambda route: route.fulfill(json=answers))
        page.reload()
        page.get_by_text("Nothing is missing in French").wait_for()
        page.keyboard.press("n")
        said(page, "No text is missing here")
        page.get_by_role("button", name="Show all texts").click()
        row(page, TITLE).get_by_text("Final").wait_for()
        answers.update(targets=[], units=[])
        page.reload()
        page.get_by_text("There is no locale to translate into").wait_for()
        assert page.locator(".translations .side:visible").count() == 0


def starts_again_with_all_options(viewer):
    with viewer.open(FRENCH) as page:
        port = viewer.base.rstrip("/").rsplit(":", 1)[1]
        page.locator(".unit").first.wait_for()
        command = page.evaluate("startCommand(page.session)")
        assert command == f"contentc preview qa --out 'other place' --editor vscode --edit --port {port}", command
        assert " --edit " not in page.evaluate("startCommand(without(page.session, '--edit'), '--lan')")


def links_the_places_of_a_refusal(viewer):
    with viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        page.route("**/api/translations", lambda route: route.fulfill(json={"isRefused": True, "changedFiles": [], "diagnostics": [
            {"severity": "error", "message": "‘title’ must have at most 60 characters", "notes": [{"message": "'title' is declared here", "file": "content/datatypes/product.yaml", "line": 4, "column": 3}]}]}))
        area(page, TITLE).fill("b" * 61)
        page.keyboard.press("Control+Enter")
        message = row(page, TITLE).locator(".unit-message.error")
        message.get_by_text("'title' is declared here").wait_for()
        assert message.get_by_role("link", name="content/datatypes/product.yaml:4").get_attribute("href").startswith("vscode://file")


def shows_a_refusal_at_the_text(viewer):
    with restored(viewer) as before, viewer.open(FRENCH) as page:
        go_to(page, TITLE)
        area(page, TITLE).fill("a" * 61)
        assert row(page, TITLE).locator(".unit-count.over").inner_text().startswith("61 / 60")
        page.keyboard.press("Control+Enter")
        message = row(page, TITLE).locator(".unit-message.error")
        message.wait_for()
        assert message.get_attribute("role") == "alert" and "60" in message.inner_text()
        assert area(page, TITLE).get_attribute("aria-invalid") == "true" and area(page, TITLE).input_value() == "a" * 61
        area(page, TITLE).fill("  ")
        page.keyboard.press("Control+Enter")
        row(page, TITLE).get_by_text("must not be empty").wait_for()
        assert files(viewer) == before


def counts_placeholders_and_scalars(viewer):
    unit = "strings/app#labels.from_price"
    with viewer.open(FRENCH) as page:
        go_to(page, unit)
        assert row(page, unit).locator(".unit-source mark").inner_text() == "%{price}"
        area(page, unit).fill("à partir de {prix}")
        assert row(page, unit).locator(".holder.absent").inner_text().endswith("%{price}")
        assert row(page, unit).locator(".holder.unknown").inner_text().endswith("{prix}")
        area(page, unit).fill("à partir de ")
        row(page, unit).get_by_role("button", name="%{price}").click()
        assert area(page, unit).input_value() == "à partir de %{price}"
        go_to(page, TITLE)
        area(page, TITLE).fill("e\u0301👩‍👧")
        assert row(page, TITLE).locator(".unit-count").inner_text() == "5 / 60"


def names_numbers_of_a_plural_category(viewer):
    with viewer.open(ARABIC) as page:
        for category, numbers in [("few", "3, 4, 5 …"), ("two", "2"), ("zero", "0")]:
            unit = f"strings/app#stems[{category}]"
            go_to(page, unit)
            assert row(page, unit).locator(".unit-numbers").inner_text() == f"For the numbers {numbers}", category


def offers_files_when_the_texts_are_known(viewer):
    with viewer.open("#preview?locale=fr&device=phone") as page:
        held = []
        page.route("**/api/translations*", lambda route: route.continue_() if held else held.append(route))
        page.evaluate("fragment => location.hash = fragment", FRENCH)
        until(lambda: page.get_by_text("Reading the texts …").is_visible() and held, "a request for the texts")
        for name in ["Export …", "Import …"]:
            assert not page.get_by_role("button", name=name).is_visible(), name
        held[0].continue_()
        page.get_by_role("button", name="Export …").click()
        page.get_by_role("dialog", name="Export translations").get_by_label("CSV for spreadsheets").check()


def exports_and_imports_files(viewer):
    with restored(viewer) as before, viewer.open(FRENCH) as page:
        page.locator(".unit").first.wait_for()
        page.get_by_role("button", name="Export …").click()
        dialog = page.get_by_role("dialog", name="Export translations")
        dialog.get_by_label("CSV for spreadsheets").check()
        with page.expect_download() as waiting:
            dialog.get_by_role("button", name="Export", exact=True).click()
        assert waiting.value.suggested_filename == "fr.csv"
        text = waiting.value.path().read_text(encoding="utf-8")
        assert "Panier champêtre" in text
        dialog.get_by_label("Only missing texts").check()
        with page.expect_download() as waiting:
            dialog.get_by_role("button", name="Export", exact=True).click()
        assert "Panier champêtre" not in waiting.value.path().read_text(encoding="utf-8")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Import …").click()
        dialog = page.get_by_role("dialog", name="Import translations")
        changed = re.sub(r"Panier champêtre(?=[\";,\r\n])", "Panier importé", text, count=1)
        assert changed != text
        dialog.get_by_label("File").set_input_files({"name": "fr.csv", "mimeType": "text/csv", "buffer": changed.encode()})
        dialog.get_by_text("Changes 1 text in 2 files").wait_for()
        assert dialog.locator(".diff-line.added").filter(has_text="Panier importé").count() == 1
        assert files(viewer) == before, "showing the changes writes nothing"
        dialog.get_by_role("button", name="Import", exact=True).click()
        dialog.get_by_text("Imported 1 text").wait_for()
        assert target(page, TITLE) == "Panier importé"
        dialog.get_by_label("File").set_input_files({"name": "fr.xliff", "mimeType": "text/xml", "buffer": b"<xliff"})
        dialog.get_by_text("The file cannot be imported").wait_for()
        assert not dialog.get_by_role("button", name="Import", exact=True).is_visible()
        page.keyboard.press("Escape")
        go_to(page, TITLE)
        until(lambda: area(page, TITLE).input_value() == "Panier importé", "the imported text")


def chooses_a_locale(viewer):
    with viewer.open("#translations?locale=en&device=phone") as page:
        page.locator(".unit").first.wait_for()
        choose(page, "translations-into", "ja")
        until(lambda: "locale=ja" in address(page), "the locale")
        page.locator('.unit textarea[lang="ja"]').first.wait_for()
        page.keyboard.press("[")
        page.locator('.unit textarea[lang="fr-CA"]').first.wait_for()


def fits_a_phone(viewer):
    with viewer.open(FRENCH, width=390, height=844) as page:
        go_to(page, TITLE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not page.locator(".translation-screen").is_visible()
        page.get_by_role("link", name="product/country-charm", exact=True).first.click()
        until(lambda: "#preview" in address(page) and "show=product/country-charm" in address(page), "the screen")


def passes_axe(viewer):
    # One page has all texts. The others have a few of them, in other colours, widths and directions.
    few = [("dark", 1440), ("light", 390)]
    pages = [(FRENCH, "light", 1440), *((f"{FRENCH}&find=charm", *look) for look in few),
             *((f"{ARABIC}&find=charm", *look) for look in [("light", 1440), *few])]
    for fragment, scheme, width in pages:
        with viewer.open(fragment, width=width, scheme=scheme) as page:
            go_to(page, TITLE)
            area(page, TITLE).fill("a" * 70)
            page.wait_for_timeout(300)
            found = [f"{one['id']}: {node['html'][:160]}" for one in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"] for node in one["nodes"]]
            assert not found, f"{fragment} {scheme} {width}: " + "\n".join(found[:6])
    with viewer.open(f"{FRENCH}&find=charm") as page:
        page.locator(".unit").first.wait_for()
        for name in ["Export …", "Import …"]:
            page.get_by_role("button", name=name).click()
            found = [one["id"] for one in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]]
            assert not found, f"{name}: {found}"
            page.keyboard.press("Escape")


EDIT = '{"locale": "fr", "id": "product/country-charm#title", "source": "Country Charm Basket", "previous": "Panier champêtre", "target": "Attack"}'
# Refused forms load no page in their frame, so that each is given 1.5 seconds.
FORMS = """([forms, body]) => Promise.all(forms.map(([action, enctype], i) => {
  const frame = Object.assign(document.createElement("iframe"), { name: `answer${i}` });
  const form = Object.assign(document.createElement("form"), { method: "POST", action, enctype, target: frame.name });
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: body.slice(0, 20), value: body.slice(20) }));
  document.body.append(frame, form);
  return new Promise((done) => { frame.onload = () => done(); form.submit(); setTimeout(done, 1500); });
}))"""
FETCH = """async ([address, options]) => {
  try {
    const answer = await fetch(address, { method: "POST", credentials: "include", ...options });
    return [answer.type, answer.status, await answer.text()];
  } catch (error) {
    return [error.name];
  }
}"""


def attack(page, base, token):
    """Tries to save from a page of another origin, even with the token; returns the responses that the page could read."""
    address = base + "api/translations"
    seen = [page.evaluate(FETCH, [address, options]) for options in [
        {"mode": "no-cors", "body": EDIT}, {"mode": "no-cors", "body": EDIT, "headers": {"content-type": "text/plain"}},
        {"mode": "cors", "body": EDIT}, {"mode": "cors", "body": EDIT, "headers": {"content-type": "application/json"}},
        {"mode": "cors", "body": EDIT, "headers": {"content-type": "application/json", "x-contentc-token": token}},
        {"mode": "no-cors", "body": EDIT, "headers": {"content-type": "application/json", "x-contentc-token": token}},
        {"mode": "cors", "method": "GET"}, {"mode": "no-cors", "method": "GET"}, {"mode": "no-cors", "keepalive": True, "body": EDIT}]]
    page.evaluate("([address, body]) => navigator.sendBeacon(address, new Blob([body], { type: 'text/plain' }))", [address, EDIT])
    kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
    page.evaluate(FORMS, [[[address + path, kind] for kind in kinds for path in ["", "/import?name=fr.csv"]], EDIT])
    query = "?locale=fr&id=product/country-charm%23title&source=Country+Charm+Basket&target=Attack"
    for path in [query, "/import" + query, "/export?locale=fr&to=csv"]:
        page.evaluate("address => new Promise((done) => Object.assign(new Image(), { onload: done, onerror: done, src: address }))", address + path)
    return [one for one in seen if one[0] not in ("TypeError", "opaque", "opaqueredirect")]


def saves_nothing_for_pages_of_other_origins(viewer):
    with restored(viewer) as before, other_server() as elsewhere, viewer.open(FRENCH) as own:
        token = own.evaluate("fetch('/api/translations').then((answer) => answer.json()).then(({ token }) => token)")
        assert token
        # A page of another port of the same host is of the same site, but not of the same origin.
        for foreign in [elsewhere, elsewhere.replace("localhost", "127.0.0.1")]:
            page = own.context.new_page()
            sent = []
            page.on("request", lambda request: request.url.startswith(viewer.base) and sent.append(request.method))
            page.goto(foreign)
            readable = attack(page, viewer.base, token)
            assert not readable, f"a foreign page could read {readable}"
            assert sent.count("POST") >= 6, f"the page could not even try: {sent}"
            # A link, as a person may click it.
            page.evaluate("address => Object.assign(document.createElement('a'), { href: address }).click()", viewer.base + "api/translations?locale=fr&target=Attack")
            page.wait_for_timeout(300)
            page.close()
        own.wait_for_timeout(500)
        assert files(viewer) == before and target(own, TITLE) == "Panier champêtre"
        # The same request of the own page saves.
        report = own.evaluate(FETCH, ["/api/translations", {"body": EDIT, "headers": {"content-type": "application/json", "x-contentc-token": token}}])
        assert report[1] == 200 and target(own, TITLE) == "Attack", report


def saves_nothing_for_a_rebound_name(viewer):
    """A page whose name is first that of another server, and then of this machine (DNS rebinding)."""
    base = re.sub(r"127\.0\.0\.1|localhost", "rebound.example", viewer.base)
    with restored(viewer) as before, viewer.open(FRENCH) as own:
        token = own.evaluate("fetch('/api/translations').then((answer) => answer.json()).then(({ token }) => token)")
        # The answer to a wrong name is a document of that name. Without its policy, a script in it asks as a rebound page would.
        context = viewer.browser.new_context(bypass_csp=True)
        page = context.new_page()
        assert page.goto(base).status == 421
        statuses = [page.evaluate(FETCH, [base + path, options])[1] for path, options in [
            ("api/translations", {"method": "GET"}), ("api/translations", {"body": EDIT, "headers": {"content-type": "application/json", "x-contentc-token": token}}),
            ("api/translations/import?name=fr.csv", {"body": "a", "headers": {"content-type": "application/octet-stream", "x-contentc-token": token}})]]
        assert statuses == [421, 421, 421], statuses
        context.close()
        assert files(viewer) == before


def counts_outdated_texts(viewer):
    with restored(viewer):
        with viewer.open("#coverage") as page:
            page.locator(".coverage .lead", has_text="Outdated translations are unknown, since there is no record").wait_for()
        viewer.command("translations", "lock")
        source = "entries/product/country-charm.yaml"
        with viewer.edited((source, "Country Charm Basket", "Country Charm Box")), viewer.open("#coverage") as page:
            cell = page.get_by_role("button", name="fr, product:")
            until(lambda: "1 outdated" in cell.get_attribute("aria-label"), "the outdated title")
            assert "outdated: the source text has changed" in page.locator(".coverage .lead").inner_text()
            shown = page.evaluate("fetch('/api/coverage').then(answer => answer.json())")
            printed = json.loads(subprocess.run(
                [viewer.program, "coverage", "--json"], cwd=viewer.content.parent, capture_output=True, check=True).stdout)
            assert shown["locales"] == printed["locales"]
            cell.click()
            page.locator(".todo-field.outdated", has_text="title outdated").wait_for()
            # Quebec gets the French title.
            count = sum(row["outdated"] for row in printed["locales"])
            assert f"{count} texts that readers see are outdated" in page.locator(".coverage .lead").inner_text()
            page.get_by_role("button", name="fr-CA, product:").click()
            link = page.get_by_role("link", name="Show them beside their source")
            until(lambda: "locale=fr-CA" in link.get_attribute("href"), "the texts of Quebec, of which others are missing")


CHECKS = [shows_texts_side_by_side, filters_and_finds_texts, draws_thousands_of_texts_in_parts, saves_by_keyboard_alone, saves_in_a_right_to_left_locale,
          saves_by_a_button, shows_the_screen_beside_the_text, keeps_a_typed_text_while_content_changes, shows_both_texts_of_a_conflict, shows_a_changed_source_text, keeps_a_typed_text_whose_source_is_gone, says_that_nothing_is_left, names_numbers_of_a_plural_category,
          shows_a_refusal_at_the_text, counts_placeholders_and_scalars, offers_files_when_the_texts_are_known, exports_and_imports_files, chooses_a_locale, fits_a_phone, passes_axe, counts_outdated_texts,
          saves_nothing_for_pages_of_other_origins, saves_nothing_for_a_rebound_name,
          starts_again_with_all_options, links_the_places_of_a_refusal]
