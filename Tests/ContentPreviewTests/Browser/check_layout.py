"""The layout: nothing overlaps, is cut off or moves, on any device and in any direction."""

import re

from viewer import address, choose, field, shown, until

HOME = "entries/screen/home.yaml"
LOCALES = ["en", "en-GB", "fr", "fr-CA", "es-MX", "pt-BR", "de", "ja", "zh-Hant", "ar"]
STEPS = ["step/send-flowers/choose", "step/send-flowers/address", "step/send-flowers/card"]
# The visible tags of fallbacks that cover another text, a picture or an icon.
COVERED = """() => {
  const lines = (part) => {
    if (!part.matches('.text') || !part.firstChild) return [part.getBoundingClientRect()];
    const range = document.createRange();
    range.selectNodeContents(part);
    const tail = part.querySelector(':scope > .tail');
    if (tail) range.setEndBefore(tail);
    return [...range.getClientRects()];
  };
  const parts = [...document.querySelectorAll('.primary .frame-body :is(.text, img, .icon)')].flatMap(part => lines(part).map(box => [part, box]));
  return [...document.querySelectorAll('.primary .from')].filter(tag => getComputedStyle(tag).visibility === 'visible').flatMap(tag => {
    const box = tag.getBoundingClientRect();
    return parts.filter(([part, other]) => !part.contains(tag) && Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1)
      .map(([part]) => `${tag.closest('.text').dataset.path} covers ${part.dataset.path ?? part.className.baseVal}`);
  });
}"""


def covers_nothing_with_marks(viewer):
    for place in ["locale=fr-CA&device=ipad&country=CA&show=@catalog", "locale=ar&device=phone", "locale=ar&device=phone&show=@catalog", "locale=de&device=phone&show=product/country-charm"]:
        with viewer.open(f"#preview?{place}") as page:
            page.locator(".primary .from").first.wait_for(state="attached")
            until(lambda: page.evaluate(COVERED) == [], f"marks that cover nothing: {place}: {page.evaluate(COVERED)[:3]}", seconds=5)
            assert page.locator(".primary .from:visible").count() > 0 or "catalog" in place


