"""Server-side apply on the wire: the owners of fields after writes, conflicts, and refusals.

managed_fields.json has the metadata.managedFields that a real API server produces in each story.
EBB_E2E_RECORD=1 with `--against kube` rewrites it.
"""

import json
import os
import pathlib

import pytest
from support.api import APPLY_PATCH, MERGE_PATCH
from support.objects import config_map
from support.owned import APPLIED, STORIES, body

GOLDEN = pathlib.Path(__file__).with_name("managed_fields.json")
RECORD = os.environ.get("EBB_E2E_RECORD") == "1"


def absolute(path, core):
    group, rest = path.split("/", 1)
    namespace = core.rsplit("/", 1)[1]
    roots = {"core": "/api/v1", "apps": "/apis/apps/v1", "leases": "/apis/coordination.k8s.io/v1"}
    return f"{roots[group]}/namespaces/{namespace}/{rest}"


def entries_of(found):
    """The entries of the test's own managers, in order, without times."""
    entries = [dict(entry) for entry in found["metadata"].get("managedFields", [])]
    for entry in entries:
        entry.pop("time", None)
    ours = ("test-", "before-first-apply", "ancient-changes")
    return [entry for entry in entries if entry["manager"].startswith(ours)]


def tell(api, core, steps):
    for method, path, content, content_type, query in steps:
        written = json.dumps(content).replace("NAMESPACE", core.rsplit("/", 1)[1])
        api.ok(method, absolute(path, core), written, content_type=content_type, **query)
    path = absolute(steps[-1][1], core)
    for ending in ("/scale", "/status"):
        path = path.removesuffix(ending)
    return api.get(path if path.endswith("/web") else path + "/web")


def let_go(api, core, steps):
    path = absolute(steps[0][1], core)
    path = path if path.endswith("/web") else path + "/web"
    api.request("PATCH", path, {"metadata": {"finalizers": None}}, content_type=MERGE_PATCH)


@pytest.mark.parametrize("story", STORIES)
def test_managed_fields_are_those_of_kubernetes(api, core, story):
    entries = entries_of(tell(api, core, STORIES[story]))
    let_go(api, core, STORIES[story])
    # Entries of the same second are sorted by name, others by time.
    entries.sort(key=lambda e: (e["operation"], e["manager"], e.get("subresource", "")))
    if RECORD:
        golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
        golden[story] = entries
        ordered = {name: golden[name] for name in STORIES if name in golden}
        GOLDEN.write_text(json.dumps(ordered, indent=1) + "\n")
    expected = json.loads(GOLDEN.read_text())[story]
    # As text: the order of steps counts.
    assert json.dumps(entries, indent=1) == json.dumps(expected, indent=1)


def applied(api, path, configuration, manager="test-apply", content_type=APPLY_PATCH, **query):
    return api.request(
        "PATCH", path, configuration, content_type=content_type, fieldManager=manager, **query
    )


def named(kind, name, api_version="v1", **metadata):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **metadata}}


def test_applying_creates_and_applying_again_writes_nothing(api, core):
    path = f"{core}/configmaps/c"
    first = applied(api, path, body("ConfigMap", "c", data={"a": "1"}))
    assert first.code == 201
    again = applied(api, path, body("ConfigMap", "c", data={"a": "1"}))
    assert (again.code, again.json) == (200, first.json)


def test_yaml_is_taken_as_well_as_json(api, core):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: 'on'\n"
    made = applied(api, f"{core}/configmaps/c", text)
    assert (made.code, made.json["data"]) == (201, {"a": "on"})


def test_a_dry_run_answers_and_stores_nothing(api, core):
    made = applied(api, f"{core}/configmaps/c", body("ConfigMap", "c"), dryRun="All")
    assert made.code == 201
    assert api.request("GET", f"{core}/configmaps/c").code == 404


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"manager": None}, "fieldManager: Required value: is required for apply patch"),
        ({"manager": "x" * 129}, "fieldManager: Too long: may not be more than 128 bytes"),
        (
            {"manager": "a\tb"},
            'fieldManager: Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
        ),
        (
            {"content_type": MERGE_PATCH, "force": "true"},
            "force: Forbidden: may not be specified for non-apply patch",
        ),
    ],
)
def test_options_of_apply_are_checked(api, core, query, message):
    refused = applied(api, f"{core}/configmaps/c", named("ConfigMap", "c"), **query)
    assert refused.code == 422
    assert refused.json["message"] == f'PatchOptions.meta.k8s.io "" is invalid: {message}'


