"""The views beside the preview: coverage, changes, sizes, schedule, problems."""

import re

from viewer import address, choose, shown, until


def colours_coverage_and_lists_what_is_to_do(viewer):
    with viewer.open("#coverage") as page:
        page.get_by_role("heading", name="Coverage").wait_for()
        cell = page.get_by_role("button", name="ja, product:")
        cell.wait_for()
        assert "falling back" in cell.get_attribute("aria-label")
        colours = page.eval_on_selector_all(".cell", "cells => new Set(cells.map(cell => getComputedStyle(cell).backgroundColor)).size")
        assert colours > 3, f"{colours} colours"
        cell.click()
        assert "#translations?locale=ja" in page.get_by_role("link", name="Show them beside their source").get_attribute("href")
        page.locator(".todo").get_by_text("product/country-charm").click()
        shown(page, "カントリーチャーム")
        assert "locale=ja" in address(page)


def has_complete_coverage_of_the_source(viewer):
    with viewer.open("#coverage") as page:
        assert "100 %" in page.get_by_role("button", name="en: 100 %", exact=False).first.inner_text()


def shows_sizes_of_bundles_and_contexts(viewer):
    with viewer.open("#sizes?locale=en&device=phone") as page:
        page.get_by_role("heading", name="Largest entries").wait_for()
        assert page.get_by_role("row", name="catalog").first.is_visible()
        assert "kB" in page.locator(".lead").inner_text()
        choose(page, "sizes-other", "en-GB/phone")
        until(lambda: "same file" in page.locator(".figure").inner_text(), "what is shared")
        page.get_by_role("link", name="catalog").first.click()
        shown(page, "Country Charm Basket")


def goes_to_a_moment_of_the_schedule(viewer):
    with viewer.open("#schedule") as page:
        page.locator(".now-line").wait_for()
        moment = page.locator(".moment", has_text="product/autumn-glow").filter(has_text="ends").first
        moment.get_by_role("link", name="product/autumn-glow", exact=True).click()
        shown(page, "Not any more")
        assert "at=" in address(page)
        page.keyboard.press("5")
        page.locator(".now-line", has_text="In view").wait_for()


def begins_the_schedule_with_what_comes_next(viewer):
    with viewer.open("#schedule?at=2030-11-22T09:00:00Z") as page:
        page.locator(".now-line").wait_for()
        first = page.locator(".schedule > .moments > .moment").first
        until(lambda: "Autumn Glow" in first.inner_text(), "the title of what ends")
        assert "in 8 days" in first.inner_text() and "01 Dec 2030, 00:00 CET" in first.inner_text(), first.inner_text()
        holidays = page.locator(".moment", has_text="elements[holidays]").first
        assert "Flowers for the holidays" in holidays.inner_text()
        # The zone of the content, not the one of this browser.
        pine = page.locator(".schedule > .moments > .moment", has_text="product/new-year-pine")
        assert "08 Jan 2031, 00:00 GMT+9" in pine.inner_text(), pine.inner_text()
        assert page.locator(".past-moments .moment").first.is_hidden()
        page.locator(".past-moments summary").click()
        page.locator(".past-moments .moment").first.wait_for()


def marks_the_words_that_changed(viewer):
    with viewer.edited(("entries/product/country-charm.yaml", "in willow", "in dark willow")):
        with viewer.open("#changes?locale=en&device=phone&of=product/country-charm") as page:
            row = page.locator(".diff", has_text="willow").first
            row.wait_for()
            until(lambda: row.locator("ins mark").all_inner_texts() in (["dark "], [" dark"]), "the marked word")
            assert row.locator("del mark").count() == 0
        with viewer.open() as page:
            marks = page.evaluate("""() => markedWords('A rose is red', 'A rose was red').map(nodes => nodes.map(node => node.textContent ?? node))""")
            assert marks == [["A rose ", "is", " red"], ["A rose ", "was", " red"]], marks
            assert page.evaluate("markedWords('one two', 'three four').flat()") == ["one two", "three four"]


def compares_with_a_channel_side_by_side(viewer):
    with viewer.edited(("entries/product/country-charm.yaml", "price: 39.99", "price: 42.5")):
        with viewer.open("#changes?locale=en&device=phone") as page:
            page.locator(".change", has_text="product/country-charm").click()
            row = page.locator(".diff", has_text="price")
            row.wait_for()
            assert "39.99" in row.locator("del").inner_text() and "42.5" in row.locator("ins").inner_text()
            old, new = page.locator(".pair .frame-body").all()
            old.get_by_text("$39.99").wait_for()
            new.get_by_text("$42.50").wait_for()
            until(lambda: page.locator(".pair .differs").count() == 2, "both prices marked")


def has_no_problems_to_show(viewer):
    with viewer.open("#problems") as page:
        page.get_by_text("The content has no problems.").wait_for()


def shows_translations_without_saving_them(viewer):
    with viewer.open("#translations?locale=fr&device=phone") as page:
        page.locator(".unit").first.wait_for()
        assert page.locator(".translations textarea").count() == 0
        page.get_by_role("button", name=re.compile("^contentc preview qa --editor vscode .*--edit$")).wait_for()
        page.locator('.unit [lang="fr"]').first.wait_for()
        page.get_by_role("button", name="Import …").click()
        assert page.get_by_label("File").is_disabled()
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        until(lambda: page.evaluate("document.activeElement.closest('.unit')?.dataset.state") == "missing", "the first missing text")


CHECKS = [begins_the_schedule_with_what_comes_next, marks_the_words_that_changed, colours_coverage_and_lists_what_is_to_do, has_complete_coverage_of_the_source, shows_sizes_of_bundles_and_contexts,
          goes_to_a_moment_of_the_schedule, compares_with_a_channel_side_by_side, has_no_problems_to_show, shows_translations_without_saving_them]
