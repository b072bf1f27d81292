"""All switches of the reader, and links to views."""

from viewer import address, body, choose, field, own_text, shown, until


def opens_on_the_first_screen(viewer):
    with viewer.open() as page:
        assert own_text(field(page, "elements[welcome].title")) == "Good to see you"
        assert page.locator(".primary .device").get_attribute("data-kind") == "phone"
        assert page.title() == "flowershop preview"


def finds_a_locale_by_its_name(viewer):
    with viewer.open() as page:
        page.keyboard.press("l")
        page.keyboard.type("canada")
        assert page.locator(".option:visible").count() == 1
        page.keyboard.press("Enter")
        shown(page, "Quel plaisir de vous voir")
        assert "locale=fr-CA" in address(page)
        assert body(page).get_attribute("lang") == "fr-CA"


def steps_through_locales_with_brackets(viewer):
    with viewer.open("#preview?locale=fr") as page:
        page.keyboard.press("]")
        until(lambda: body(page).get_attribute("lang") == "fr-CA", "the next locale")
        page.keyboard.press("[")
        until(lambda: body(page).get_attribute("lang") == "fr", "the one before")


def lays_arabic_out_from_the_right(viewer):
    with viewer.open("#preview?locale=ar&show=product/country-charm") as page:
        shown(page, "سلة سحر الريف")
        assert body(page).get_attribute("dir") == "rtl"
        title, screen = field(page, "title").bounding_box(), body(page).bounding_box()
        assert abs(title["x"] + title["width"] - screen["x"] - screen["width"]) < 40
        assert page.locator("html").get_attribute("dir") is None
        # From the left: the sign, the letters before it, the number; as a browser has drawn them.
        sides = field(page, "price").evaluate("""part => [...part.firstChild.data].map((character, i) => {
          const range = document.createRange();
          range.setStart(part.firstChild, i);
          range.setEnd(part.firstChild, i + 1);
          return [character, range.getBoundingClientRect().left];
        }).filter(([character]) => 'US$39.'.includes(character)).sort((one, other) => one[1] - other[1]).map(([character]) => character).join('')""")
        assert sides == "US$39.99", sides


def shows_what_a_device_gets(viewer):
    with viewer.open("#preview?device=phone") as page:
        shown(page, "Call Us")
        choose(page, "device", "tv")
        until(lambda: body(page).get_by_text("Call Us").count() == 0, "a TV without the call button")
        assert page.locator(".primary .device").get_attribute("data-kind") == "tv"


def shows_what_a_country_gets(viewer):
    with viewer.open("#preview?show=form/address") as page:
        shown(page, "Street and number")
        assert body(page).get_by_text("Name in katakana").count() == 0
        choose(page, "country", "JP")
        shown(page, "Name in katakana")


def shows_what_an_app_version_gets(viewer):
    with viewer.open("#preview?device=phone&app=1.5") as page:
        shown(page, "Send flowers")
        assert body(page).get_by_text("See it on your table").count() == 0
        choose(page, "app", "2.0")
        shown(page, "See it on your table")


def shows_another_instant(viewer):
    with viewer.open("#preview?locale=en") as page:
        shown(page, "Flowers for the holidays")
        page.keyboard.press("t")
        page.keyboard.type("2031-01-01 12:00")
        page.keyboard.press("Enter")
        until(lambda: body(page).get_by_text("Flowers for the holidays").count() == 0, "a screen without the banner")
        assert "at=2031-01-01T11:00:00Z" in address(page)
        choose(page, "at", "")
        shown(page, "Flowers for the holidays")


def says_when_an_entry_appears_or_has_ended(viewer):
    with viewer.open("#preview?show=product/autumn-glow&at=2031-06-01T00:00:00Z") as page:
        shown(page, "Not any more")
    with viewer.open("#preview?show=product/autumn-glow&at=2020-06-01T00:00:00Z") as page:
        shown(page, "Not yet")


def makes_texts_longer_and_accented(viewer):
    with viewer.open("#preview?locale=fr") as page:
        choose(page, "pseudo", "en-XA")
        shown(page, "[Ĝööð ţö šéé ýöû one two]")
        assert body(page).get_attribute("lang") == "en-XA"
        choose(page, "pseudo", "ar-XB")
        until(lambda: body(page).get_attribute("dir") == "rtl", "a mirrored screen")
        until(lambda: "\u202e" in own_text(field(page, "elements[welcome].title")), "mirrored words")
        choose(page, "pseudo", "")
        until(lambda: body(page).get_attribute("lang") == "fr", "the locale of the reader")


def marks_what_does_not_fit(viewer):
    with viewer.edited(("entries/step/send-flowers/card.yaml", "height: 160", "height: 24")):
        with viewer.open("#preview?locale=de&device=phone&pseudo=en-XA&show=step/send-flowers/card") as page:
            page.locator(".remarks", has_text="1 does not fit").wait_for()
            assert page.locator(".misfit").count() == 1


def reproduces_a_view_from_its_link(viewer):
    fragment = "#preview?locale=fr-CA&device=ipad&country=CA&app=2.0&pseudo=en-XA&show=product/country-charm"
    with viewer.open(fragment) as page:
        page.get_by_role("button", name="Copy link").click()
        link = page.evaluate("navigator.clipboard.readText()")
        until(lambda: "[" in body(page).inner_text(), "the texts of the pseudo-locale")
        text = body(page).inner_text()
    assert link == viewer.base + fragment, link
    with viewer.open(fragment) as page:
        until(lambda: body(page).inner_text() == text, "the same view")


def survives_a_link_with_nonsense_in_it(viewer):
    # The server refuses the unknown country, which the page may ask about before the check ends.
    fragment = "#nowhere?locale=xx&device=<b>&country=ZZ&app=9&at=tomorrow&pseudo=loud&show=@nothing"
    with viewer.open(fragment, expected=["400 for .*/api/fallbacks"]) as page:
        shown(page, "There is no such bundle")
        page.locator(".tab").first.wait_for()
    with viewer.open("#preview?at=2040-01-01&show=@catalog") as page:
        page.wait_for_function("() => location.hash.includes('at=2040-01-01T00:00:00Z')")


CHECKS = [opens_on_the_first_screen, finds_a_locale_by_its_name, steps_through_locales_with_brackets, lays_arabic_out_from_the_right,
          shows_what_a_device_gets, shows_what_a_country_gets, shows_what_an_app_version_gets, shows_another_instant,
          says_when_an_entry_appears_or_has_ended, makes_texts_longer_and_accented, marks_what_does_not_fit,
          reproduces_a_view_from_its_link, survives_a_link_with_nonsense_in_it]
