"""axe finds no violations in any view: light and dark, wide and narrow, left-to-right and right-to-left."""

from axe_playwright_python.sync_playwright import Axe

from viewer import point_at

VIEWS = ["#preview?locale=en", "#preview?locale=ar&device=phone", "#preview?locale=ja&show=product/country-charm", "#preview?locale=fr&device=ipad&show=@catalog",
         "#preview?locale=de&country=DE&show=step/send-flowers/address", "#preview?locale=en&show=settings/app&device=tv", "#preview?locale=en&side=both", "#preview?locale=en&side=live&app=0",
         "#translations?locale=fr", "#translations?locale=ar", "#preview?locale=ar&show=strings/app"]
WIDE, NARROW = (1440, 900), (390, 844)


def violations(page, rules=None):
    """The violations that axe finds in the page, including the colours of the sample."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    return [f"{violation['id']}: {node['html'][:140]} {node.get('failureSummary', '')[:160]}"
            for violation in Axe().run(page, options=options).response["violations"] for node in violation["nodes"]]


def passes_in(scheme, size):
    # Dark and light differ in colours only.
    rules = ["color-contrast"] if scheme == "dark" else None

    def check(viewer):
        with viewer.open(VIEWS[0], *size, scheme=scheme) as page:
            for fragment in page.evaluate("TABS.map(({ name }) => `#${name}`)") + VIEWS:
                page.evaluate("fragment => location.hash = fragment", fragment)
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(250)
                found = violations(page, rules)
                assert not found, f"{fragment}: " + "\n".join(found[:6])
    check.__name__ = f"passes_axe_{scheme}_{size[0]}"
    return check


def passes_with_everything_open(viewer):
    with viewer.open("#preview?locale=ja&show=product/country-charm&pseudo=en-XA&country=JP") as page:
        point_at(page, "title")
        page.locator(".place-text").wait_for()
        page.locator(".twist").first.click()
        page.locator("#locale").click()
        assert not violations(page)
        page.keyboard.press("Escape")
        page.locator("#at").blur()
        page.get_by_role("button", name="Keyboard shortcuts (?)").click()
        assert not violations(page)


def passes_with_errors(viewer):
    with viewer.edited(("entries/screen/home.yaml", "title: Flowers\n", "titel: Flowers\n")):
        for fragment in ["#preview", "#problems"]:
            for scheme in ["light", "dark"]:
                with viewer.open(fragment, scheme=scheme) as page:
                    page.locator(".banner-line:visible, .problem").first.wait_for()
                    assert not violations(page)


CHECKS = [passes_in("light", WIDE), passes_in("dark", WIDE), passes_in("light", NARROW), passes_in("dark", NARROW), passes_with_everything_open,
          passes_with_errors]