def test_cbor_is_refused(api, core):
    refused = applied(
        api, f"{core}/configmaps/c", b"\xa0", content_type="application/apply-patch+cbor"
    )
    assert refused.code == 415


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ({"kind": "ConfigMap"}, "invalid object type: /, Kind=ConfigMap"),
        ({"apiVersion": "v1"}, "invalid object type: /v1, Kind="),
        ("", "invalid object type: /, Kind="),
        (named("Secret", "c"), "invalid object type: /v1, Kind=Secret"),
        (named("ConfigMap", "c", "v2"), "invalid object type: /v2, Kind=ConfigMap"),
        (named("ConfigMap", "c", managedFields=[]), "metadata.managedFields must be nil"),
        (
            named("ConfigMap", "d"),
            "the name of the object (d) does not match the name on the URL (c)",
        ),
        (
            named("ConfigMap", "c", namespace="elsewhere"),
            "the namespace of the provided object does not match the namespace sent on the request",
        ),
        (
            "[1]",
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot "
            "unmarshal array into Go value of type map[string]interface {}",
        ),
    ],
)
def test_what_is_applied_must_be_what_the_path_names(api, core, configuration, message):
    applied(api, f"{core}/configmaps/c", named("ConfigMap", "c"))
    refused = applied(api, f"{core}/configmaps/c", configuration)
    assert (refused.code, refused.json["message"]) == (400, message)


def spec(**fields):
    return {**named("Deployment", "web", "apps/v1"), "spec": fields}


def containers(*entries):
    return spec(template={"spec": {"containers": list(entries)}})


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (spec(foo=1), ".spec.foo: field not declared in schema"),
        (spec(replicas="x"), ".spec.replicas: expected numeric (int or float), got string"),
        (spec(paused="x"), ".spec.paused: expected boolean, got &{x}"),
        (spec(template=[1]), ".spec.template: expected map, got &{[1]}"),
        (spec(selector="x"), ".spec.selector: expected map, got &{x}"),
        (
            named("Deployment", "web", "apps/v1", finalizers=["a/b", "a/b"]),
            '.metadata.finalizers: duplicate entries for key [="a/b"]',
        ),
        (
            containers({"name": "c"}, {"name": "c"}),
            '.spec.template.spec.containers: duplicate entries for key [name="c"]',
        ),
        (
            containers({"name": "c", "ports": [{"containerPort": 80}, {"containerPort": 80}]}),
            '.spec.template.spec.containers[name="c"].ports: duplicate entries for key '
            '[containerPort=80,protocol="TCP"]',
        ),
        (
            containers("x"),
            ".spec.template.spec.containers: element 0: associative list with keys may not have "
            "non-map elements",
        ),
    ],
)
def test_a_configuration_must_follow_the_schema(api, apps, configuration, message):
    refused = applied(api, f"{apps}/deployments/web", configuration)
    assert refused.code == 500
    assert refused.json["message"] == (
        f"failed to create typed patch object (/web; apps/v1, Kind=Deployment): {message}"
    )


def test_a_conflict_names_the_manager_and_the_field(api, apps):
    path = f"{apps}/deployments/web"
    applied(api, path, APPLIED)
    more = {**APPLIED, "spec": {**APPLIED["spec"], "replicas": 4}}
    refused = applied(api, path, more, "test-second")
    assert refused.code == 409
    assert refused.json["reason"] == "Conflict"
    assert (
        refused.json["message"]
        == 'Apply failed with 1 conflict: conflict with "test-apply": .spec.replicas'
    )
    assert refused.json["details"] == {
        "causes": [
            {
                "reason": "FieldManagerConflict",
                "message": 'conflict with "test-apply"',
                "field": ".spec.replicas",
            }
        ]
    }
    more["spec"]["template"] = json.loads(
        json.dumps(APPLIED["spec"]["template"]).replace("web:1", "web:2")
    )
    refused = applied(api, path, more, "test-second")
    assert refused.json["message"] == (
        'Apply failed with 2 conflicts: conflicts with "test-apply":\n'
        '- .spec.replicas\n- .spec.template.spec.containers[name="main"].image'
    )
    assert applied(api, path, more, "test-second", force="true").code == 200


