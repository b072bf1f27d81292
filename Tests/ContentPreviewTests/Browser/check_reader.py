"""The page's own reader of property lists, against Python's writer."""

import base64
import datetime
import hashlib
import plistlib

SAMPLE = {
    "text": "plain", "wide": "häßlich 花 👩‍👧", "empty": "", "long": "x" * 5000, "many": {f"key-{i}": i for i in range(300)},
    "numbers": [0, 1, 255, 256, 65536, 2 ** 33, -1, -(2 ** 40), 1.5, -0.25], "yes": True, "no": False, "none": [], "nothing": {},
    "data": bytes(range(256)), "moment": datetime.datetime(2026, 12, 24, 17, 0), "__proto__": "a key", "constructor": "another",
    "deep": [[[["here"]]]],
}

TO_JSON = """
const plainly = (value) => value instanceof Date ? {date: value.toISOString()} : value instanceof Uint8Array ? {data: hexadecimal(value)}
  : Array.isArray(value) ? value.map(plainly) : value && typeof value === 'object' ? Object.entries(value).map(([key, one]) => [key, plainly(one)]).sort() : value;
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
"""


def expected(value):
    if isinstance(value, datetime.datetime):
        return {"date": value.strftime("%Y-%m-%dT%H:%M:%S.000Z")}
    if isinstance(value, bytes):
        return {"data": value.hex()}
    if isinstance(value, list):
        return [expected(one) for one in value]
    if isinstance(value, dict):
        return sorted([key, expected(one)] for key, one in value.items())
    return value


def decoded(page, data, is_json=False):
    return page.evaluate(TO_JSON + "([text, isJSON]) => 0".replace("([text, isJSON]) => 0", "")
                         + f"plainly(plain(readPropertyList(bytes('{base64.b64encode(data).decode()}'), {str(is_json).lower()})))")


def reads_binary_and_xml(viewer):
    with viewer.open() as page:
        for form in (plistlib.FMT_BINARY, plistlib.FMT_XML):
            got = decoded(page, plistlib.dumps(SAMPLE, fmt=form))
            assert dict(got) == dict(expected(SAMPLE)), form


def reads_openstep(viewer):
    text = '// one\n{ a = plain; "b c" = "quo\\"ted \\U82b1\\n"; list = ( 1, two, ( ) ); data = <00ff 10>; /* two */ inner = { x = y; }; }'
    with viewer.open() as page:
        got = dict(decoded(page, text.encode()))
    assert got == {"a": "plain", "b c": 'quo"ted 花\n', "list": ["1", "two", []], "data": {"data": "00ff10"}, "inner": [["x", "y"]]}, got


def finds_one_key_without_reading_the_others(viewer):
    data = base64.b64encode(plistlib.dumps({"entries": {f"product/{i}": {"title": f"Title {i}"} for i in range(5000)}, "é": 1}, fmt=plistlib.FMT_BINARY)).decode()
    with viewer.open() as page:
        got = page.evaluate(TO_JSON + f"const list = readPropertyList(bytes('{data}')); const before = performance.now();"
                            "[list.get('entries').get('product/4321').plain().title, list.get('é'), list.get('nothing') === undefined, performance.now() - before]")
    assert got[:3] == ["Title 4321", 1, True], got
    assert got[3] < 20, f"{got[3]} ms"


def refuses_broken_files(viewer):
    whole = plistlib.dumps(SAMPLE, fmt=plistlib.FMT_BINARY)
    with viewer.open() as page:
        refused = page.evaluate(TO_JSON + f"""
          const whole = bytes('{base64.b64encode(whole).decode()}');
          let refused = 0;
          for (let i = 0; i < 400; i++) {{
            const broken = i < 100 ? whole.slice(0, whole.length - 1 - i * 7) : whole.slice();
            if (i >= 100) for (let j = 0; j < 3; j++) broken[(i * 7919 + j * 104729) % broken.length] ^= 1 + (i % 255);
            try {{ plain(readPropertyList(broken)); }} catch (error) {{ refused += error instanceof Error ? 1 : 1000; }}
          }}
          refused""")
    assert 100 <= refused <= 400, refused


def hashes_like_everyone_else(viewer):
    samples = [b"", b"abc", bytes(range(256)) * 5, b"x" * 55, b"x" * 56, b"x" * 64, b"y" * 100_000]
    with viewer.open() as page:
        for sample in samples:
            encoded = base64.b64encode(sample).decode()
            ours = page.evaluate(TO_JSON + f"hexadecimal(SHA256.ours(bytes('{encoded}')))")
            theirs = page.evaluate(TO_JSON + f"SHA256.hex(bytes('{encoded}'))")
            assert ours == theirs == hashlib.sha256(sample).hexdigest(), len(sample)


def refuses_an_object_that_is_not_what_its_name_says(viewer):
    with viewer.open(expected=["cannot be", "not what its name"]) as page:
        page.route("**/objects/**", lambda route: route.fulfill(body=b"bplist00 something else", content_type="application/x-plist"))
        page.reload()
        page.get_by_text("is not what its name says").first.wait_for()


def chooses_variants_as_an_app_does(viewer):
    rows = "{object: 'own', variants: [{country: 'FR', object: 'fr'}, {from: '2.0', before: '3.0', object: 'two'}, {country: 'DE', from: '10', object: 'de'}]}"
    cases = [({}, "own"), ({"country": "FR"}, "fr"), ({"app": "2"}, "two"), ({"app": "2.9.9"}, "two"), ({"app": "3"}, "own"), ({"app": "1.10"}, "own"),
             ({"country": "DE", "app": "9"}, "own"), ({"country": "DE", "app": "10.0"}, "de"), ({"country": "FR", "app": "2"}, "fr")]
    with viewer.open() as page:
        for context, wanted in cases:
            got = page.evaluate(f"(context) => variant({rows}, {{country: '', app: '', ...context}}).object", context)
            assert got == wanted, (context, got)


CHECKS = [reads_binary_and_xml, reads_openstep, finds_one_key_without_reading_the_others, refuses_broken_files, hashes_like_everyone_else,
          refuses_an_object_that_is_not_what_its_name_says, chooses_variants_as_an_app_does]
