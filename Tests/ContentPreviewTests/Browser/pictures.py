"""Pictures of six views, for the documentation and to be looked at."""

from pathlib import Path

from viewer import field, shown

HOME = "entries/screen/home.yaml"


def take(viewer, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def save(page, name):
        page.wait_for_timeout(500)
        page.screenshot(path=folder / f"{name}.png")

    with viewer.open("#preview?locale=fr-CA&device=phone&country=CA", height=860) as page:
        page.locator(".fallback").first.wait_for()
        field(page, "elements[welcome].title").hover()
        page.locator(".place-text").wait_for()
        save(page, "preview")
    with viewer.open("#preview?locale=ar&device=ipad&show=@catalog", height=860, scheme="dark") as page:
        page.locator(".fallback").first.wait_for()
        save(page, "right-to-left")
    with viewer.open("#coverage?locale=fr", height=860) as page:
        page.get_by_role("button", name="ja, store:").click()
        page.locator(".todo").wait_for()
        save(page, "coverage")
    with viewer.edited(("entries/product/country-charm.yaml", "price: 39.99", "price: 42.5"),
                       ("entries/product/country-charm.yaml", "in willow", "tied this morning")):
        with viewer.open("#changes?locale=en&device=phone&of=product/country-charm", height=960) as page:
            page.locator(".pair .differs").first.wait_for()
            save(page, "changes")
    with viewer.edited((HOME, "title: Flowers\n", "titel: Flowers\n")):
        with viewer.open("#problems", height=520) as page:
            page.locator(".problem").wait_for()
            save(page, "problems")
    with viewer.open("#preview?locale=de&device=phone&country=DE&show=step/send-flowers/choose", 400, 860, scheme="dark") as page:
        shown(page, "1 of 3")
        # What was put back is built by now.
        shown(page, "39,99")
        save(page, "phone")
