#!/usr/bin/env python3
"""Prints requests to Akamai with their signatures by Akamai's own library, one per line, as JSON.

A request sends its body as often as `times` says.
"""

import json
import time

import requests
from akamai.edgegrid.edgegrid import EdgeGridAuthHeaders

TOKENS = {"client_token": "akab-client-token-xxx-xxxxxxxxxxxxxxxx", "access_token": "akab-access-token-xxx-xxxxxxxxxxxxxxxx"}
SECRET = "SOMESECRET/+abc=def=="
HOST = "https://akab-host.purge.akamaiapis.net"


def cases():
    def one(method="POST", path="/ccu/v3/delete/url/production", body="", times=1, host=HOST, secret=SECRET):
        return {"method": method, "url": host + path, "body": body, "times": times, "secret": secret}

    for body in ["", "a", '{"objects":["https://cdn.example.com/a"]}', "grün 花 🌷", "line\r\nline\ttab", "\0", " ", "\ufeff"]:
        yield one(body=body)
    # Only the first 131,072 bytes are signed. A character of three bytes crosses that limit.
    for times in [50_000, 131_071, 131_072, 131_073, 200_000]:
        yield one(body="x", times=times)
    yield one(body="花", times=50_000)
    for path in ["", "/", "/a?b=c", "/a?b=c&d=%20e", "/a;b=c", "/a;b=c?d", "/a%20b/%E8%8A%B1", "/a//b/../c", "/a?",
                 "/a?b=c?d", "/a?b=%2F&c=/", "/~a", "/a?b=;c", "/%7Ea%2Fb", "/" + "a/" * 200]:
        yield one("GET", path)
    yield one("PUT", body="not signed")
    yield one("DELETE")
    yield one("POST", "/ccu/v3/rate-limit-status/tag")
    for host in ["http://127.0.0.1:8080", "https://akamai.example.com:8443", "http://example.com"]:
        yield one(host=host, body="b")
    yield one(secret="", body="b")
    yield one(secret="grün", body="b")


PURGES = [
    ("url", "production", ["https://cdn.example.com/v1/config.plist"]), ("url", "staging", ["https://a/b", "https://a/c"]),
    ("url", "production", [f"https://cdn.example.com/v1/{number}" for number in range(100)]),
    ("url", "production", ["https://a/\"\\\u0001/花", "https://a/?b=c&d"]),
]


def printed(case, number, **more):
    seconds = 1369353600 + number * 7_777_777
    nonce = f"{number * 0x0123_4567_89AB:016x}"
    timestamp = time.strftime("%Y%m%dT%H:%M:%S+0000", time.gmtime(seconds))
    request = requests.Request(case["method"], case["url"], data=case["body"].encode() * case["times"]).prepare()
    headers = EdgeGridAuthHeaders(TOKENS["client_token"], case["secret"], TOKENS["access_token"])
    print(json.dumps({
        **case, **TOKENS, "url": request.url, "seconds": seconds, "nonce": nonce, "number": str(number * 0x0123_4567_89AB),
        "authorization": headers.make_auth_header(request, timestamp, nonce), **more}))


number = 0
for number, case in enumerate(cases()):
    printed(case, number)
for kind, network, objects in PURGES:
    number += 1
    body = json.dumps({"objects": objects}, separators=(",", ":"), ensure_ascii=False)
    case = {"method": "POST", "url": f"{HOST}/ccu/v3/delete/{kind}/{network}", "body": body, "times": 1, "secret": SECRET}
    printed(case, number, network=network, objects=objects)
