#!/usr/bin/env python3
"""Prints requests to S3 with their signatures by botocore, one per line, as JSON.

Path and query are not escaped. The body is hexadecimal.
"""

import json

import botocore.auth
from amazon import KEY, SECRET, clock
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.utils import percent_encode

PATHS = [
    "/", "/bucket", "/bucket/", "/bucket/config.plist", "/bucket/a b", "/bucket/a+b", "/bucket/~tilde", "/bucket//double",
    "/bucket/a//b///c", "/bucket/./dot/../dots", "/bucket/grün/花/🌷", "/bucket/e\u0301", "/bucket/%41", "/bucket/a=b&c;d",
    "/bucket/(1)!*'", "/bucket/:@$,", "/bucket/#?", "/bucket/\"<>[]^`{|}\\", "/test$file.text", "/bucket/objects/aa/0b.plist",
    "/bucket/\t\n\x01\x7f", "/bucket/a/", "/bucket/a ", "/bucket/" + "long/" * 200,
]
QUERIES = [
    [("lifecycle", "")], [("list-type", "2"), ("prefix", "v1/objects/")], [("prefix", "a b+c"), ("delimiter", "/")],
    [("b", "2"), ("a", "1"), ("a", "0")], [("a", ""), ("a", ""), ("A", "x")], [("continuation-token", "1/=+ abc~==")],
    [("grün", "花"), ("&", "=")], [("a-b", "1"), ("a", "2"), ("a.b", "3")], [("uploads", ""), ("key-marker", "v1/🌷~*'(")],
]
HEADERS = [
    [("Content-Type", "application/x-plist"), ("Cache-Control", "public, max-age=60, stale-while-revalidate=30")],
    [("If-None-Match", "*"), ("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==")], [("If-Match", '"5d41402abc4b2a76"')],
    [("X-Amz-Meta-Two", "a   b"), ("x-amz-meta-one", " spaces ")], [("Range", "bytes=0-9")],
    [("x-amz-a-b", "1"), ("x-amz-a", "2"), ("X-Amz-AB", ""), ("x-amz-tab", "a\t b")],
]
# The ends of years, a leap day, and the first second.
TIMES = [1704067199, 1704067200, 1709164800, 1709251199, 0]




def requests():
    def one(name, method="GET", path="/bucket/key", query=(), headers=(), body=b"", region="us-east-1", token="", host=""):
        return {"name": name, "method": method, "host": host or "s3.example.com", "path": path, "query": list(query),
                "headers": list(headers), "body": body.hex(), "region": region, "token": token}

    for path in PATHS:
        yield one(f"path {path}", path=path)
    for query in QUERIES:
        yield one(f"query {query}", path="/bucket", query=query)
    for headers in HEADERS:
        yield one(f"headers {headers}", method="PUT", headers=headers, body=b"body")
    for region in ["eu-west-1", "cn-north-1", "auto"]:
        yield one(f"region {region}", region=region)
    for method in ["HEAD", "DELETE", "POST", "PUT"]:
        yield one(f"method {method}", method=method)
    yield one("bytes", method="PUT", body=bytes(range(256)))
    yield one("token", token="AQoD+/=token", method="PUT", body=b"x")
    yield one("token and query", token="t0ken", query=[("list-type", "2")], path="/")
    yield one("long token and headers", token="a" * 400, method="PUT", headers=HEADERS[0])
    yield one("port", host="127.0.0.1:8333")
    yield one("virtual host", host="bucket.s3.eu-west-1.amazonaws.com", path="/v1/config.plist", region="eu-west-1")
    for seconds in TIMES:
        yield one(f"time {seconds}") | {"seconds": seconds}


def signed(request):
    sent = percent_encode(request["path"], safe="/~")
    query = "&".join(f"{percent_encode(name)}={percent_encode(value)}" for name, value in request["query"])
    url = f"http://{request['host']}{sent}" + (f"?{query}" if query else "")
    aws = AWSRequest(method=request["method"], url=url, data=bytes.fromhex(request["body"]))
    for name, value in request["headers"]:
        aws.headers[name] = value
    with clock(request["seconds"]):
        credentials = Credentials(KEY, SECRET, request["token"] or None)
        botocore.auth.S3SigV4Auth(credentials, "s3", request["region"]).add_auth(aws)
    return {"sent": sent, "authorization": aws.headers["Authorization"]}


for number, request in enumerate(requests()):
    request = {"seconds": 1369353600 + number * 7_777_777, "key": KEY, "secret": SECRET} | request
    print(json.dumps(request | signed(request)))
