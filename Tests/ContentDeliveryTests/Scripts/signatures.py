#!/usr/bin/env python3
"""Prints requests to S3 with their signatures by botocore, one per line.

Tabs separate the fields, and texts are hexadecimal. Fields: name, method, host, path (not escaped),
query (name=value, joined by &), headers (name=value, joined by &), body, seconds since 1970, region,
access key, secret key, session token, the path as sent, the header Authorization.
"""

import calendar
import datetime
from unittest import mock

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.utils import percent_encode

PATHS = [
    "/", "/bucket", "/bucket/", "/bucket/config.plist", "/bucket/a b", "/bucket/a+b", "/bucket/~tilde", "/bucket//double",
    "/bucket/a//b///c", "/bucket/./dot/../dots", "/bucket/grün/花/🌷", "/bucket/e\u0301", "/bucket/%41", "/bucket/a=b&c;d",
    "/bucket/(1)!*'", "/bucket/:@$,", "/bucket/#?", "/bucket/\"<>[]^`{|}\\", "/test$file.text", "/bucket/objects/aa/0b.plist",
]
QUERIES = [
    [("lifecycle", "")], [("list-type", "2"), ("prefix", "v1/objects/")], [("prefix", "a b+c"), ("delimiter", "/")],
    [("b", "2"), ("a", "1"), ("a", "0")], [("a", ""), ("a", ""), ("A", "x")], [("continuation-token", "1/=+ abc~==")],
    [("grün", "花"), ("&", "=")], [("a-b", "1"), ("a", "2"), ("a.b", "3")],
]
HEADERS = [
    [("Content-Type", "application/x-plist"), ("Cache-Control", "public, max-age=60, stale-while-revalidate=30")],
    [("If-None-Match", "*"), ("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==")], [("If-Match", '"5d41402abc4b2a76"')],
    [("X-Amz-Meta-Two", "a   b"), ("x-amz-meta-one", " spaces ")], [("Range", "bytes=0-9")],
]


def requests():
    def one(name, method="GET", path="/bucket/key", query=(), headers=(), body=b"", region="us-east-1", token="", host=""):
        return (name, method, host or "s3.example.com", path, list(query), list(headers), body, region, token)

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
    yield one("port", host="127.0.0.1:8333")
    yield one("virtual host", host="bucket.s3.eu-west-1.amazonaws.com", path="/v1/config.plist", region="eu-west-1")


def signed(request, seconds):
    name, method, host, path, query, headers, body, region, token = request
    sent = percent_encode(path, safe="/~")
    text = "&".join(f"{percent_encode(key)}={percent_encode(value)}" for key, value in query)
    aws = AWSRequest(method=method, url=f"http://{host}{sent}" + (f"?{text}" if text else ""), data=body)
    for key, value in headers:
        aws.headers[key] = value
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    credentials = Credentials("AKIAIOSFODNN7EXAMPLE", secret, token or None)
    now = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    with mock.patch("botocore.auth.get_current_datetime", return_value=now.replace(tzinfo=None), create=True):
        botocore.auth.S3SigV4Auth(credentials, "s3", region).add_auth(aws)
    assert calendar.timegm(datetime.datetime.strptime(aws.context["timestamp"], "%Y%m%dT%H%M%SZ").timetuple()) == seconds
    return credentials, sent, aws.headers["Authorization"]


def encoded(value):
    return (value if isinstance(value, bytes) else str(value).encode()).hex()


def pairs(items):
    return "&".join(f"{encoded(key)}={encoded(value)}" for key, value in items)


for number, request in enumerate(requests()):
    seconds = 1369353600 + number * 7_777_777
    credentials, sent, authorization = signed(request, seconds)
    name, method, host, path, query, headers, body, region, token = request
    print("\t".join([
        encoded(name), method, host, encoded(path), pairs(query), pairs(headers), encoded(body), str(seconds), region,
        credentials.access_key, credentials.secret_key, token, sent, authorization]))
