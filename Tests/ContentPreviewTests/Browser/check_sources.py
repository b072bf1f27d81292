"""Where texts come from: the inspector, copying, and marks on fallback texts."""

from viewer import body, choose, field, own_text, point_at, shown, until


def shows_the_file_and_line_of_a_text(viewer):
    with viewer.open("#preview?locale=fr-CA&device=phone") as page:
        point_at(page, "elements[welcome].title")
        inspector = page.locator(".inspector")
        inspector.get_by_text("content/entries/screen/home.fr.yaml:4").first.wait_for()
        inspector.get_by_text("elements[welcome].title").wait_for()
        passed = inspector.locator(".passed").inner_text()
        assert "fr-CA" in passed and "no value" in passed
        assert "home.yaml:7" in passed, passed
        inspector.get_by_role("button", name="Copy content/entries/screen/home.fr.yaml:4").click()
        assert page.evaluate("navigator.clipboard.readText()") == "content/entries/screen/home.fr.yaml:4"


def shows_the_source_for_the_keyboard_focus(viewer):
    with viewer.open("#preview?locale=en") as page:
        body(page).focus()
        page.keyboard.press("Tab")
        page.locator(".inspector").get_by_text("elements[welcome].title").wait_for()
        page.locator(".place-text").wait_for()
        page.keyboard.press("c")
        until(lambda: page.evaluate("navigator.clipboard.readText()") == "content/entries/screen/home.yaml:7", "the copied place")


def keeps_what_is_pinned(viewer):
    with viewer.open("#preview?locale=en") as page:
        point_at(page, "elements[welcome].title")
        page.locator(".inspector").get_by_text("elements[welcome].title").wait_for()
        page.keyboard.press("p")
        field(page, "elements[send].title").hover()
        page.wait_for_timeout(300)
        assert page.locator(".inspector").get_by_text("elements[welcome].title").count() == 1
        page.keyboard.press("p")
        point_at(page, "elements[roses].title")
        page.locator(".inspector").get_by_text("elements[roses].title").wait_for()


def marks_texts_of_another_language(viewer):
    with viewer.open("#preview?locale=ja&show=product/country-charm") as page:
        text = field(page, "description")
        text.locator(".from").wait_for()
        assert "(not translated, shown in en)" in text.text_content(), text.text_content()
        assert "dotted" in text.evaluate("part => getComputedStyle(part).textDecorationStyle")
        assert text.get_attribute("lang") == "en"
        assert field(page, "title").locator(".from").count() == 0
        page.locator(".remarks", has_text="not translated").wait_for()
        page.keyboard.press("m")
        until(lambda: not text.locator(".from").is_visible(), "marks taken away")


def marks_texts_of_a_parent_locale_quietly(viewer):
    with viewer.open("#preview?locale=fr-CA") as page:
        field(page, "elements[roses].title").locator(".from").wait_for()
        assert "kin" in field(page, "elements[roses].title").get_attribute("class")


STEPS = """  experiment:
    - {step: Only in Japan, when: {country: JP}}
    - {step: For everybody}
    - {step: Only later, when: {from: 2040-01-01T00:00:00Z}}
    - {step: For everybody else}
"""


def counts_items_without_ids_as_the_reader_gets_them(viewer):
    experiment = "  experiment: {name: larger-pictures, share: 0.25, groups: [a, b]}\n"
    with viewer.edited(("entries/settings.yaml", experiment, STEPS)):
        line = (viewer.content / "entries/settings.yaml").read_text(encoding="utf-8").split("\n").index("  experiment:") + 2
        with viewer.open("#preview?show=settings/app&locale=en") as page:
            inspector = page.locator(".inspector")
            for text, at in [("For everybody", 1), ("For everybody else", 3)]:
                body(page).get_by_text(text, exact=True).hover()
                inspector.get_by_text(f"content/entries/settings.yaml:{line + at}").first.wait_for()
                assert inspector.locator(".inspected-value").inner_text() == text
            left_out = inspector.locator(".left-out").inner_text()
            assert "country: JP" in left_out and "from: 2040-01-01T00:00:00Z" in left_out, left_out
            assert own_text(field(page, "experiment[1].step")) == "For everybody else"
            choose(page, "country", "JP")
            shown(page, "Only in Japan")
            field(page, "experiment[2].step").hover()
            inspector.get_by_text(f"content/entries/settings.yaml:{line + 3}").first.wait_for()
            inspector.get_by_text("country: JP").first.wait_for(state="hidden")


def says_that_it_explains_another_save(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        with viewer.edited(("entries/screen/home.yaml", "Good to see you", "Welcome back")):
            # No build is running, so the source is certainly that of this save.
            shown(page, "Welcome back")
            point_at(page, "elements[welcome].title")
            page.locator(".inspected-value", has_text="Welcome back").wait_for()
            viewer.write("entries/screen/home.yaml", "title: Flowers\n", "titel: Flowers\n")
            page.locator(".banner-line", has_text="The last save has errors").wait_for()
            field(page, "elements[send].title").hover()
            page.locator(".inspector").get_by_text("elements[send].title").wait_for()
            # The source was read before the mistake, so it is still that of the screen.
            assert page.locator(".other-save").count() == 0
            page.route("**/api/explain*", lambda route: route.fulfill(json={**route.fetch().json(), "isShown": False}))
            point_at(page, "elements[roses].title")
            page.evaluate("page.session.api.answers.clear()")
            point_at(page, "elements[welcome].title")
            page.locator(".other-save").wait_for()


def keeps_marks_of_large_titles_on_the_screen(viewer):
    for place in ["locale=fr-CA&device=phone", "locale=fr-CA&device=phone&show=product/country-charm", "locale=ja&device=phone&show=product/rose-box"]:
        with viewer.open(f"#preview?{place}") as page:
            page.locator(".from").first.wait_for()
            beyond = page.evaluate("""() => {
              const body = document.querySelector('.primary .frame-body'), padding = parseFloat(getComputedStyle(body).paddingRight);
              const edge = body.getBoundingClientRect().right - padding;
              return [...body.querySelectorAll('.font-largeTitle .from, .page-title .from')].filter(tag => tag.getBoundingClientRect().right > edge).length;
            }""")
            assert beyond == 0, place


CHECKS = [shows_the_file_and_line_of_a_text, shows_the_source_for_the_keyboard_focus, keeps_what_is_pinned, marks_texts_of_another_language,
          marks_texts_of_a_parent_locale_quietly, counts_items_without_ids_as_the_reader_gets_them,
          says_that_it_explains_another_save, keeps_marks_of_large_titles_on_the_screen]
