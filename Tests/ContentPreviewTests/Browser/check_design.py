"""The design: nothing moves by itself, the screen is few stops away, and there is always a next step."""

import re
import subprocess
import tempfile
from pathlib import Path

from fields import hidden_fields, unmarked_words
from viewer import address, body, choose, field, point_at, shown, until

HOME = "entries/screen/home.yaml"
PLACES = ["screen/home", "screen/terms", "product/country-charm", "category/roses", "step/send-flowers/choose", "step/send-flowers/address", "form/address",
          "settings/app", "settings/delivery", "strings/checkout"]
BOXES = """() => [...document.querySelectorAll('.frame.primary .text')].map((part) => {
  const range = document.createRange();
  range.selectNode(part.firstChild);
  return [part.dataset.path, ...[...range.getClientRects()].flatMap(({ x, y, width, height }) => [x, y, width, height].map((n) => Math.round(n * 10) / 10))];
})"""


def needs_few_tab_stops_to_the_screen(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Good to see you")
        page.locator(".contents .bundle").first.wait_for()
        for stops in range(1, 20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('frame-body')"):
                break
        assert stops <= 14, f"{stops} stops"
        page.reload()
        shown(page, "Good to see you")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.classList.contains('frame-body')"), "the skip link leads elsewhere"
        assert "locale=en" in address(page)


def moves_among_tabs_and_contents_with_arrows(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        page.locator('[data-tab="preview"]').focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.tab") == "changes"
        page.locator('.contents [data-place="@catalog"]').focus()
        page.keyboard.press("ArrowRight")
        entry = page.locator('.contents [data-place="product/country-charm"]')
        entry.wait_for()
        page.keyboard.press("ArrowDown")
        assert "/" in page.evaluate("document.activeElement.dataset.place")
        page.keyboard.press("ArrowLeft")
        until(lambda: not entry.is_visible(), "folded entries")
        assert page.evaluate("document.activeElement.dataset.place") == "@catalog"


def moves_nothing_by_marks(viewer):
    for place in ["locale=fr-CA", "locale=ja&show=product/country-charm", "locale=ar&show=@catalog", "locale=ar&show=product/country-charm", "locale=de&show=product/country-charm"]:
        with viewer.open(f"#preview?device=phone&{place}") as page:
            page.locator(".primary .from").first.wait_for(state="attached")
            marked = page.evaluate(BOXES)
            page.evaluate("document.querySelectorAll('.tail').forEach(tail => tail.remove()); document.querySelectorAll('.fallback').forEach(text => text.classList.remove('fallback', 'kin'))")
            plain = page.evaluate(BOXES)
            moved = [(one, other) for one, other in zip(marked, plain) if one != other]
            assert marked and not moved, f"{place}: {moved[:2]}"


def keeps_tabs_in_their_places(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        places = []
        for tab in page.evaluate("TABS.map(({ name }) => name)"):
            page.locator(f'[data-tab="{tab}"]').click()
            page.locator(f'[data-tab="{tab}"][aria-current]').wait_for()
            places.append(page.evaluate("[...document.querySelectorAll('.tab')].map(tab => { const { x, y } = tab.getBoundingClientRect(); return [x, y]; })"))
        assert all(place == places[0] for place in places), places


def keeps_shortcuts_after_something_was_chosen(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        page.keyboard.press("l")
        page.keyboard.type("canada")
        page.keyboard.press("Enter")
        until(lambda: "locale=fr-CA" in address(page), "the locale")
        assert page.evaluate("document.activeElement.id") == "locale"
        page.keyboard.press("]")
        until(lambda: "locale=ja" in address(page), "the next locale")
        for key, switch in [("v", "device"), ("t", "at")]:
            page.keyboard.press(key)
            page.locator(f"#{switch}-list").wait_for()
            page.keyboard.press("Escape")
            assert page.evaluate("document.activeElement.id") == switch
        page.keyboard.press("3")
        page.locator(".panel.coverage").wait_for()


def chooses_from_a_list_with_keys(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        page.locator("#device").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("t")
        page.keyboard.press("v")
        page.keyboard.press("Enter")
        until(lambda: "device=tv" in address(page), "the device")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        until(lambda: "device=phone" in address(page), "the first device")


def cuts_no_name_of_a_locale_off(viewer):
    for width in [1440, 390]:
        with viewer.open("#preview?locale=en", width=width) as page:
            if width < 760:
                page.locator(".summary").click()
            page.locator("#locale").click()
            cut = page.evaluate("[...document.querySelectorAll('#locale-list .option span')].filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth).map(part => part.textContent)")
            assert not cut, cut
            box = page.locator(".popup:visible").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, box


def says_that_a_locale_is_not_declared(viewer):
    with viewer.open("#preview?locale=fr-BE&device=watch") as page:
        notice = page.locator(".notice", has_text="“fr-BE”")
        notice.wait_for()
        assert "The page shows fr, as readers get it." in notice.inner_text()
        page.locator(".notice", has_text="“watch” is not a device of this content").wait_for()
        assert "locale=fr&device=any" in address(page), address(page)
        notice.get_by_role("button", name="Choose a locale").click()
        page.locator('#locale-list [data-value="ja"]').click()
        notice.wait_for(state="detached")
        page.get_by_role("button", name="Close this notice").click()
        assert page.locator("#notices .notice:visible").count() == 0
    with viewer.open("#preview?locale=xx&channel=prod") as page:
        page.get_by_text("shows en, the source locale").wait_for()
        page.get_by_role("button", name=re.compile("^contentc preview qa --editor vscode .*prod$")).wait_for()
    with viewer.open("#preview?locale=ja") as page:
        page.locator(".primary .text").first.wait_for()
        assert page.locator(".notice:visible").count() == 0


def shows_that_it_is_loading(viewer):
    with viewer.open() as page:
        page.route("**/api/state", lambda route: (page.wait_for_timeout(1_500), route.continue_()))
        page.goto(viewer.base + "?again", wait_until="commit")
        page.get_by_text("Reading the build …").wait_for()
        page.locator(".primary .frame-body").wait_for()


def says_that_the_server_does_not_answer(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Good to see you")
        turn = "detail => page.session.events.dispatchEvent(new CustomEvent('connection', { detail }))"
        page.evaluate(turn, "lost")
        notice = page.get_by_role("alert").filter(has_text="The preview’s server does not answer.")
        notice.wait_for()
        port = viewer.base.rstrip("/").rsplit(":", 1)[1]
        notice.get_by_role("button", name=f"contentc preview qa --editor vscode --port {port}", exact=True).wait_for()
        page.evaluate(turn, "live")
        notice.wait_for(state="hidden")


def offers_a_next_step_where_there_is_nothing(viewer):
    with viewer.open("#preview?show=product/nothing", expected=["404"]) as page:
        body(page).get_by_role("button", name="First screen").click()
        shown(page, "Good to see you")
        page.keyboard.press("/")
        page.keyboard.type("zebra")
        page.get_by_role("button", name="Clear the search").click()
        page.locator('.contents [data-place="@catalog"]').wait_for()
        page.keyboard.press("Escape")
        page.route("**/api/schedule*", lambda route: route.fulfill(json={"moments": []}))
        page.evaluate("page.session.api.answers.clear(); location.hash = '#schedule'")
        page.get_by_text("Nothing in this content appears or ends by itself").wait_for()
        page.get_by_role("button", name="when: {from:").wait_for()
        page.evaluate("location.hash = '#changes'")
        page.get_by_role("button", name="Show the screen").click()
        shown(page, "Good to see you")
    with viewer.open("#preview?show=product/autumn-glow&at=2020-06-01T00:00:00Z") as page:
        body(page).get_by_role("button", name="Show that instant").click()
        until(lambda: "at=2020" not in address(page) and "at=" in address(page), "the moment in the address")
        body(page).get_by_role("heading").first.wait_for()


def names_the_channel_to_start_with(viewer):
    with viewer.open() as page:
        page.route("**/api/state", lambda route: route.fulfill(json={**route.fetch().json(), "comparing": []}))
        page.goto(viewer.base + "?again#changes")
        page.get_by_text("There is no channel to compare with").wait_for()
        page.get_by_role("button", name=re.compile("^contentc preview .*production$")).wait_for()


def separates_a_place_from_its_message(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        with viewer.edited((HOME, "title: Flowers\n", "titel: Flowers\n")):
            place = page.locator(".banner-error .place-link")
            place.wait_for()
            assert place.inner_text() == f"content/{HOME}:1", place.inner_text()
            assert page.locator(".banner-error > span").inner_text().startswith("unknown field 'titel'")


def opens_places_in_the_editor(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        point_at(page, "elements[welcome].title")
        link = page.get_by_role("link", name=f"Open content/{HOME}:7 in the editor")
        link.wait_for()
        address = link.get_attribute("href")
        assert address.startswith(f"vscode://file{viewer.content.resolve()}/{HOME}:7:"), address
        escaped = page.evaluate("Places.address('content/a b#c?d%.yaml:3:9')")
        assert escaped == f"vscode://file{viewer.content.resolve()}/a%20b%23c%3Fd%25.yaml:3:9", escaped
    with viewer.on_network.open("#preview?locale=en&device=phone") as page:
        point_at(page, "elements[welcome].title")
        page.locator(".place-text").wait_for()
        assert page.locator('a[href^="vscode:"]').count() == 0
        assert page.evaluate("page.session.state.arguments") is None


def shows_a_code_for_a_phone(viewer):
    with viewer.open("#preview?locale=fr-CA&device=phone&show=product/country-charm") as page:
        page.get_by_role("button", name="On a phone (Q)").click()
        page.get_by_role("button", name=re.compile("^contentc preview qa --editor vscode .*--lan$")).wait_for()
        page.keyboard.press("Escape")
        page.evaluate("page.session.state.network = ['192.168.100.20']")
        page.keyboard.press("q")
        code = page.locator(".qr")
        code.wait_for()
        with tempfile.TemporaryDirectory(prefix="contentc-code.") as folder:
            picture = Path(folder) / "code.png"
            code.screenshot(path=picture)
            done = subprocess.run(["zbarimg", "--nodbus", "--quiet", "--raw", picture], capture_output=True, text=True)
        port = viewer.base.rstrip("/").rsplit(":", 1)[1]
        assert done.stdout.strip() == f"http://192.168.100.20:{port}/#preview?locale=fr-CA&device=phone&show=product/country-charm", done.stdout


def shows_live_content_at_the_left(viewer):
    with viewer.edited((HOME, "Good to see you", "Welcome back")):
        with viewer.open("#preview?locale=en&device=phone&side=both", width=1600) as page:
            shown(page, "Welcome back")
            for fragment, frames in [(None, ".stage"), ("#changes?locale=en&device=phone&of=screen/home", ".pair")]:
                if fragment:
                    page.evaluate("fragment => location.hash = fragment", fragment)
                live = page.locator(f'{frames} [aria-label="Live in qa"]')
                build = page.locator(f'{frames} [aria-label="This build"]')
                live.get_by_text("Good to see you").wait_for()
                build.get_by_text("Welcome back").wait_for()
                assert live.bounding_box()["x"] < build.bounding_box()["x"], frames
                for frame in [live, build]:
                    until(lambda: frame.locator(".differs").evaluate_all("parts => parts.map(part => part.dataset.path)") == ["elements[welcome].title"], "the mark")
            page.evaluate("location.hash = '#preview?locale=en&device=phone&side=both'")
            page.locator(".remarks", has_text="1 differs").wait_for()
            page.keyboard.press("b")
            until(lambda: page.locator(".preview .differs").count() == 0, "no marks beside nothing")


def counts_coverage_as_the_command_does(viewer):
    with viewer.open("#coverage") as page:
        page.locator(".matrix").wait_for()
        rows = page.evaluate("[...document.querySelectorAll('.matrix tbody tr')].map(row => [row.querySelector('th').firstChild.data, ...[...row.querySelectorAll('td')].map(cell => cell.textContent.replace(' %', ''))])")
        rounded = page.evaluate("[0, 0.0004, 0.29, 0.5, 0.9994, 0.99949, 0.9999999, 1].map(percent)")
    assert rounded == ["0 %", "0 %", "29 %", "50 %", "99.9 %", "99.9 %", "99.9 %", "100 %"], rounded
    if viewer.program:
        printed = subprocess.run([viewer.program, "coverage"], cwd=viewer.content.parent, capture_output=True, text=True, check=True).stdout
        table = [line.replace(" %", "").split() for line in printed.split("\n\n")[1].split("\n")[1:] if line]
        assert sorted(rows) == sorted(table), (rows, table)


def reads_instants_as_people_type_them(viewer):
    now = "2026-11-22T10:00:00Z"
    cases = {"2026-12-24 18:00": "2026-12-24T17:00:00Z", "2026-12-24": "2026-12-23T23:00:00Z", "2026-12-24T18:00:00Z": "2026-12-24T18:00:00Z", "18:30": "2026-11-22T17:30:00Z",
             "tomorrow": "2026-11-23T10:00:00Z", "+3d": "2026-11-25T10:00:00Z", "-2h": "2026-11-22T08:00:00Z", "soon": "", "2026-13-40": "", "12": ""}
    with viewer.open() as page:
        for text, instant in cases.items():
            got = page.evaluate("([text, now]) => { const found = typedInstant(text, Date.parse(now)); return found === undefined ? '' : instantText(new Date(found).toISOString()); }", [text, now])
            assert got == instant, (text, got)
        page.keyboard.press("t")
        page.keyboard.type("soon")
        page.get_by_text("Not an instant").wait_for()
        page.keyboard.press("Enter")
        assert "at=" not in address(page)


def hides_no_field_of_the_sample(viewer):
    with viewer.open() as page:
        for place in PLACES:
            hidden = hidden_fields(page, place, "en")
            assert not hidden, f"{place}: {hidden}"
            words = unmarked_words(page)
            assert not words, f"{place}: {words}"


CHECKS = [needs_few_tab_stops_to_the_screen, moves_among_tabs_and_contents_with_arrows, moves_nothing_by_marks, keeps_tabs_in_their_places,
          keeps_shortcuts_after_something_was_chosen, chooses_from_a_list_with_keys, cuts_no_name_of_a_locale_off, says_that_a_locale_is_not_declared,
          shows_that_it_is_loading, says_that_the_server_does_not_answer, offers_a_next_step_where_there_is_nothing, names_the_channel_to_start_with,
          separates_a_place_from_its_message, opens_places_in_the_editor, shows_a_code_for_a_phone, shows_live_content_at_the_left,
          counts_coverage_as_the_command_does, reads_instants_as_people_type_them, hides_no_field_of_the_sample]
