#!/usr/bin/env python3
"""Prints requests to CloudFront as botocore sends them, one per line, as JSON."""

import functools
import hashlib
import json
from urllib.parse import quote, urlsplit

import botocore.auth
import botocore.session
from amazon import KEY, SECRET, clock
from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.credentials import Credentials

# Paths escape all characters except RFC 1738's safe and reserved ones and the percent sign.
SAFE = "$-_.+!*'(),;/?:@&=%"
SEEN = []
SITE = "https://cdn.example.com/v1"
URLS = [
    [f"{SITE}/config.plist"], [f"{SITE}/{number}.plist" for number in range(40)], [f"{SITE}/a%20b", f"{SITE}/%E8%8A%B1"],
    [f"{SITE}/a b", f"{SITE}/grün/花/🌷"], [f"{SITE}/a?locale=en&device=ipad", f"{SITE}/a?b=<c>"], [f"{SITE}/~one@two"],
    [f"{SITE}/\"<>[]^`{{|}}\\"], [f"{SITE}/'!*(),;:$+=-_."], ["https://cdn.example.com"], ["https://cdn.example.com/"],
    ["https://a.example.com/same", "http://b.example.com:8080/same", f"{SITE}/other#part"], [f"{SITE}/a&b/&amp;/]]>"],
    [f"{SITE}//double//slash/./dot/../dots"], [f"{SITE}/" + "x" * 3900],
]


def requests():
    def one(urls, distribution="EDFDVBD6EXAMPLE", token="", unique=41, api=""):
        return {"urls": urls, "distribution": distribution, "token": token, "unique": unique, "api": api}

    yield from map(one, URLS)
    for token in ["AQoD+/=token", "a" * 400]:
        yield one(URLS[0], token=token)
        yield one(URLS[3], token=token, unique=2**62)
    yield one(URLS[0], distribution="E/odd id")
    yield one(URLS[0], api="http://127.0.0.1:5000")
    yield one(URLS[0], api="https://cloudfront.example.com:8443")
    yield one(URLS[0], api="https://proxy.example.com/aws")


def paths(urls):
    parts = [urlsplit(url) for url in urls]
    texts = [quote((part.path or "/") + (f"?{part.query}" if part.query else ""), safe=SAFE) for part in parts]
    # Python leaves `~` unescaped, like the newer RFC 3986.
    return list(dict.fromkeys(text.replace("~", "%7E") for text in texts))


@functools.cache
def client(token, api):
    session = botocore.session.get_session()
    session.set_credentials(KEY, SECRET, token or None)
    client = session.create_client("cloudfront", region_name="us-east-1", endpoint_url=api or None)
    client.meta.events.register("before-send.cloudfront", answer)
    return client


def answer(request, **_):
    SEEN.append(request)
    response = AWSResponse(request.url, 201, {}, None)
    response._content = b"<Invalidation><Id>I1</Id><Status>Completed</Status></Invalidation>"
    return response


def sent(request, ask):
    ask(client(request["token"], request["api"]))
    return SEEN.pop()


def text(value):
    return value.decode() if isinstance(value, bytes) else value or ""


def printed(kind, request, seconds, sent):
    headers = {name: text(sent.headers[name]) for name in ["X-Amz-Date", "X-Amz-Security-Token", "Authorization"]
               if name in sent.headers}
    print(json.dumps({
        "kind": kind, "seconds": seconds, "key": KEY, "secret": SECRET, "method": sent.method, "url": sent.url,
        "headers": headers, "body": text(sent.body), **request}))


for number, request in enumerate(requests()):
    items = paths(request["urls"])
    digest = hashlib.sha256("\n".join([request["distribution"], str(request["unique"]), *items]).encode()).hexdigest()
    batch = {"Paths": {"Quantity": len(items), "Items": items}, "CallerReference": f"contentc-{digest}"}
    seconds = 1369353600 + number * 7_777_777
    with clock(seconds):
        create = lambda client: client.create_invalidation(
            DistributionId=request["distribution"], InvalidationBatch=batch)
        printed("create", request, seconds, sent(request, create))
        get = lambda client: client.get_invalidation(DistributionId=request["distribution"], Id="I2J0I21PCUYOIK")
        printed("get", request, seconds, sent(request, get))

PATHS = ["/a%20b", "/%C3%BC/%2F", "/a//b///c/", "/a/./b/../c", "/../a", "/..", "/a/..", "/a/../", "/~b/*", "/", "/a:b@c;d=e,f"]
for number, path in enumerate(PATHS):
    seconds = 1800000000 + number
    with clock(seconds):
        aws = AWSRequest(method="GET", url=f"https://cloudfront.amazonaws.com{path}", headers={"X-Two": " a   b "})
        botocore.auth.SigV4Auth(Credentials(KEY, SECRET, "t"), "cloudfront", "us-east-1").add_auth(aws)
    headers = dict(aws.headers)
    print(json.dumps({"kind": "path", "path": path, "seconds": seconds, "key": KEY, "secret": SECRET, "token": "t",
                      "headers": headers}))
