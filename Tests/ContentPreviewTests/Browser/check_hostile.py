"""Naughty content appears as text, and nothing in it runs."""

import contextlib
import http.server
import threading

from viewer import body, field, own_text, shown, until

HOME = "entries/screen/home.yaml"
NAUGHTY = [
    "<script>document.title='ran'</script>",
    '\\"><img src=x onerror=\\"document.title=\'ran\'\\">',
    "<svg/onload=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "&lt;b&gt;&amp;",
    "__proto__",
    "constructor",
    "\u202egnp.exe",
    "a\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308 Z\u0336a\u0336l\u0336",
    "\u200f\u200e\u2066\u2069\ufeff.",
    "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "</style></title></textarea>--><b>",
    "x" * 80,
]


def shows_naughty_texts_as_they_are(viewer):
    with viewer.open("#preview?locale=en&device=phone") as page:
        shown(page, "Good to see you")
        before = "title: Good to see you"
        for text in NAUGHTY:
            written = f'title: "{text}"'
            with viewer.edited((HOME, before, written)):
                meant = text.replace('\\"', '"')
                until(lambda: own_text(field(page, "elements[welcome].title")) == meant, f"the text {meant!r}")
                assert page.title() == "flowershop preview", page.title()
                assert page.locator(".frame-body script, .frame-body svg[onload], .frame-body b").count() == 0
            until(lambda: own_text(field(page, "elements[welcome].title")) == "Good to see you", "the old title")


def takes_naughty_ids_and_titles_of_items(viewer):
    items = "elements:\n  - {id: '<b onclick=alert(1)>\"]', type: row, title: '<i>one</i>', value: \"' onfocus='alert(1)\"}\n"
    with viewer.edited((HOME, "elements:\n", items), (HOME, "title: Flowers\n", "title: '<img src=x onerror=alert(1)>'\n")):
        with viewer.open("#preview?locale=en&device=phone", expected=["40[04]"]) as page:
            shown(page, "<i>one</i>")
            page.locator(".primary .frame-title").get_by_text("<img src=x onerror=alert(1)>").wait_for()
            body(page).get_by_text("<i>one</i>").hover()
            page.locator(".inspected-path").wait_for()


def shows_naughty_source_lines_as_text(viewer):
    with viewer.edited((HOME, "title: Flowers\n", "'<img src=x onerror=alert(1)>': 1\ntitle: Flowers\n")):
        with viewer.open("#problems") as page:
            page.locator(".problem-message", has_text="<img src=x onerror=alert(1)>").wait_for()
            page.locator(".source", has_text="<img src=x onerror=alert(1)>").first.wait_for()
            assert page.locator(".problem img").count() == 0


def keeps_addresses_of_the_fragment_as_text(viewer):
    with viewer.open("#preview?show=<img src=x onerror=alert(1)>&channel=<b>&of=<i>", expected=["40[04]"]) as page:
        body(page).locator(".empty").wait_for()
        assert page.locator("main b, main i, .frame-body img").count() == 0
        page.keyboard.press("2")
        page.locator(".panel.changes").wait_for()


def cannot_run_what_was_not_in_the_page(viewer):
    with viewer.open(expected=["Content Security Policy", "Content-Security-Policy"]) as page:
        policy = page.request.get(viewer.base).headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy, policy
        until(lambda: page.title() == "flowershop preview", "the title")
        page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title = 1'}))")
        assert page.title() == "flowershop preview"


def is_put_together_from_all_its_parts(viewer):
    with viewer.open() as page:
        text = page.request.get(viewer.base).text()
    assert "<!-- script" not in text and "<!-- style" not in text, "a part of the page is missing"


def fetches_nothing_from_elsewhere(viewer):
    with viewer.open("#preview?locale=fr&device=ipad") as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        page.wait_for_selector("html[data-generation]", state="attached")
        assert asked and all(url.startswith(viewer.base) or url.startswith("data:") for url in asked), asked


class SomePage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><p>hello")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def other_server():
    """Serves a page of another site; yields its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), SomePage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def works_on_the_network(viewer):
    with viewer.on_network.open("#preview?locale=en&device=phone&at=2031-01-01T00:00:00Z") as page:
        assert not page.evaluate("isSecureContext"), "the browser trusts this address as its own"
        shown(page, "Good to see you")
        until(lambda: page.evaluate("[...document.querySelectorAll('.frame-body img')].every(image => image.naturalWidth)"), "pictures")
        page.keyboard.press("3")
        page.locator(".panel.coverage .cell").first.wait_for()
        page.evaluate("location.hash = '#preview?locale=en&device=phone'")
        with viewer.edited((HOME, "Good to see you", "Seen from afar")):
            shown(page, "Seen from afar")
        shown(page, "Good to see you")


def refuses_pages_of_other_sites_on_the_network(viewer):
    target = viewer.on_network.base
    with other_server() as elsewhere, viewer.on_network.open() as page:
        assert page.context.cookies(), "there is no cookie to withhold"
        other = page.context.new_page()
        other.goto(elsewhere)
        # The page may not see the responses, but the browser's network log does.
        answers, addresses, ended = [], {}, []
        for event in ["requestfinished", "requestfailed"]:
            other.on(event, lambda request: request.url.startswith(target) and ended.append(request.url))
        network = page.context.new_cdp_session(other)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", lambda request: addresses.update({request["requestId"]: request["request"]["url"]}))
        network.on("Network.responseReceivedExtraInfo", lambda answer: answers.append((answer["requestId"], answer["statusCode"])))

        def statuses():
            # A browser asks for an icon of the other page, too.
            return [status for request, status in answers if addresses.get(request, "").startswith(target)]

        wanted = ["at/2032-01-01T00:00:00Z/preview/config.plist", "api/coverage", "api/state", "channels/qa/qa/config.plist"]
        for path in wanted:
            other.evaluate("address => fetch(address, {mode: 'no-cors', credentials: 'include'}).catch(() => {})", target + path)
            other.evaluate("address => new Promise(done => Object.assign(new Image(), {onload: done, onerror: done, src: address}))", target + path + "?image")
        until(lambda: other.evaluate("1") and len(ended) == 2 * len(wanted), "an end of every request")
        # The log does not have all responses that are withheld from a page.
        until(lambda: other.evaluate("1") and len(statuses()) >= len(wanted), "answers")
        assert set(statuses()) == {403}, statuses()


CHECKS = [works_on_the_network, refuses_pages_of_other_sites_on_the_network,
          shows_naughty_texts_as_they_are, takes_naughty_ids_and_titles_of_items, shows_naughty_source_lines_as_text,
          keeps_addresses_of_the_fragment_as_text, cannot_run_what_was_not_in_the_page, is_put_together_from_all_its_parts, fetches_nothing_from_elsewhere]
