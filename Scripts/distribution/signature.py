"""Signatures of checksums: a type of statement of its own, which no reader of a channel accepts."""

import os
import pathlib
import subprocess
import tempfile

from . import Refusal

# `SignedType.sums` of SiteFormat, whose tests show that readers refuse it.
MEDIA_TYPE = "application/vnd.contentc.sums"


def message(sums):
    """Returns the bytes that are signed: the pre-authentication encoding of DSSE, version 1."""
    return f"DSSEv1 {len(MEDIA_TYPE)} {MEDIA_TYPE} {len(sums)} ".encode() + sums


def check_key(key):
    """Refuses a file that others can read, and a key that is not of Ed25519."""
    try:
        status = os.stat(key)
    except OSError as error:
        raise Refusal(f"the key {key} cannot be read: {error.strerror}") from None
    if status.st_mode & 0o077:
        raise Refusal(f"others may read the key {key}: chmod 600 {key}")
    shown = subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"], capture_output=True)
    # A SubjectPublicKeyInfo for Ed25519 (RFC 8410), before the 32 bytes of the key.
    if shown.returncode != 0 or len(shown.stdout) != 44 or not shown.stdout.startswith(
            bytes.fromhex("302a300506032b6570032100")):
        raise Refusal(f"{key} is no Ed25519 key in PEM, as 'contentc keys init' and openssl write it")


def sign(sums, key):
    """Writes the signature of a file of checksums beside it; the secret key stays in its file."""
    check_key(key)
    sums = pathlib.Path(sums)
    with tempfile.TemporaryDirectory() as work:
        signed, signature = pathlib.Path(work) / "message", pathlib.Path(work) / "signature"
        signed.write_bytes(message(sums.read_bytes()))
        done = subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", signed, "-out", signature],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise Refusal(f"openssl does not sign with {key}: {done.stderr.strip().splitlines()[-1:]}")
        sums.with_name(sums.name + ".sig").write_bytes(signature.read_bytes())
