"""What Kubernetes tolerates and what it refuses, where clients depend on it."""

import pytest
from support.api import MERGE_PATCH
from support.objects import config_map, deployment


def test_a_collection_is_deleted_in_one_namespace(api, core):
    api.create(f"{core}/configmaps", config_map("a", {}))
    refused = api.request("DELETE", "/api/v1/configmaps", labelSelector="nobody=has-this")
    assert refused.code == 405
    assert api.request("DELETE", f"{core}/configmaps", labelSelector="nobody=has-this").code == 200
    assert api.get(f"{core}/configmaps/a")


def test_an_empty_dry_run_stores_nothing(api, core):
    refused = api.request("POST", f"{core}/configmaps?dryRun=", config_map("a", {}))
    assert refused.code == 422
    assert 'dryRun: Unsupported value: [""]' in refused.json["message"]
    assert api.request("GET", f"{core}/configmaps/a").code == 404


@pytest.mark.parametrize("no", ["False", "FALSE", "false", "0"])
def test_no_is_written_in_many_ways(api, core, no):
    assert api.get(f"{core}/configmaps", watch=no)["kind"] == "ConfigMapList"


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_revision_zero_replaces_whatever_is_there(api, core, method):
    api.create(f"{core}/configmaps", config_map("a", {"k": "v"}))
    body = config_map("a", {"k": "w"})
    body["metadata"]["resourceVersion"] = "0"
    content_type = MERGE_PATCH if method == "PATCH" else None
    changed = api.request(method, f"{core}/configmaps/a", body, content_type=content_type)
    assert changed.code == 200
    assert changed.json["data"] == {"k": "w"}


def test_the_time_of_creation_stays(api, core):
    made = api.create(f"{core}/configmaps", config_map("a", {}))
    body = {"metadata": {"creationTimestamp": "2001-02-03T04:05:06Z"}, "data": {"k": "v"}}
    changed = api.request("PATCH", f"{core}/configmaps/a", body, content_type=MERGE_PATCH)
    assert changed.code == 200
    stays = made["metadata"]["creationTimestamp"]
    assert changed.json["metadata"]["creationTimestamp"] == stays


def test_creating_an_object_that_is_being_deleted_is_refused(api, core):
    body = config_map("a", {})
    body["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/configmaps", body)
    api.request("DELETE", f"{core}/configmaps/a")
    again = api.request("POST", f"{core}/configmaps", config_map("a", {}))
    api.request(
        "PATCH", f"{core}/configmaps/a", {"metadata": {"finalizers": None}}, content_type=MERGE_PATCH
    )
    assert again.code == 409
    assert again.json["message"] == 'object is being deleted: configmaps "a" already exists'


def test_a_namespace_in_a_cluster_scoped_object_is_ignored(api, namespace):
    body = {"metadata": {"name": f"{namespace}-n", "namespace": "other"}}
    made = api.request("POST", "/api/v1/nodes", body)
    api.request("DELETE", f"/api/v1/nodes/{namespace}-n")
    assert made.code == 201
    assert "namespace" not in made.json["metadata"]


def test_the_old_name_of_a_service_account_follows_the_new_one(api, apps):
    body = deployment("web", 0)
    body["spec"]["template"]["spec"]["serviceAccountName"] = "one"
    api.create(f"{apps}/deployments", body)
    change = {"spec": {"template": {"spec": {"serviceAccountName": "two"}}}}
    changed = api.request("PATCH", f"{apps}/deployments/web", change, content_type=MERGE_PATCH)
    assert changed.code == 200
    spec = changed.json["spec"]["template"]["spec"]
    assert (spec["serviceAccountName"], spec["serviceAccount"]) == ("two", "two")
