"""The bill of materials of a release, as CycloneDX 1.6 in JSON."""

import hashlib
import json
import time
import uuid

LINKAGE = "contentc:linkage"


def licences(spdx):
    if spdx is None:
        return [{"license": {"name": "public domain"}}]
    if " " in spdx:
        return [{"expression": spdx}]
    return [{"license": {"id": spdx}}]


def bill(release, components, program):
    """Returns the document; `program` are the bytes of the program in the packages."""
    own = f"contentc@{release.version}"
    parts = [
        {
            "type": "data" if component.name in ("cldr", "tzdata") else "library",
            "bom-ref": f"{component.linkage}/{component.name}@{component.version}",
            "name": component.name,
            "version": component.version,
            "scope": component.scope,
            "licenses": licences(component.spdx),
            "purl": component.purl,
            "properties": [{"name": LINKAGE, "value": component.linkage}],
        } for component in components
    ]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "contentc",
                "version": release.version,
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(program).hexdigest()}],
                "licenses": licences("Apache-2.0"),
                "purl": f"pkg:generic/contentc@{release.version}",
            },
        },
        "components": parts,
        "dependencies": [
            {"ref": own, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    # A random number would differ in each build: this one is made from the contents.
    text = json.dumps(document, sort_keys=True)
    document["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_OID, text).urn
    return document
