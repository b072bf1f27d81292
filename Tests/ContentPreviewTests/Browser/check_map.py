"""A bundle that is split by place: its tiles on a map, and the nearest entries of a place to stand on."""

import math
import random

from places import COUNT, MAX, MINIMUM_TILE, german, stores
from viewer import address, body, shown, until

MAP = "#preview?locale=en&device=phone&show=@stores"
PARIS = "48.8566, 2.3522"
RADIUS = 6_371_008.8
# The number of objects that the page has loaded.
LOADS = "objects.loads"


def distance(a, b):
    (south, west), (north, east) = (map(math.radians, a), map(math.radians, b))
    turn = math.sin((north - south) / 2) ** 2 + math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2
    return 2 * RADIUS * math.asin(min(1, math.sqrt(turn)))


def brute_force(place, country=""):
    """The ids of the ten nearest stores."""
    places = stores()
    hidden = set() if country == "DE" else german()
    return sorted((name for name in places if name not in hidden), key=lambda name: (round(distance(place, places[name]), 3), name))[:10]


def open_map(page):
    page.locator(".map-tile").first.wait_for(state="attached")
    # The map has its size a moment after it is in the page.
    until(lambda: page.evaluate("document.querySelector('.map-world').hasAttribute('transform')"), "a drawn map")


def stand_field(page):
    return page.get_by_role("textbox", name="Place to stand on")


def type_place(page, text):
    field = stand_field(page)
    field.fill(text)
    field.press("Enter")


def nearest(page):
    return page.eval_on_selector_all(".nearest [data-card]", "cards => cards.map(card => card.dataset.card)")


