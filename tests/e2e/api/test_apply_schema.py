"""How server-side apply treats each list, map and structure, according to OpenAPI.
apply_types.json has the output of a real API server for the structures that ebb has
(support/golden.py).
"""

import json
import pathlib

import pytest
from support.golden import differences, structures

GOLDEN = pathlib.Path(__file__).with_name("apply_types.json")


def way_of(schema):
    """The treatment in words; empty for the default."""
    if schema.get("type") == "array":
        kind = schema.get("x-kubernetes-list-type")
        if kind == "map":
            return "map by " + " ".join(schema["x-kubernetes-list-map-keys"])
        if kind is None and "merge" in schema.get("x-kubernetes-patch-strategy", ""):
            key = schema.get("x-kubernetes-patch-merge-key")
            return f"map by {key}" if key else "set"
        return kind or "atomic"
    return schema.get("x-kubernetes-map-type")


def ways(api):
    found = {}
    for name, schema in structures(api):
        own = {"": way_of(schema)}
        for field, its in schema.get("properties", {}).items():
            own[field] = way_of(its)
        found[name] = {field: way for field, way in own.items() if way}
    return found


def test_lists_and_maps_are_taken_as_kubernetes_takes_them(api):
    assert not differences(GOLDEN, ways(api))


@pytest.mark.ebb_only
def test_every_list_and_structure_is_looked_at(api):
    """Structures of ebb's own are in no other server; all others have to be in the file."""
    golden = json.loads(GOLDEN.read_text())
    for name, fields in ways(api).items():
        if not name.startswith("io.k8s.api.") or name.endswith("List"):
            continue
        assert set(fields) <= set(golden.get(name, {})), name