def fits_the_steps_of_the_sample(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        for device in ["phone", "tv"]:
            for locale in LOCALES:
                for step in STEPS:
                    page.evaluate("hash => location.hash = hash", f"#preview?locale={locale}&device={device}&show={step}")
                    page.wait_for_function("([step, locale]) => { const { frame } = page.panel('preview'); return frame.drawnPlace === step && frame.body.lang === locale; }", arg=[step, locale])
                    page.evaluate("() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")
                    misfits = page.evaluate("[...document.querySelectorAll('.primary .misfit')].map(part => `${part.dataset.height} < ${part.offsetHeight}: ${part.innerText}`)")
                    assert not misfits, (device, locale, step, misfits)


def breaks_no_word_on_a_watch(viewer):
    with viewer.open("#preview?locale=ar&show=@catalog") as page:
        with viewer.edited(("content.yaml", "  phone: {}\n", "  phone: {}\n  watch: {}\n")):
            until(lambda: page.evaluate("page.session.state.devices.some(({ name }) => name === 'watch')"), "a build with a watch")
            choose(page, "device", "watch")
            page.locator('.primary .device[data-kind="watch"]').wait_for()
            shown(page, "سلامتك")
            # A word that is broken has several boxes.
            broken = page.evaluate("""() => [...document.querySelectorAll('.primary .card-title')].filter(title => {
              const text = title.firstChild;
              return [...(text.data ?? '').matchAll(/\\S+/g)].some(({ 0: word, index }) => {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                return range.getClientRects().length > 1;
              });
            }).map(title => title.textContent)""")
            assert not broken, broken


def shows_no_empty_pictures_in_a_list_without_pictures(viewer):
    with viewer.open("#preview?locale=en&device=phone&show=@city-stores") as page:
        page.locator(".primary .card").first.wait_for()
        assert page.locator(".primary .card-picture:visible").count() == 0
        assert page.locator(".primary .card img").count() == 0
    with viewer.open("#preview?locale=en&device=phone&show=@catalog") as page:
        page.locator(".primary .card img").first.wait_for()
        assert page.locator(".primary .card-picture .icon").count() == 0


def writes_codes_from_left_to_right(viewer):
    with viewer.open("#preview?locale=ar&device=phone&show=product/balloon") as page:
        accent = field(page, "accent")
        accent.wait_for()
        assert accent.inner_text() == "#D32F2F" and accent.evaluate("part => getComputedStyle(part).direction") == "ltr"


def moves_nothing_when_a_save_has_errors(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Good to see you")
        before = page.locator(".primary .device").bounding_box()
        with viewer.edited((HOME, "title: Flowers\n", "titel: Flowers\n")):
            page.locator(".banner-line:visible").wait_for()
            assert page.locator(".primary .device").bounding_box() == before
            box = page.locator(".banner-line").bounding_box()
            assert box["y"] + box["height"] <= 900, box


def shows_warnings_in_the_status(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Good to see you")
        assert page.locator(".status").get_attribute("data-kind") == "good"
        with viewer.edited(("entries/product/balloon.yaml", "subtitle: Red, round", "subtitle: Red &amp; round")):
            status = page.locator('.status[data-kind="warned"]')
            status.wait_for()
            text = status.get_attribute("data-text")
            assert re.fullmatch(r"1 warning · Built in \d+ ms", text), text
            status.get_by_role("link").click()
            page.locator(".problem", has_text="readers see '&amp;' as it is").wait_for()
            assert page.locator(".problem").count() == 1


def names_the_tab_of_the_browser(viewer):
    with viewer.open("#preview?locale=en&device=phone&show=product/country-charm") as page:
        until(lambda: page.title() == "product/country-charm · flowershop preview", "the entry in the title")
        page.keyboard.press("5")
        until(lambda: page.title() == "Schedule · flowershop preview", "the view in the title")


def finds_entries_by_their_titles(viewer):
    with viewer.open("#preview?locale=fr&device=phone") as page:
        page.locator('.contents [data-place="@catalog"]').wait_for()
        page.keyboard.press("/")
        page.keyboard.type("panier champêtre")
        found = page.locator('.contents [data-place="product/country-charm"]').first
        found.wait_for()
        assert "Panier champêtre" in found.inner_text()
        found.click()
        until(lambda: "show=product/country-charm" in address(page), "the entry")


def opens_the_source_on_a_phone(viewer):
    with viewer.open("#preview?locale=en", width=390, height=844) as page:
        shown(page, "Good to see you")
        body = page.locator(".inspector-body")
        assert not body.is_visible()
        page.get_by_role("button", name="Source").click()
        body.wait_for()
        page.get_by_role("button", name="Source").click()
        body.wait_for(state="hidden")


def cuts_off_no_tab_on_a_phone(viewer):
    with viewer.open("#preview?locale=en", width=390, height=844) as page:
        shown(page, "Good to see you")
        cut = page.evaluate("[...document.querySelectorAll('.tab')].filter(tab => { const { left, right } = tab.getBoundingClientRect(); return left < 0 || right > document.documentElement.clientWidth; }).map(tab => tab.dataset.tab)")
        assert not cut, cut
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def overlaps_nothing_in_the_list_of_keys(viewer):
    for width, height in [(1440, 900), (390, 844)]:
        with viewer.open("#preview?locale=en", width=width, height=height) as page:
            shown(page, "Good to see you")
            page.evaluate("page.help.toggle()")
            over = page.evaluate("[...document.querySelectorAll('.help[open] .shortcut')].filter(row => Math.max(...[...row.querySelectorAll('kbd')].map(key => key.getBoundingClientRect().right)) > row.querySelector('dd').getBoundingClientRect().left).map(row => row.innerText)")
            assert not over, over


def shows_a_text_of_another_country_to_a_translator(viewer):
    with viewer.open("#translations?locale=de&device=phone&find=new-year-pine", width=1500) as page:
        text = page.locator('.unit[data-unit^="product/new-year-pine#"] .unit-text').last
        text.wait_for()
        text.focus()
        page.locator(".translation-screen").get_by_text("Its condition is not met here").wait_for()
        page.locator(".translation-screen").get_by_role("button", name="Show it for Japan").click()
        until(lambda: "country=JP" in address(page), "the country")
        page.locator(".translation-screen .frame-title", has_text="Pine").wait_for()
    with viewer.edited((HOME, "  - {id: gap, type: space, height: 24}\n", "  - {id: gap, type: space, height: 24}\n  - {id: abroad, type: paragraph, value: Customs may ask you, when: {country: [CH, NO]}}\n")):
        with viewer.open("#translations?locale=de&device=phone&find=Customs", width=1500) as page:
            text = page.locator(".unit .unit-text").last
            text.wait_for()
            text.focus()
            page.locator(".translation-screen").get_by_text("Other readers see this text").wait_for()
            page.locator(".translation-screen").get_by_role("button", name="Show it for Switzerland").click()
            page.locator(".translation-screen .inspected", has_text="Customs may ask you").wait_for()


CHECKS = [covers_nothing_with_marks, fits_the_steps_of_the_sample, breaks_no_word_on_a_watch, shows_no_empty_pictures_in_a_list_without_pictures, writes_codes_from_left_to_right,
          moves_nothing_when_a_save_has_errors, shows_warnings_in_the_status, names_the_tab_of_the_browser, finds_entries_by_their_titles, opens_the_source_on_a_phone,
          cuts_off_no_tab_on_a_phone, overlaps_nothing_in_the_list_of_keys, shows_a_text_of_another_country_to_a_translator]
