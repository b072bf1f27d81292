"""A project of another kind: nothing of an entry is hidden, whatever its shape; sound, film and other files."""

import json

from fields import hidden_fields, unmarked_words
from viewer import address, body, shown, until

EXHIBIT = "#preview?locale=en&device=phone&show=exhibit/glass-thimble"
PLACES = ["screen/home", "room/thimbles", "exhibit/glass-thimble", "exhibit/silver-thimble", "quiz/thimble", "settings/hours", "settings/flags"]


def opens_on_the_device_declared_first(viewer):
    with viewer.open() as page:
        shown(page, "Small things")
        assert "device=kiosk" in address(page), address(page)
        page.locator("#device").click()
        names = page.locator("#device-list .option-text").all_inner_texts()
        assert names == ["kiosk", "phone", "guide", "any other"], names


def hides_no_field_of_any_entry(viewer):
    with viewer.open() as page:
        for place in PLACES:
            for locale in ["en", "de"]:
                hidden = hidden_fields(page, place, locale)
                assert not hidden, f"{place} in {locale}: {hidden}"


def says_which_words_are_its_own(viewer):
    with viewer.open(expected=["404"]) as page:
        for place in [*PLACES, "@exhibits", "exhibit/none"]:
            page.evaluate("place => location.hash = `#preview?locale=en&device=phone&show=${place}`", place)
            page.wait_for_function("place => page.panel('preview').frame.drawnPlace === place", arg=place)
            words = unmarked_words(page)
            assert not words, f"{place}: {words}"


def names_a_type_that_it_does_not_draw(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "floorplan “map”: not a type that this preview draws")
        shown(page, "Find your way")


def lists_a_value_that_has_no_meaning_for_a_look(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        for path, text in [("elements[intro].align", "middle"), ("elements[quiz].height", "tall"), ("elements[gap].title", "Not for readers")]:
            assert body(page).locator(f'.left-over [data-path="{path}"]').inner_text() == text


def draws_what_a_quiz_lets_choose(viewer):
    with viewer.open("#preview?locale=en&device=phone&show=quiz/thimble") as page:
        shown(page, "What is the oldest thimble here made of?")
        assert body(page).locator(".choice .part-title").all_inner_texts() == ["Glass", "Silver", "Leather"]
        shown(page, "Yes: of about 1780")
        body(page).get_by_role("button", name="On", exact=True).click()
        shown(page, "Small things")


def plays_sound_and_film(viewer):
    with viewer.open(EXHIBIT) as page:
        for kind, media in [("audio", "audio/wav"), ("video", "video/webm")]:
            player = body(page).locator(kind)
            player.wait_for()
            until(lambda: player.evaluate("player => player.readyState >= 1 && !player.error"), f"{kind} that plays")
            part = page.request.get(player.evaluate("player => player.src"), headers={"Range": "bytes=0-1"})
            assert (part.status, part.headers["content-type"], len(part.body())) == (206, media, 2), (kind, part.status, part.headers)
        assert body(page).locator("video").evaluate("film => film.videoWidth") == 64
        assert abs(body(page).locator("audio").evaluate("sound => sound.duration") - 0.5) < 0.01


def saves_other_files(viewer):
    with viewer.open(EXHIBIT) as page:
        for path, name, start in [("leaflet", "leaflet.pdf", b"%PDF"), ("model", "model.glb", b"glTF")]:
            with page.expect_download() as saved:
                body(page).locator(f'a[data-path="{path}"]').click()
            assert saved.value.suggested_filename == name, saved.value.suggested_filename
            with open(saved.value.path(), "rb") as file:
                assert file.read(4) == start


def draws_assets_of_releases_without_paths(viewer):
    with viewer.open() as page:
        found = page.evaluate("""() => [['audio/mpeg'], ['image/jpeg'], ['image/x-own']].map(([type]) => (
          addressesOf('/base', {type, scales: {1: {object: 'ab'.repeat(32)}}}).map(([[, address]]) => address.split('.').pop())))""")
    assert found == [["mp3"], ["jpg", "jpeg"], ["x-own"]], found


def explains_sound_as_it_does_texts(viewer):
    with viewer.open(EXHIBIT) as page:
        body(page).locator("audio").hover()
        page.locator(".inspector").get_by_text("content/entries/exhibit/glass-thimble.yaml:4").first.wait_for()


def leaves_items_out_until_their_time(viewer):
    timed = [{"id": "a", "when": {"until": "2030-01-01T00:00:00Z"}}, {"id": "b", "when": {"from": "2030-01-01T00:00:00Z"}}, {"id": "c", "deep": [{"when": {"from": "2031-01-01T00:00:00Z"}}]}]
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Winter tickets")
        assert body(page).get_by_text("Summer tickets").count() == 0
        got = page.evaluate("""items => ['2029-12-31T23:59:59Z', '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'].map((instant) => {
          let hidden = 0;
          const { list } = contentAt({ list: items }, Date.parse(instant), (from, until, isHidden) => (hidden += isHidden));
          return [JSON.stringify(list), hidden];
        })""", timed)
        assert got == [['[{"id":"a"},{"id":"c","deep":[]}]', 2], ['[{"id":"b"},{"id":"c","deep":[]}]', 2], ['[{"id":"b"},{"id":"c","deep":[{}]}]', 1]], json.dumps(got)
        page.evaluate("location.hash += '&at=2040-06-01T00:00:00Z'")
        shown(page, "Summer tickets")
        until(lambda: body(page).get_by_text("Winter tickets").count() == 0, "an end of winter")


CHECKS = [opens_on_the_device_declared_first, hides_no_field_of_any_entry, says_which_words_are_its_own, names_a_type_that_it_does_not_draw,
          lists_a_value_that_has_no_meaning_for_a_look, draws_what_a_quiz_lets_choose, plays_sound_and_film, saves_other_files,
          draws_assets_of_releases_without_paths, explains_sound_as_it_does_texts, leaves_items_out_until_their_time]
