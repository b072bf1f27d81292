"""Everything by keyboard."""

from pathlib import Path

from viewer import field, own_text, until


def lists_its_shortcuts(viewer):
    with viewer.open() as page:
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keyboard").wait_for()
        page.keyboard.press("Escape")
        until(lambda: page.get_by_role("dialog").count() == 0, "a closed dialog")


def switches_views_by_number(viewer):
    with viewer.open() as page:
        tabs = page.evaluate("TABS.map(({ name, title }) => [name, title])")
        for number, (name, title) in reversed(list(enumerate(tabs, 1))):
            page.keyboard.press(str(number))
            page.locator(".preview" if name == "preview" else f".panel-head h2:has-text('{title}')").wait_for()
        row = f"| <kbd>1</kbd> – <kbd>{len(tabs)}</kbd> | {', '.join(title.lower() for _, title in tabs)} |"
        assert row in (Path(__file__).parents[3] / "docs/reference/preview.md").read_text(encoding="utf-8"), row


def reaches_everything_by_tab_with_a_visible_focus(viewer):
    with viewer.open("#preview?locale=en") as page:
        seen, unseen = set(), []
        for _ in range(90):
            page.keyboard.press("Tab")
            found = page.evaluate("""() => {
              const at = document.activeElement;
              const name = at.getAttribute('aria-label') ?? at.id ?? '';
              const style = getComputedStyle(at);
              return [at.tagName, name || at.textContent.trim().slice(0, 30), style.outlineStyle !== 'none' && style.outlineWidth !== '0px'];
            }""")
            if found[0] == "BODY":
                break
            seen.add(found[1])
            if not found[2]:
                unseen.append(found)
        assert not unseen, f"no visible focus: {unseen[:3]}"
        for wanted in ["locale", "device", "country", "app", "at", "pseudo", "Find an entry or a title", "Screen", "On a phone (Q)"]:
            assert wanted in seen, f"Tab does not reach {wanted}: {sorted(seen)}"
        # Tools are one stop together.
        page.get_by_role("button", name="On a phone (Q)").focus()
        page.keyboard.press("End")
        assert page.evaluate("document.activeElement.ariaLabel") == "Keyboard shortcuts (?)"


def leaves_keys_to_fields(viewer):
    with viewer.open() as page:
        page.keyboard.press("/")
        page.keyboard.type("p1?")
        assert page.get_by_label("Find an entry").input_value() == "p1?"
        assert page.locator("dialog[open]").count() == 0


def turns_dark_and_light(viewer):
    with viewer.open() as page:
        light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        page.keyboard.press("d")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light


def keeps_the_focus_in_the_contents(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        twist = page.get_by_role("button", name="Entries of catalog")
        twist.focus()
        page.keyboard.press("Enter")
        entry = page.locator('.contents [data-place="product/country-charm"]')
        entry.focus()
        page.keyboard.press("Enter")
        field(page, "description").wait_for()
        # Nothing that is drawn later moves the focus.
        page.wait_for_timeout(300)
        assert page.evaluate("document.activeElement.dataset.place") == "product/country-charm"
        twist.focus()
        with viewer.edited(("entries/product/country-charm.yaml", "title: Country Charm Basket", "title: A basket")):
            until(lambda: own_text(field(page, "title")) == "A basket", "the new title")
            page.wait_for_timeout(300)
            assert page.evaluate("document.activeElement.dataset.group") == "catalog"


CHECKS = [lists_its_shortcuts, switches_views_by_number, reaches_everything_by_tab_with_a_visible_focus, leaves_keys_to_fields,
          turns_dark_and_light, keeps_the_focus_in_the_contents]
