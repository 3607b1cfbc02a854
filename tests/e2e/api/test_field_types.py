"""The type of each field, whether it is required, and its choices, according to OpenAPI and
`kubectl explain`. field_types.json has the output of a real API server for the structures that
ebb has (support/golden.py).
"""

import json
import pathlib

import pytest
from support.golden import differences, structures

GOLDEN = pathlib.Path(__file__).with_name("field_types.json")


def type_of(schema):
    """In words: `[]Container`, `map of string`, `integer (int32)`."""
    if "allOf" in schema:
        return type_of(schema["allOf"][0])
    if "$ref" in schema:
        return schema["$ref"].rsplit(".", 1)[1]
    if schema.get("type") == "array":
        return "[]" + type_of(schema["items"])
    if "additionalProperties" in schema:
        return "map of " + type_of(schema["additionalProperties"])
    words = schema.get("type", "anything")
    if "format" in schema:
        words += f" ({schema['format']})"
    if "enum" in schema:
        words += ": " + " ".join(sorted(schema["enum"]))
    return words


def types(api):
    found = {}
    for name, schema in structures(api):
        required = schema.get("required", [])
        found[name] = {
            field: type_of(its) + (", required" if field in required else "")
            for field, its in schema.get("properties", {}).items()
        }
    return found


def test_fields_have_the_types_that_kubernetes_gives_them(api):
    assert not differences(GOLDEN, types(api))


@pytest.mark.ebb_only
def test_every_field_is_looked_at(api):
    """Fields of ebb's own are in no other server; all others have to be in the file."""
    golden = json.loads(GOLDEN.read_text())
    ours = {"downscalePodPicker", "cost"}
    for name, fields in types(api).items():
        if name.startswith("io.k8s."):
            assert set(fields) - ours == set(golden.get(name, {})), name
