"""The live content of a channel, beside the build or in its place."""

import re

from check_accessibility import violations
from viewer import address, body, choose, field, own_text, point_at, shown, until

EDIT = ("entries/screen/home.yaml", "Good to see you", "Welcome back")


def live(page):
    """The screen of the frame beside the build's."""
    return page.get_by_role("region", name="Live in qa").locator(".frame-body")


def shows_a_channel_beside_the_build(viewer):
    with viewer.edited(EDIT):
        with viewer.open("#preview?locale=en&device=phone") as page:
            shown(page, "Welcome back")
            page.get_by_role("radio", name="Side by side").check()
            live(page).get_by_text("Good to see you").wait_for()
            until(lambda: "side=both" in address(page), "the choice in the address")
            body(page).get_by_role("button", name="Roses").click()
            live(page).get_by_text("From a single stem to a hundred.").wait_for()


def shows_a_channel_in_place_of_the_build(viewer):
    with viewer.edited(EDIT):
        with viewer.open("#preview?locale=en&device=phone") as page:
            shown(page, "Welcome back")
            page.keyboard.press("b")
            shown(page, "Good to see you")
            assert page.locator(".frame:visible").count() == 1
            assert page.get_by_role("region", name="Live in qa").count() == 1
            assert "Live in qa, release 1" in page.locator(".primary .frame-caption").inner_text()
            page.keyboard.press("b")
            shown(page, "Welcome back")
            live(page).get_by_text("Good to see you").wait_for()
            page.keyboard.press("b")
            until(lambda: page.locator(".frame:visible").count() == 1, "one frame")
            shown(page, "Welcome back")
            assert "side=" not in address(page)