def test_conflicts_tell_updates_and_subresources(api, apps):
    path = f"{apps}/deployments/web"
    applied(api, path, APPLIED)
    api.patch(f"{path}/scale", {"spec": {"replicas": 5}}, fieldManager="test-scale")
    refused = applied(api, path, APPLIED)
    assert refused.json["message"] == (
        'Apply failed with 1 conflict: conflict with "test-scale" with subresource "scale" '
        "using apps/v1: .spec.replicas"
    )


def test_a_revision_in_a_configuration_must_be_the_last(api, core):
    path = f"{core}/configmaps/c"
    made = applied(api, path, body("ConfigMap", "c", data={"a": "1"})).json
    revision = made["metadata"]["resourceVersion"]
    changed = {**named("ConfigMap", "c", resourceVersion=revision), "data": {"a": "2"}}
    assert applied(api, path, changed).code == 200
    refused = applied(api, path, changed)
    assert refused.code == 409
    assert "the object has been modified" in refused.json["message"]


def test_a_uid_in_a_configuration_must_be_the_objects(api, core):
    refused = applied(api, f"{core}/configmaps/c", named("ConfigMap", "c", uid="u"))
    assert refused.code == 409
    assert refused.json["message"] == (
        'Operation cannot be fulfilled on configmaps "c": uid mismatch: the provided object '
        "specified uid u, and no existing object was found"
    )


def test_subresources_are_not_created(api, apps):
    for ending, configuration in (
        ("status", named("Deployment", "no", "apps/v1")),
        ("scale", named("Scale", "no", "autoscaling/v1")),
    ):
        refused = applied(api, f"{apps}/deployments/no/{ending}", configuration)
        assert (refused.code, refused.json["message"]) == (
            404,
            'deployments.apps "no" not found',
        )


def test_fields_that_an_applier_drops_are_removed_unless_others_own_them(api, core):
    path = f"{core}/configmaps/c"
    applied(api, path, body("ConfigMap", "c", data={"a": "1", "b": "1", "c": "1"}))
    applied(api, path, body("ConfigMap", "c", data={"b": "1"}), "test-second")
    api.patch(path, {"data": {"d": "1"}}, fieldManager="test-edit")
    left = applied(api, path, body("ConfigMap", "c", data={"a": "1"})).json
    assert left["data"] == {"a": "1", "b": "1", "d": "1"}
    left = applied(api, path, named("ConfigMap", "c")).json
    assert left["data"] == {"b": "1", "d": "1"}


def test_an_update_that_changes_nothing_writes_nothing(api, core):
    made = api.create(f"{core}/configmaps", config_map("c", {"a": "1"}), fieldManager="test-a")
    again = api.update(f"{core}/configmaps/c", made, fieldManager="test-b")
    assert again == made


def test_the_list_of_entries_keeps_its_order_and_times(api, core):
    path = f"{core}/configmaps/c"
    api.create(f"{core}/configmaps", config_map("c", {"a": "1"}), fieldManager="test-z")
    applied(api, path, body("ConfigMap", "c", data={"b": "1"}), "test-y")
    found = api.patch(path, {"data": {"c": "1"}}, fieldManager="test-x")
    entries = found["metadata"]["managedFields"]
    assert [entry["operation"] for entry in entries] == ["Apply", "Update", "Update"]
    assert all(entry["time"].endswith("Z") for entry in entries)
    assert entries == sorted(
        entries, key=lambda entry: (entry["operation"], entry["time"], entry["manager"])
    )
