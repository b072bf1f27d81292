"""Verifies a signed config by the steps of docs/reference/trust.md: verify-config.py CONFIG PINNED APP CHANNEL

PINNED is a key document file. Prints the release, or ends with status 1 and the reason.
"""

import base64
import datetime
import hashlib
import json
import plistlib
import sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

def add(a, b):  # points (X, Y, Z) that stand for (X / Z, Y / Z)
    xx, yy, zz = a[0] * b[0] % P, a[1] * b[1] % P, a[2] * b[2] % P
    less, more = (zz * zz - D * xx * yy) % P, (zz * zz + D * xx * yy) % P
    return zz * less * ((a[0] + a[1]) * (b[0] + b[1]) - xx - yy) % P, zz * more * (xx + yy) % P, less * more % P

def times(number, point):
    result = (0, 1, 1)
    for bit in bin(number)[2:]:
        result = add(result, result)
        result = add(result, point) if bit == "1" else result
    return result

def point(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert y < P and (x * x - square) % P == 0, "no point of the curve"
    return (P - x if x & 1 != sign else x), y, 1

BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def is_valid(public, signature, message):
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    (x, y, z), (u, v, w) = times(s, BASE), add(point(signature[:32]), times(k, point(public)))
    return (x * w - u * z) % P == 0 and (y * w - v * z) % P == 0

def require(signed, kind, role, document):
    """Checks that enough keys of a role signed, and returns the body."""
    media = f"application/vnd.contentc.{kind}+json".encode()
    body, found = signed["body"].encode(), set()
    message = b"DSSEv1 %d %s %d %s" % (len(media), media, len(body), body)
    for item in signed["signatures"]:
        key = document["keys"].get(item["key"]) if item["key"] in document["roles"][role]["keys"] else None
        public = base64.b64decode(key["public"]) if key else b""
        data = item["signature"] if isinstance(item["signature"], bytes) else base64.b64decode(item["signature"])
        if key and hashlib.sha256(public).hexdigest()[:16] == item["key"] and is_valid(public, data, message):
            found.add(item["key"])
    assert len(found) >= document["roles"][role]["threshold"], f"too few signatures of '{kind}'"
    return json.loads(body)

served, pinned, app, channel = sys.argv[1:]
data = open(served, "rb").read()
envelope = json.loads(data) if data[:1] == b"{" else plistlib.loads(data)
config = envelope["config"] if isinstance(envelope["config"], bytes) else base64.b64decode(envelope["config"])
trusted = json.loads(json.load(open(pinned))["body"])
for signed in envelope.get("keys", []):
    later = json.loads(signed["body"])
    if later["version"] > trusted["version"]:
        assert later["version"] == trusted["version"] + 1 and require(signed, "keys", "keys", trusted), "a gap"
        trusted = require(signed, "keys", "keys", later)
release, fresh = (
    require(next(s for s in envelope["statements"] if s["type"] == kind), kind, kind, trusted)
    for kind in ("release", "fresh"))
now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
for statement in (release, fresh):
    assert (statement["app"], statement["channel"]) == (app, channel), "another channel"
    assert statement["config"] == hashlib.sha256(config).hexdigest(), "another config"
    assert trusted.get("floors", {"version": 0})["version"] <= statement["keys"] <= trusted["version"], "another time"
assert release["size"] == len(config) and fresh["release"] == release["release"], "another release"
assert now < fresh["expires"] and now < trusted["expires"], "expired"
print(release["release"])
