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


def keeps_an_address_whose_event_is_late(viewer):
    """A build or a key may change the view before the browser reports a new address."""
    with viewer.open("#preview?locale=en&device=phone") as page:
        def follow(target, path, change):
            page.evaluate(f"() => {{ location.hash = '{target}'; page.session.view.{change}; }}")
            shown(page, path)
            assert address(page).endswith(target), (change, address(page))

        follow("#preview?locale=en&device=phone&show=settings/delivery", "cutoff", "set({ app: '' })")
        follow("#preview?locale=en&device=phone&show=strings/checkout", "checkout", "settleAgain()")
        page.go_back()
        shown(page, "cutoff")
        # A build may remove the locale of the view that is left.
        page.evaluate("page.session.view.current.locale = 'xx'")
        follow("#preview?locale=fr&device=phone&show=strings/checkout", "checkout", "settleAgain()")


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


def tries_numbers_of_plurals(viewer):
    def tried(page, number):
        page.get_by_label("Number for stems").fill(number)
        return page.locator(".plural-result").inner_text().split("\n")

    with viewer.open("#preview?show=strings/app&locale=ar&device=phone") as page:
        page.locator(".plural").wait_for()
        # In string catalogs, `zero` is for 0 in every locale; Arabic has six categories.
        for number, category in [("0", "zero"), ("1", "one"), ("2", "two"), ("3", "few"), ("11", "many"), ("100", "other"), ("1.5", "other")]:
            assert tried(page, number)[-1] == category, (number, tried(page, number))
        assert "سيقان" in tried(page, "3")[0] and "%{count}" not in tried(page, "3")[0]
        assert page.locator('.plural .chosen [data-path="stems.few"]').count() == 1
        assert tried(page, "many") == ["not a number"]
        tried(page, "4")
        page.evaluate("location.hash = '#preview?show=strings/app&locale=en&device=phone'")
        page.locator('.primary .frame-body[lang="en"] .plural').wait_for()
        assert page.get_by_label("Number for stems").input_value() == "4", "another reader has the same number"
        assert page.locator(".plural-result").inner_text().split("\n") == ["4 stems", "other"]
        assert tried(page, "1") == ["1 stem", "one"]
        # Visible digits count: in English, 1.0 is `other`.
        assert tried(page, "1.0") == ["1.0 stems", "other"]
    # The texts of a plural from another locale follow the rules of that locale: 0 is `one` in French, but not in English.
    with viewer.edited(("strings/app.fr.yml", "  stems:", "  stalks:")):
        with viewer.open("#preview?show=strings/app&locale=fr&device=phone") as page:
            plural = page.locator(".plural", has=page.locator('[data-path="stems.locale"]'))
            plural.wait_for()
            page.get_by_label("Number for stems").fill("0")
            until(lambda: plural.locator(".plural-result").inner_text().split("\n")[-1] == "other", "the rules of English")


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


CHECKS = [follows_taps_and_goes_back, keeps_in_step_with_the_browsers_history, keeps_an_address_whose_event_is_late,
          walks_through_a_flow, shows_the_address_of_a_link, lists_a_bundle_and_opens_an_entry, draws_bundles_in_json,
          draws_any_other_shape_as_fields, tries_numbers_of_plurals, finds_an_entry, says_why_an_entry_cannot_be_shown]
