"""Compares OpenAPI structures with a file of the output of a real API server. EBB_E2E_RECORD=1
with `--against kube` updates the structures in the file.
"""

import json
import os

DOCUMENTS = (
    "api/v1",
    "apis/admissionregistration.k8s.io/v1",
    "apis/apps/v1",
    "apis/authentication.k8s.io/v1",
    "apis/authorization.k8s.io/v1",
    "apis/coordination.k8s.io/v1",
)


def structures(api):
    """The name and the schema of each."""
    for document in DOCUMENTS:
        yield from api.get(f"/openapi/v3/{document}")["components"]["schemas"].items()


def differences(path, found):
    """By place: what is said, and what a real server says. `found` has the fields of structures."""
    golden = json.loads(path.read_text())
    if os.environ.get("EBB_E2E_RECORD") == "1":
        golden = {
            name: {field: found[name].get(field) for field in fields}
            for name, fields in golden.items()
        }
        path.write_text(json.dumps(golden, indent=1) + "\n")
    return {
        f"{name}.{field}": (found[name].get(field), wanted)
        for name, fields in golden.items()
        for field, wanted in fields.items()
        if found[name].get(field) != wanted
    }
