"""Namespaces of tests, named after the tests."""

import re


def make_namespace(api, test_name):
    stem = re.sub(r"[^a-z0-9]+", "-", test_name.lower().removeprefix("test_"))[:40].strip("-")
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": f"{stem}-"}}
    return api.create("/api/v1/namespaces", body)["metadata"]["name"]
