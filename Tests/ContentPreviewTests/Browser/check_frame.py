"""The device: taps, history, flows, lists, pages, and entries that cannot be shown."""

from viewer import address, body, field, own_text, shown, until


def follows_taps_and_goes_back(viewer):
    with viewer.open("#preview?locale=en") as page:
        body(page).get_by_role("button", name="Roses").click()
        shown(page, "From a single stem to a hundred.")
        body(page).get_by_role("button", name="A Single Rose").first.click()
        until(lambda: "show=product/single-rose" in address(page), "the product's address")
        page.get_by_role("button", name="Back (Backspace)").first.click()
        shown(page, "From a single stem to a hundred.")
        page.keyboard.press("Backspace")
        shown(page, "Good to see you")


def keeps_in_step_with_the_browsers_history(viewer):
    with viewer.open("#preview?locale=en") as page:
        body(page).get_by_role("button", name="Roses").click()
        shown(page, "From a single stem to a hundred.")
        page.go_back()
        shown(page, "Good to see you")
        page.go_forward()
        shown(page, "From a single stem to a hundred.")


def walks_through_a_flow(viewer):
    with viewer.open("#preview?locale=en&country=US") as page:
        body(page).get_by_role("button", name="Send flowers").click()
        shown(page, "1 of 3")
        shown(page, "Country Charm Basket")
        body(page).get_by_role("button", name="Continue").click()
        shown(page, "2 of 3")
        shown(page, "ZIP code")
        body(page).get_by_role("button", name="Continue").click()
        shown(page, "3 of 3")
        body(page).get_by_role("button", name="Order and pay").click()
        shown(page, "Your flowers are on their way")


def shows_the_address_of_a_link(viewer):
    with viewer.open("#preview?locale=en") as page:
        body(page).get_by_role("button", name="Write to us").click()
        page.get_by_text("An app opens mailto:hello@flowers.example").wait_for()
        assert address(page).startswith(viewer.base)


def lists_a_bundle_and_opens_an_entry(viewer):
    with viewer.open("#preview?locale=en") as page:
        page.locator(".bundle", has_text="catalog").click()
        shown(page, "Country Charm Basket")
        assert body(page).locator(".card").count() > 40
        body(page).locator('[data-card="product/country-charm"]').click()
        shown(page, "As if picked on the way home")


def draws_bundles_in_json(viewer):
    with viewer.open("#preview?show=@city-stores") as page:
        body(page).locator(".card").first.click()
        until(lambda: "show=store/" in address(page), "a store's page")
        shown(page, "location")


def draws_any_other_shape_as_fields(viewer):
    with viewer.open("#preview?show=settings/delivery") as page:
        shown(page, "cutoff")
        assert own_text(field(page, "countries[2]")) == "GB"
    with viewer.open("#preview?show=strings/checkout&locale=en") as page:
        shown(page, "checkout")


def finds_an_entry(viewer):
    with viewer.open() as page:
        page.keyboard.press("/")
        page.keyboard.type("rose-box")
        link = page.locator(".contents .id", has_text="rose-box").first
        link.click()
        until(lambda: "show=product/rose-box" in address(page), "the entry's address")


def says_why_an_entry_cannot_be_shown(viewer):
    with viewer.open("#preview?show=product/nothing", expected=["404"]) as page:
        shown(page, "product/nothing cannot be shown")
        shown(page, "unknown entry")
    with viewer.open("#preview?show=product/new-year-pine&locale=en&country=US") as page:
        shown(page, "product/new-year-pine cannot be shown")
        shown(page, "condition is not met")


CHECKS = [follows_taps_and_goes_back, keeps_in_step_with_the_browsers_history, walks_through_a_flow,
          shows_the_address_of_a_link, lists_a_bundle_and_opens_an_entry, draws_bundles_in_json,
          draws_any_other_shape_as_fields, finds_an_entry, says_why_an_entry_cannot_be_shown]
