"""The status of a ReplicaSet, and which clients may write it."""

import pytest
from rig.place import by_hand, condition, timestamp
from support.api import JSON_PATCH
from support.process import eventually

LONG_AGO = 2 * 3600


def test_ready_and_available_are_counted_apart(place):
    place.replica_set("web", 3, minReadySeconds=3600, **by_hand({"app": "web"}))
    first, second, _ = place.wait_active(3)
    place.set_status(first, since=LONG_AGO)
    place.set_status(second, since=0)
    place.wait_status("replicasets", "web", replicas=3, readyReplicas=2, availableReplicas=1)


def test_a_ready_pod_becomes_available_when_its_time_has_come(place):
    place.replica_set("web", 1, minReadySeconds=15, **by_hand({"app": "web"}))
    (only,) = place.wait_active(1)
    place.set_status(only)
    place.wait_status("replicasets", "web", readyReplicas=1, availableReplicas=0)
    place.wait_status("replicasets", "web", readyReplicas=1, availableReplicas=1, timeout=45)


def test_pods_without_all_labels_of_the_template_are_not_fully_labeled(place):
    labels = {"app": "web"}
    both = {"metadata": {"labels": {**labels, "extra": "yes"}}}
    place.replica_set("web", 2, labels=labels, template=both)
    first, _ = place.wait_ready(2)
    place.wait_status("replicasets", "web", replicas=2, fullyLabeledReplicas=2)
    place.json_patch(
        "pods", first["metadata"]["name"], {"op": "remove", "path": "/metadata/labels/extra"}
    )
    place.wait_status("replicasets", "web", replicas=2, fullyLabeledReplicas=1)


def test_terminating_pods_are_counted(place):
    held = {"metadata": {"finalizers": ["ebb.dev/test"]}}
    place.replica_set("web", 5, template=held)
    place.wait_ready(5)
    place.wait_status("replicasets", "web", replicas=5, terminatingReplicas=0)
    assert place.get("replicasets", "web")["status"]["terminatingReplicas"] == 0
    place.scale("replicasets", "web", 3)
    place.wait_status("replicasets", "web", replicas=3, terminatingReplicas=2)
    place.release_pods()
    place.wait_status("replicasets", "web", replicas=3, terminatingReplicas=0)


@pytest.mark.systems("stock", "ebb")  # `ebb up` has no ResourceQuota
def test_a_quota_shows_as_replica_failure_until_it_suffices(place):
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "two"},
        "spec": {"hard": {"pods": "2"}},
    }
    place.api.create(f"{place.core}/resourcequotas", quota)
    eventually(
        lambda: (
            place.api.get(f"{place.core}/resourcequotas/two")["status"].get("hard") == {"pods": "2"}
        ),
        30,
    )
    place.replica_set("web", 3)
    failure = place.wait_condition("replicasets", "web", "ReplicaFailure", status="True")
    assert failure["reason"] == "FailedCreate"
    assert "exceeded quota: two" in failure["message"]
    place.wait_status("replicasets", "web", replicas=2)
    event = eventually(lambda: place.events("FailedCreate", "web"), 20)[0]
    assert event["message"].startswith("Error creating: ") and "exceeded quota" in event["message"]
    place.scale("replicasets", "web", 2)
    eventually(lambda: condition(place.get("replicasets", "web"), "ReplicaFailure") is None, 60)


def test_conditions_of_others_survive(place):
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", readyReplicas=1)
    path = place.path("replicasets", "web") + "/status"
    custom = {
        "type": "StatusUpdate",
        "status": "True",
        "reason": "E2E",
        "message": "Set by a test",
        "lastTransitionTime": timestamp(),
    }

    def put():
        thing = place.api.get(path)
        thing["status"].setdefault("conditions", []).append(custom)
        return place.api.request("PUT", path, thing).code == 200

    eventually(put)
    another = {**custom, "type": "StatusPatched"}
    operation = {"op": "add", "path": "/status/conditions/-", "value": another}
    place.api.patch(path, [operation], content_type=JSON_PATCH)
    place.scale("replicasets", "web", 3)
    thing = place.wait_status("replicasets", "web", replicas=3, readyReplicas=3)
    assert [c["type"] for c in thing["status"]["conditions"]] == ["StatusUpdate", "StatusPatched"]


def test_scaling_leaves_events(place):
    """Events are best effort: of three, one may be lost, also by the stock controllers."""

    def told(reason, verb, names):
        found = {e["message"] for e in place.events(reason, "web")}
        wanted = {f"{verb} pod: {name}" for name in names}
        assert found <= wanted and len(found) >= 2, (found, wanted)
        return True

    place.replica_set("web", 4)
    names = {p["metadata"]["name"] for p in place.wait_ready(4)}
    eventually(lambda: told("SuccessfulCreate", "Created", names), 20)
    place.scale("replicasets", "web", 1)
    place.wait_status("replicasets", "web", replicas=1)
    gone = names - place.names()
    eventually(lambda: told("SuccessfulDelete", "Deleted", gone), 20)
    source = place.events("SuccessfulDelete", "web")[0]["source"]["component"]
    assert source == "replicaset-controller"
