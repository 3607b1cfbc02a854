"""JSON patches, where Kubernetes deviates from RFC 6902."""

import pytest
from support.api import JSON_PATCH
from support.objects import config_map

# What happens, the patch, and the data that is left.
APPLIED = {
    "replacing what is not there adds it": (
        [{"op": "replace", "path": "/data/new", "value": "x"}],
        {"k": "v", "new": "x"},
    ),
    "null means absent to a test": (
        [
            {"op": "test", "path": "/data/new", "value": None},
            {"op": "add", "path": "/data/new", "value": "x"},
        ],
        {"k": "v", "new": "x"},
    ),
    "a move takes its source away": (
        [{"op": "move", "from": "/data/k", "path": "/data/new"}],
        {"new": "v"},
    ),
}

REFUSED = {
    "nothing to remove": (422, [{"op": "remove", "path": "/data/none"}]),
    "nothing to move": (422, [{"op": "move", "from": "/data/none", "path": "/data/k"}]),
    "a test that fails": (422, [{"op": "test", "path": "/data/k", "value": "x"}]),
    "no place to add to": (422, [{"op": "add", "path": "/none/x", "value": "x"}]),
    "no place to replace": (422, [{"op": "replace", "path": "/none/x", "value": "x"}]),
    "through a text": (422, [{"op": "add", "path": "/data/k/x", "value": "x"}]),
    "an unknown operation": (422, [{"op": "frob", "path": "/data/k"}]),
    "no operation": (422, [{"path": "/data/k", "value": "x"}]),
    "no path": (422, [{"op": "add", "value": "x"}]),
    "a path that is no text": (400, [{"op": "add", "path": 1, "value": "x"}]),
    "an operation that is no text": (400, [{"op": 1, "path": "/data/k"}]),
    "no list": (400, {"op": "remove", "path": "/data/k"}),
    "no objects": (400, ["remove"]),
}


def change(api, core, patch):
    api.create(f"{core}/configmaps", config_map("a", {"k": "v"}))
    return api.request("PATCH", f"{core}/configmaps/a", patch, content_type=JSON_PATCH)


@pytest.mark.parametrize("name", APPLIED)
def test_applied(api, core, name):
    patch, left = APPLIED[name]
    answer = change(api, core, patch)
    assert answer.code == 200, answer.json
    assert answer.json["data"] == left


@pytest.mark.parametrize("name", REFUSED)
def test_refused(api, core, name):
    code, patch = REFUSED[name]
    answer = change(api, core, patch)
    assert answer.code == code, answer.json
    begins = {
        400: "error decoding patch: ",
        422: "the server rejected our request due to an error in our request",
    }
    assert answer.json["message"].startswith(begins[code])
    assert api.get(f"{core}/configmaps/a")["data"] == {"k": "v"}
