"""Signs the statement 'fresh' of a config in JSON some days later, as a machine whose clock is ahead does.

sign-later.py CONFIG SECRET-KEY DAYS
"""

import base64
import datetime
import json
import subprocess
import sys
import tempfile

path, secret, days = sys.argv[1:]
envelope = json.load(open(path))
statement = next(s for s in envelope["statements"] if s["type"] == "fresh")
body = json.loads(statement["body"])
for key in ("issued", "expires"):
    time = datetime.datetime.fromisoformat(body[key].replace("Z", "+00:00"))
    body[key] = (time + datetime.timedelta(days=int(days))).strftime("%Y-%m-%dT%H:%M:%SZ")
statement["body"] = json.dumps(body, sort_keys=True, separators=(",", ":"))
media, text = b"application/vnd.contentc.fresh+json", statement["body"].encode()
with tempfile.NamedTemporaryFile() as message:
    message.write(b"DSSEv1 %d %s %d %s" % (len(media), media, len(text), text))
    message.flush()
    signature = subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-inkey", secret, "-rawin", "-in", message.name], check=True, capture_output=True
    ).stdout
statement["signatures"][0]["signature"] = base64.b64encode(signature).decode()
json.dump(envelope, open(path, "w"))
print(body["issued"])
