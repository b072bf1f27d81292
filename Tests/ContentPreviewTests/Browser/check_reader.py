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
    entries = {f"product/{i}": {"title": f"Title {i}"} for i in range(5000)}
    data = base64.b64encode(plistlib.dumps({"entries": entries, "é": 1}, fmt=plistlib.FMT_BINARY)).decode()
    with viewer.open() as page:
        got = page.evaluate(TO_JSON + f"const data = bytes('{data}'), list = readPropertyList(data);" """
            const fastest = (work) => Math.min(...Array.from({length: 5}, () => {
              const start = performance.now();
              work();
              return performance.now() - start;
            }));
            const find = () => readPropertyList(data).get('entries').get('product/4321').plain().title;
            const read = () => readPropertyList(data).plain();
            [find(), list.get('é'), list.get('nothing') === undefined, fastest(find), fastest(read)]""")
    assert got[:3] == ["Title 4321", 1, True], got
    # The test compares two times, because a busy machine slows both.
    assert got[3] < got[4] / 3, f"{got[3]} ms for one key, {got[4]} ms for all"


def written(*objects, root=0, count=None, table=None, offsets=None):
    """A binary property list of objects as they are, with a trailer that may say something else (CFBinaryPList.c)."""
    places = [8 + sum(map(len, objects[:i])) for i in range(len(objects))] if offsets is None else offsets
    body = b"bplist00" + b"".join(objects)
    numbers = [len(objects) if count is None else count, root, len(body) if table is None else table]
    return body + bytes(places) + bytes([0] * 6 + [1, 1]) + b"".join(number.to_bytes(8, "big") for number in numbers)


BROKEN = {
    "no trailer": b"bplist00",
    "half a trailer": written(b"\x09")[:-1],
    "text beyond the end": written(b"\x5f\x10\xffabc"),
    "long text beyond the end": written(b"\x5f\x11\xff\xffabc"),
    "wide text beyond the end": written(b"\x6f\x10\x80abc"),
    "data beyond the end": written(b"\x4f\x10\xffabc"),
    "an array of more than there is": written(b"\xaf\x12\x7f\xff\xff\xff\x00"),
    "a dictionary of more than there is": written(b"\xdf\x12\x7f\xff\xff\xff\x00"),
    "an array that holds itself": written(b"\xa1\x00"),
    "a dictionary that holds itself": written(b"\xd1\x01\x00", b"\x51a"),
    "a reference to nobody": written(b"\xa1\x05"),
    "a root that is not there": written(b"\x09", root=9),
    "a kind that nobody knows": written(b"\x70"),
    "a reference of an archive": written(b"\x80\x00"),
    "an object beyond the end": written(b"\x09", offsets=[255]),
    "a table beyond the end": written(b"\x09", table=10_000),
    "no objects": written(count=0),
    "an integer of 32 bytes": written(b"\x15" + bytes(32)),
    "a number of one byte": written(b"\x20" + bytes(8)),
    "a moment of four bytes": written(b"\x32" + bytes(8)),
}
READS = TO_JSON + "window.reads = (text) => { try { return JSON.stringify(plainly(plain(readPropertyList(bytes(text))))) ?? 'nothing'; } catch (error) { return error instanceof Error ? '' : 'no error'; } }; 0"


def refuses_broken_files(viewer):
    with viewer.open() as page:
        page.evaluate(READS)
        read = lambda data: page.evaluate("text => reads(text)", base64.b64encode(data).decode())
        assert read(written(b"\xd1\x01\x02", b"\x51a", b"\x10\x07")) == '[["a",7]]', "the writer of this check is broken"
        taken = {name: read(data) for name, data in BROKEN.items() if read(data)}
        assert not taken, taken
        whole = plistlib.dumps(SAMPLE, fmt=plistlib.FMT_BINARY)
        cut = {length: told for length in range(0, len(whole), 7) if (told := read(whole[:length]))}
        assert not cut, list(cut)[:5]


def survives_flipped_bits(viewer):
    whole = bytearray(plistlib.dumps(SAMPLE, fmt=plistlib.FMT_BINARY))
    with viewer.open() as page:
        outcomes = page.evaluate(TO_JSON + f"""
          const whole = bytes('{base64.b64encode(whole).decode()}');
          const outcomes = {{ refused: 0, read: 0, thrown: 0 }};
          for (let i = 0; i < 400; i++) {{
            const broken = whole.slice();
            for (let j = 0; j < 3; j++) broken[(i * 7919 + j * 104729) % broken.length] ^= 1 + (i % 255);
            try {{ plain(readPropertyList(broken)); outcomes.read += 1; }}
            catch (error) {{ outcomes[error instanceof Error ? 'refused' : 'thrown'] += 1; }}
          }}
          outcomes""")
    assert outcomes["thrown"] == 0 and outcomes["refused"] + outcomes["read"] == 400, outcomes
    # Most flips are in texts, which stay readable.
    assert outcomes["refused"] >= 20 and outcomes["read"] >= 20, outcomes


def hashes_like_everyone_else(viewer):
    samples = [b"", b"abc", bytes(range(256)) * 5, b"x" * 55, b"x" * 56, b"x" * 64, b"y" * 100_000]
    with viewer.open() as page:
        for sample in samples:
            encoded = base64.b64encode(sample).decode()
            ours = page.evaluate(TO_JSON + f"hexadecimal(SHA256.ours(bytes('{encoded}')))")
            theirs = page.evaluate(TO_JSON + f"SHA256.hex(bytes('{encoded}'))")
            assert ours == theirs == hashlib.sha256(sample).hexdigest(), len(sample)


def refuses_an_object_that_does_not_match_its_hash(viewer):
    with viewer.open(expected=["cannot be", "does not match its hash"]) as page:
        page.route("**/objects/**", lambda route: route.fulfill(body=b"bplist00 something else", content_type="application/x-plist"))
        page.reload()
        page.get_by_text("does not match its hash").first.wait_for()


def chooses_variants_as_an_app_does(viewer):
    rows = "{object: 'own', variants: [{country: 'FR', object: 'fr'}, {from: '2.0', before: '3.0', object: 'two'}, {country: 'DE', from: '10', object: 'de'}]}"
    cases = [({}, "own"), ({"country": "FR"}, "fr"), ({"app": "2"}, "two"), ({"app": "2.9.9"}, "two"), ({"app": "3"}, "own"), ({"app": "1.10"}, "own"),
             ({"country": "DE", "app": "9"}, "own"), ({"country": "DE", "app": "10.0"}, "de"), ({"country": "FR", "app": "2"}, "fr")]
    with viewer.open() as page:
        for context, wanted in cases:
            got = page.evaluate(f"(context) => variant({rows}, {{country: '', app: '', ...context}}).object", context)
            assert got == wanted, (context, got)


CHECKS = [reads_binary_and_xml, reads_openstep, finds_one_key_without_reading_the_others, refuses_broken_files, survives_flipped_bits, hashes_like_everyone_else,
          refuses_an_object_that_does_not_match_its_hash, chooses_variants_as_an_app_does]
