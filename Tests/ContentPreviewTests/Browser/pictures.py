"""The pictures of the documentation."""

from pathlib import Path

from viewer import field, shown, until

HOME = "entries/screen/home.yaml"
SIZES = {"preview": (1440, 860), "right-to-left": (1440, 860), "coverage": (1440, 860), "changes": (1440, 960), "problems": (1440, 520),
         "map": (1440, 960), "article": (1440, 960), "phone": (400, 860)}


def take(viewer, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def opened(fragment, name, **look):
        return viewer.open(fragment, *SIZES[name], **look)

    def save(page, name):
        page.wait_for_timeout(500)
        # Changes of a save are highlighted for a moment.
        until(lambda: page.evaluate("document.getAnimations().length") == 0, "a page that rests")
        page.screenshot(path=folder / f"{name}.png")

    # The status shows the duration of an edit's build, not of the first one.
    with viewer.open("#preview?locale=en") as page:
        shown(page, "Good to see you")
        with viewer.edited((HOME, "Good to see you", "Hello")):
            shown(page, "Hello")
        shown(page, "Good to see you")
    with opened("#preview?locale=fr-CA&device=phone&country=CA", "preview") as page:
        page.locator(".fallback").first.wait_for()
        field(page, "elements[welcome].title").hover()
        page.locator(".place-text").wait_for()
        save(page, "preview")
    with opened("#preview?locale=ar&device=ipad&show=@catalog", "right-to-left", scheme="dark") as page:
        page.locator(".fallback").first.wait_for()
        save(page, "right-to-left")
    with opened("#preview?locale=en&device=phone&show=@stores&stand=51.5072,-0.1276", "map") as page:
        page.locator(".nearest .card").nth(9).wait_for()
        page.get_by_role("button", name="Zoom to the nearest").click()
        page.locator(".map-surface").focus()
        for _ in range(11):
            page.keyboard.press("-")
        page.get_by_role("button", name="Load the tiles in view").click()
        page.locator(".primary .frame-notice", has_text="loaded").wait_for()
        until(lambda: page.locator(".primary .frame-notice").inner_text() == "", "a screen without a notice")
        save(page, "map")
    with opened("#preview?locale=fr&device=ipad&show=article/peony-season", "article") as page:
        field(page, "body").hover(position={"x": 20, "y": 20})
        page.locator(".place-text").wait_for()
        save(page, "article")
    with opened("#coverage?locale=fr", "coverage") as page:
        page.get_by_role("button", name="ja, store:").click()
        page.locator(".todo").wait_for()
        save(page, "coverage")
    with viewer.edited(("entries/product/country-charm.yaml", "price: 39.99", "price: 42.5"),
                       ("entries/product/country-charm.yaml", "in willow", "tied this morning")):
        with opened("#changes?locale=en&device=phone&of=product/country-charm", "changes") as page:
            page.locator(".pair .differs").first.wait_for()
            save(page, "changes")
    with viewer.edited((HOME, "title: Flowers\n", "titel: Flowers\n")):
        with opened("#problems", "problems") as page:
            page.locator(".problem").wait_for()
            save(page, "problems")
    with opened("#preview?locale=de&device=phone&country=DE&show=step/send-flowers/choose", "phone", scheme="dark") as page:
        shown(page, "1 of 3")
        # The restored files are built by then.
        shown(page, "39,99")
        save(page, "phone")