def chooses_the_content_with_arrows(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        page.get_by_role("radio", name="This build").focus()
        page.keyboard.press("ArrowRight")
        until(lambda: "side=live" in address(page), "what is live")
        assert page.get_by_role("radio", name="Live", exact=True).is_checked()
        page.keyboard.press("]")
        until(lambda: "locale=ar" in address(page), "keys that still work")


def opens_what_is_live_from_a_link(viewer):
    with viewer.edited(EDIT):
        with viewer.open("#preview?locale=en&device=phone&side=live&channel=qa") as page:
            shown(page, "Good to see you")
            picture = body(page).locator("img").first
            assert "/channels/qa/objects/" in picture.get_attribute("src")
            assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def says_that_it_explains_the_checkout(viewer):
    with viewer.edited(EDIT):
        with viewer.open("#preview?locale=en&device=phone&side=live") as page:
            shown(page, "Good to see you")
            point_at(page, "elements[welcome].title")
            inspector = page.locator(".inspector")
            inspector.get_by_text("Welcome back").wait_for()
            inspector.get_by_text("The screen shows what is live in qa").wait_for()
            page.keyboard.press("b")
            until(lambda: not inspector.locator(".inspector-note").is_visible(), "no remark on the build")


def marks_no_fallbacks_in_live_content(viewer):
    with viewer.open("#preview?locale=ja&show=product/country-charm") as page:
        field(page, "description").locator(".from").wait_for()
        page.keyboard.press("b")
        until(lambda: page.get_by_role("region", name="Live in qa").count() == 1, "what is live")
        until(lambda: page.locator(".fallback").count() == 0, "no marks")
        assert page.get_by_role("button", name="Fallback marks").is_disabled()
        page.keyboard.press("b")
        field(page, "description").locator(".from").wait_for()
        assert own_text(live(page).locator('[data-path="title"]').first) == "カントリーチャーム バスケット"
        assert live(page).locator(".fallback").count() == 0


def shows_the_maintenance_of_a_channel(viewer):
    with viewer.open("#preview?locale=en&device=phone&side=both") as page:
        live(page).get_by_text("Good to see you").wait_for()
        viewer.command("maintenance", "on", "qa")
        try:
            live(page).get_by_text("We are watering the flowers").wait_for()
            live(page).get_by_text("Maintenance, until it is switched off. Apps ask again every 120 seconds.").wait_for()
            shown(page, "Good to see you")
            page.evaluate("location.hash = '#preview?locale=fr-CA&device=phone&side=live&show=@catalog'")
            shown(page, "Nous arrosons les fleurs")
            assert body(page).locator(".card").count() == 0
        finally:
            viewer.command("maintenance", "off", "qa")
        body(page).locator(".card").first.wait_for()
        assert body(page).get_by_text("Nous arrosons les fleurs").count() == 0


def compares_content_behind_a_maintenance(viewer):
    viewer.command("maintenance", "on", "qa")
    try:
        with viewer.open("#changes?locale=en&device=phone&channel=qa") as page:
            with viewer.edited(("entries/product/country-charm.yaml", "title: Country Charm Basket", "title: A basket")):
                frames = page.locator(".pair .frame")
                frames.nth(1).get_by_text("A basket").first.wait_for()
                frames.nth(0).get_by_text("Country Charm Basket").first.wait_for()
                frames.nth(0).locator(".frame-caption", has_text="readers see a maintenance instead").wait_for()
    finally:
        viewer.command("maintenance", "off", "qa")


def shows_a_maintenance_in_its_time_only(viewer):
    viewer.command("maintenance", "on", "qa", "--from", "2040-01-01T00:00:00Z", "--until", "2040-01-02T00:00:00Z")
    try:
        with viewer.open("#preview?locale=en&device=phone&side=live") as page:
            shown(page, "Good to see you")
            for instant, text in [("2040-01-01T00:00:00Z", "We are watering the flowers"), ("2040-01-02T00:00:00Z", "Good to see you")]:
                page.evaluate("instant => location.hash = `#preview?locale=en&device=phone&side=live&at=${instant}`", instant)
                shown(page, text)
    finally:
        viewer.command("maintenance", "off", "qa")


def shows_that_an_app_is_too_old(viewer):
    with viewer.open("#preview?locale=en&device=phone&side=both") as page:
        shown(page, "Good to see you")
        choose(page, "app", "0")
        for screen in [body(page), live(page)]:
            screen.get_by_text("Update required").wait_for()
            assert screen.get_by_text("Good to see you").count() == 0
        choose(page, "app", "1.5")
        for screen in [body(page), live(page)]:
            screen.get_by_text("Good to see you").wait_for()


def shows_a_release_that_is_published_meanwhile(viewer):
    with viewer.open("#preview?locale=en&device=phone&side=live") as page:
        shown(page, "Good to see you")
        with viewer.edited(EDIT):
            viewer.command("publish", "qa")
            shown(page, "Welcome back")
        viewer.command("publish", "qa")
        shown(page, "Good to see you")


def shows_both_sides_of_a_rollout(viewer):
    with viewer.edited(EDIT), viewer.open("#changes?locale=en&device=phone&channel=qa") as page:
        page.locator(".change-id", has_text="screen/home").wait_for()
        rollout = page.locator(".rollout:visible")
        assert rollout.count() == 0
        viewer.command("publish", "qa", "--to", "10%")
        try:
            text = re.compile(r"Rollout r\d+: 10 % of the readers get release \d+, the next side; "
                              r"the others get the content of release \d+, the stable side\. Release \d+ was published on ")
            rollout.get_by_text(text).wait_for()
            assert rollout.get_by_role("radio", name="Stable side").is_checked()
            page.locator(".lead", has_text="differs from the stable side").wait_for()
            page.locator(".change-id", has_text="screen/home").wait_for()
            assert not violations(page)
            rollout.get_by_role("radio", name="Next side").check()
            page.get_by_text("Readers on the next side of qa have exactly this content").wait_for()
            assert "rollout=next" in address(page)
            page.evaluate("location.hash = location.hash.replace('#changes', '#preview') + '&side=live'")
            shown(page, "Welcome back")
            until(lambda: re.search(r"Live in qa, release \d+ · next side", page.locator(".primary .frame-caption").inner_text()), "the side")
            rollout.get_by_role("radio", name="Stable side").check()
            shown(page, "Good to see you")
            assert "stable side" in page.locator(".primary .frame-caption").inner_text()
            viewer.command("rollout", "qa", "50%")
            rollout.get_by_text(re.compile(r"50 % of the readers get release \d+")).wait_for()
        finally:
            viewer.command("rollout", "qa", "--abort")
        until(lambda: rollout.count() == 0, "no rollout")
        shown(page, "Good to see you")


def shows_that_a_channel_can_be_read_again(viewer):
    with viewer.open("#preview?locale=en&device=phone&side=live", expected=["503"]) as page:
        shown(page, "Good to see you")
        page.route("**/channels/**", lambda route: route.fulfill(status=503, json={"error": "the target is away"}))
        shown(page, "the target is away")
        assert page.get_by_role("region", name="Live in qa").is_visible()
        page.unroute("**/channels/**")
        shown(page, "Good to see you")


def asks_for_live_content_only_while_it_is_shown(viewer):
    with viewer.open("#preview?locale=en&device=phone&side=live") as page:
        shown(page, "Good to see you")
        with page.expect_response(lambda answer: answer.url.endswith("/channels/qa/qa/config.plist")) as answer:
            pass
        assert answer.value.status == 304
        page.clock.install()
        page.evaluate("location.hash += '&show=@catalog'")
        shown(page, "Country Charm Basket")
        asked = []
        page.on("request", lambda request: "/channels/" in request.url and asked.append(request.url))

        def later():
            """The number of requests in the next five seconds."""
            page.wait_for_timeout(200)
            asked.clear()
            page.clock.fast_forward(5000)
            page.wait_for_timeout(200)
            return len(asked)
        later()
        until(lambda: len(asked) == 1, "a request for the channel")
        page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
        assert later() == 0, asked
        page.evaluate("delete document.hidden; location.hash = '#preview?locale=en&device=phone'")
        assert later() == 0, asked
        page.evaluate("location.hash = '#sizes?side=live'")
        assert later() == 0, asked


CHECKS = [shows_a_channel_beside_the_build, shows_a_channel_in_place_of_the_build, chooses_the_content_with_arrows,
          opens_what_is_live_from_a_link, says_that_it_explains_the_checkout, marks_no_fallbacks_in_live_content,
          shows_that_an_app_is_too_old, shows_that_a_channel_can_be_read_again, asks_for_live_content_only_while_it_is_shown]
PUBLISHING = [shows_the_maintenance_of_a_channel, compares_content_behind_a_maintenance, shows_a_maintenance_in_its_time_only, shows_a_release_that_is_published_meanwhile,
              shows_both_sides_of_a_rollout]