def shows_the_tiles_without_loading_them(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        until(lambda: page.locator(".map-tile").count() > 40, "the tiles")
        tiles = page.locator(".map-tile").count()
        assert page.evaluate(LOADS) <= 5, f"{page.evaluate(LOADS)} objects for a list of tiles"
        # Stores with a condition are only variants, and in no count without a country.
        assert f"{tiles} tiles, {COUNT - 150:,} entries" in page.locator(".map-summary").inner_text()
        boxes = page.eval_on_selector_all(".map-tile", "tiles => tiles.map(tile => tile.getBoundingClientRect()).map(({x, y, right, bottom}) => [x, y, right, bottom])")
        left, top, right, bottom = page.locator(".map-surface").evaluate("map => { const {x, y, right, bottom} = map.getBoundingClientRect(); return [x, y, right, bottom]; }")
        assert all(x >= left - 2 and y >= top - 2 and r <= right + 2 and b <= bottom + 2 for x, y, r, b in boxes), "the map does not show all tiles at first"


def lists_tiles_in_the_contents(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        stores_row = page.locator('.contents [data-place="@stores"]')
        assert "tiles" in stores_row.inner_text()
        page.get_by_role("button", name="Tiles of stores").click()
        link = page.locator('.contents [data-place^="@stores/t"]').first
        link.wait_for()
        assert page.evaluate(LOADS) <= 5, "opening the list loads tiles"
        name, count = link.inner_text().split()[:2]
        link.click()
        until(lambda: f"show=%40stores/{name}" in address(page), "the tile's address")
        body(page).locator(".card").first.wait_for()
        shown(page, f"{count.strip('()')} entr")
        body(page).get_by_role("button", name="Show the map").click()
        open_map(page)


def finds_the_nearest_in_few_tiles(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        before = page.evaluate(LOADS)
        type_place(page, PARIS)
        page.locator(".nearest .card").nth(9).wait_for()
        assert nearest(page) == brute_force((48.8566, 2.3522))
        loaded = page.evaluate(LOADS) - before
        read = int(page.locator(".map-result").inner_text().split("loads ")[1].split()[0])
        assert loaded == read <= 6, f"{loaded} loaded, {read} told"
        assert "stand=48.8566,2.3522" in address(page), address(page)
        distances = page.locator(".near-distance").all_inner_texts()
        assert distances[0].startswith("1 · ") and distances[0].endswith("m"), distances
        page.reload()
        page.locator(".nearest .card").nth(9).wait_for()
        assert stand_field(page).input_value() == PARIS
        page.get_by_role("button", name="Clear").click()
        until(lambda: "stand=" not in address(page) and page.locator(".nearest .card").count() == 0, "no place")


def equals_brute_force(viewer):
    randomness = random.Random(3)
    places = [(48.8566, 2.3522), (90, 0), (-90, 12), (10, 180), (10, -180), (0, 0), (52.52, 13.405), (85.06, 10), (-60, -179.999)]
    while len(places) < 50:
        places.append((round(randomness.uniform(-90, 90), 6), round(randomness.uniform(-180, 180), 6)))
    with viewer.open(MAP) as page:
        open_map(page)
        for country in ["", "DE"]:
            found = page.evaluate("""async ([places, country]) => {
              const release = await page.session.release();
              const catalogue = await release.catalogue({ locale: 'en', device: 'phone', country, app: '' });
              const results = [];
              for (const [latitude, longitude] of places) {
                // A directory of its own for each place, so that nothing is loaded before.
                catalogue.directories.clear();
                const directory = await catalogue.tiles('stores');
                const { entries, read } = await directory.nearest({ latitude, longitude }, 10, Date.now());
                results.push([entries.map(({ id }) => id), entries.map(({ distance }) => distance), read, directory.all.length]);
              }
              return results;
            }""", [places, country])
            all_places = stores()
            for place, (ids, distances, read, tiles) in zip(places, found):
                wanted = brute_force(place, country)
                # Rounding may exchange entries whose distances are equal.
                assert all(abs(distance(place, all_places[id]) - distance(place, all_places[other])) < 0.01 for id, other in zip(ids, wanted, strict=True)), f"{place}: {ids} instead of {wanted}"
                assert len(set(ids)) == 10 and distances == sorted(distances), f"{place}: {ids}"
                assert read <= tiles / 2, f"{place} needs {read} of {tiles} tiles"


def stands_where_the_map_is_clicked(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        box = page.locator(".map-surface").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator(".nearest .card").nth(9).wait_for()
        assert "stand=" in address(page)
        # A drag moves the map, but not the place.
        before, moved = address(page), page.locator(".map-world").get_attribute("transform")
        page.mouse.move(box["x"] + 40, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + 70, steps=4)
        page.mouse.up()
        until(lambda: page.locator(".map-world").get_attribute("transform") != moved, "a moved map")
        page.wait_for_timeout(200)
        assert address(page) == before
        scale = page.evaluate("page.panel('preview').frame.maps.get('stores').map.scale")
        page.mouse.wheel(0, -240)
        until(lambda: page.evaluate("page.panel('preview').frame.maps.get('stores').map.scale") > 1.5 * scale, "a larger map")


def works_by_keyboard_alone(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        page.keyboard.press("s")
        for _ in range(12):
            if page.evaluate("document.activeElement.getAttribute('role')") == "application":
                break
            page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert "Map of stores" in name and "Arrow keys" in name, name
        view = "(() => { const { centre, scale } = page.panel('preview').frame.maps.get('stores').map; return [centre.x, centre.y, scale]; })()"
        start = page.evaluate(view)
        page.keyboard.press("+")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        x, y, scale = page.evaluate(view)
        assert x > start[0] and y < start[1] and abs(scale - 2 * start[2]) < 1, (start, x, y, scale)
        page.locator(".map-where", has_text="Centre").wait_for()
        assert page.locator(".map-where").get_attribute("aria-live") == "polite"
        page.keyboard.press("-")
        page.keyboard.press("0")
        assert page.evaluate(view) == start
        page.keyboard.press("Enter")
        page.locator(".nearest .card").nth(9).wait_for()
        assert "stand=" in address(page)
        assert page.evaluate("document.activeElement.getAttribute('role')") == "application", "the focus leaves the map"
        assert page.locator(".map-result").get_attribute("role") == "status"
        assert "The nearest 10 of" in page.locator(".map-result").inner_text()
        # A result is opened, and Backspace leads back to the map.
        first = nearest(page)[0]
        page.locator(f'.nearest [data-card="{first}"]').focus()
        page.keyboard.press("Enter")
        until(lambda: f"show={first}" in address(page), "the entry")
        page.keyboard.press("Backspace")
        page.locator(".nearest .card").nth(9).wait_for()


def refuses_other_text(viewer):
    with viewer.open(MAP + "&stand=north") as page:
        open_map(page)
        assert "Click the map" in page.locator(".map-result").inner_text()
        for text in ["", "Paris", "91, 0", "0, 181", "1", "1,2,3", "<b>"]:
            type_place(page, text)
            page.get_by_role("alert").get_by_text("such as 48.8566, 2.3522").wait_for()
            assert stand_field(page).get_attribute("aria-invalid") == "true"
        for text, meant in [("33.87° S 151.21° E", "stand=-33.87,151.21"), ("−1.5 ; 2", "stand=-1.5,2"), ("0 0", "stand=0,0")]:
            type_place(page, text)
            until(lambda: address(page).endswith(meant), meant)


def names_tiles_that_are_too_full_or_empty(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        section = page.locator(".tile-list.remarkable")
        section.first.wait_for()
        text = section.filter(has_text="Too full").inner_text()
        assert f"more than {MAX} entries" in text and f"smaller than {MINIMUM_TILE} km" in text, text
        assert page.locator(".map-tile.full").count() == section.filter(has_text="Too full").locator("li").count() > 0
        section.first.get_by_role("button").first.click()
        body(page).locator(".card").first.wait_for()
        until(lambda: "show=%40stores/t" in address(page), "the tile")


def shows_tiles_that_only_others_have_entries_in(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        page.locator(".tile-list", has_text="Empty for this reader").wait_for()
        assert page.locator(".map-tile.empty-tile").count() > 0
        page.evaluate("location.hash += '&country=DE'")
        page.locator(".map-summary", has_text=f"{COUNT:,} entries").wait_for()
        until(lambda: page.locator(".map-tile.empty-tile").count() == 0, "no empty tile")


def loads_the_tiles_in_view(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        type_place(page, PARIS)
        page.locator(".nearest .card").nth(9).wait_for()
        few = page.locator(".map-dots").get_attribute("d").count("M")
        assert 10 <= few < 400, few
        page.get_by_role("button", name="Load the tiles in view").click()
        until(lambda: page.locator(".map-dots").get_attribute("d").count("M") > 5 * few, "more entries")


def zooms_to_the_nearest(viewer):
    with viewer.open(MAP + "&stand=48.8566,2.3522") as page:
        page.locator(".nearest .card").nth(9).wait_for()
        open_map(page)
        page.get_by_role("button", name="Zoom to the nearest").click()
        left, top, right, bottom = page.locator(".map-surface").evaluate("map => { const {x, y, right, bottom} = map.getBoundingClientRect(); return [x, y, right, bottom]; }")
        circles = page.eval_on_selector_all(".map-near circle, .map-stand circle", "circles => circles.map(circle => circle.getBoundingClientRect()).map(({x, y, width, height}) => [x + width / 2, y + height / 2])")
        assert len(circles) == 11 and all(left < x < right and top < y < bottom for x, y in circles), circles
        assert max(x for x, _ in circles) - min(x for x, _ in circles) > 60 or max(y for _, y in circles) - min(y for _, y in circles) > 60, circles


def finds_entries_in_tiles(viewer):
    with viewer.open("#preview?locale=en&device=phone&show=store/s0123") as page:
        shown(page, "latitude")
        assert page.locator(".frame.primary .frame-title").inner_text() == "Store 0123"
        page.keyboard.press("/")
        page.keyboard.type("s0999")
        page.locator(".contents .id", has_text="s0999").click()
        until(lambda: "show=store/s0999" in address(page), "the entry's address")


def keeps_east_on_the_right_in_right_to_left_locales(viewer):
    with viewer.open(f"{MAP.replace('locale=en', 'locale=ar')}&stand=10,179") as page:
        page.locator(".nearest .card").nth(9).wait_for()
        assert body(page).evaluate("screen => getComputedStyle(screen).direction") == "rtl"
        edges = page.eval_on_selector_all(".map-tile", "tiles => tiles.map(tile => [tile.dataset.tile, tile.getBoundingClientRect().x])")
        at = dict(edges)
        west, east = min(at.values()), max(at.values())
        assert east > west + 100
        assert all(x < (west + east) / 2 + 20 for name, x in edges if name[1:2] in "02"), "the west is on the left"
        card, distance_tag = page.locator(".near .card").first.bounding_box(), page.locator(".near-distance").first.bounding_box()
        assert abs(card["x"] + card["width"] - distance_tag["x"] - distance_tag["width"]) < 40, "the distance is on the right"


def fits_narrow_screens_and_dark_ones(viewer):
    from check_accessibility import violations
    for scheme, width in [("light", 390), ("dark", 390), ("dark", 1440)]:
        with viewer.open(MAP + "&stand=48.8566,2.3522", width, 844, scheme=scheme) as page:
            page.locator(".nearest .card").nth(9).wait_for()
            open_map(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
            assert page.locator(".map-surface").bounding_box()["width"] > 250
            found = violations(page)
            assert not found, "\n".join(found[:6])


def reads_tiles_in_all_formats(viewer):
    for kind in ["json", "xml", "openstep"]:
        with viewer.edited(("content.yaml", "sourceLocale: en\n", f"sourceLocale: en\nformat: {kind}\n")):
            # While the format changes, config has another name.
            with viewer.open(MAP + "&stand=48.8566,2.3522", expected=["preview/config"]) as page:
                until(lambda: page.evaluate("page.session.state.format") == kind, f"a build in {kind}")
                until(lambda: nearest(page) == brute_force((48.8566, 2.3522)), "the nearest stores")
                page.locator(".tile-list", has_text="Too full").wait_for()
                page.evaluate("location.hash = '#preview?locale=en&device=phone&show=article/press'")
                body(page).locator(".markdown td", has_text="blue").locator("strong").wait_for()
    with viewer.open(MAP, expected=["preview/config"]) as page:
        until(lambda: page.evaluate("page.session.state.format") == "binary", "the first format")


def keeps_a_text_that_is_being_typed(viewer):
    with viewer.open(MAP + "&stand=48.8566,2.3522") as page:
        page.locator(".nearest .card").nth(9).wait_for()
        stand_field(page).fill("10, ")
        with viewer.edited(("entries/store.yaml", "  title: Store 0001\n", "  title: Another\n")):
            # The generation of the page is that of its last build.
            page.wait_for_function("before => document.documentElement.dataset.settled !== before", arg=page.evaluate("document.documentElement.dataset.settled"))
            assert stand_field(page).input_value() == "10, "


def keeps_a_text_that_is_typed_during_a_search(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        stand_field(page).evaluate("""field => {
          const type = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
          type("48.8566, 2.3522");
          field.form.requestSubmit();
          type("10, ");
        }""")
        page.locator(".nearest .card").nth(9).wait_for()
        assert stand_field(page).input_value() == "10, "


def keeps_a_selection_during_a_search(viewer):
    with viewer.open(MAP) as page:
        open_map(page)
        stand_field(page).evaluate("""field => {
          field.value = "0 0";
          field.dispatchEvent(new Event("input"));
          field.form.requestSubmit();
          field.focus();
          field.select();
        }""")
        page.locator(".nearest .card").nth(9).wait_for()
        page.keyboard.insert_text("10, 10")
        assert stand_field(page).input_value() == "10, 10", stand_field(page).input_value()


def follows_a_save(viewer):
    name = "store/s0000"
    latitude, longitude = stores()[name]
    with viewer.open(MAP + "&stand=-50,-120") as page:
        page.locator(".nearest .card").nth(9).wait_for()
        assert name not in nearest(page)
        page.locator(".map-surface").focus()
        with viewer.edited(("entries/store.yaml", f"s0000:\n  title: Store 0000\n  place: {{latitude: {latitude}, longitude: {longitude}}}",
                            "s0000:\n  title: Store 0000\n  place: {latitude: -50, longitude: -120}")):
            until(lambda: nearest(page)[:1] == [name], "the moved store")
            assert page.evaluate("document.activeElement.getAttribute('role')") == "application", "the focus leaves the map"
        until(lambda: name not in nearest(page), "the store in its place")


CHECKS = [shows_the_tiles_without_loading_them, lists_tiles_in_the_contents, finds_the_nearest_in_few_tiles, equals_brute_force, stands_where_the_map_is_clicked,
          works_by_keyboard_alone, refuses_other_text, names_tiles_that_are_too_full_or_empty, shows_tiles_that_only_others_have_entries_in, loads_the_tiles_in_view,
          zooms_to_the_nearest, finds_entries_in_tiles, keeps_east_on_the_right_in_right_to_left_locales, fits_narrow_screens_and_dark_ones, follows_a_save,
          keeps_a_text_that_is_being_typed, keeps_a_text_that_is_typed_during_a_search,
          keeps_a_selection_during_a_search, reads_tiles_in_all_formats]
