"""The pods that a ReplicaSet adopts and releases."""

import pytest
from rig.place import NOWHERE, by_hand, controller_of
from support.objects import config_map, owner_reference, pod
from support.process import eventually


def reference(owner, controller):
    return {**owner_reference(owner), "controller": controller}


# What a pod with matching labels says about its owner, and whether the set takes it.
SHAPES = {
    "its-own-controller-reference": (lambda own, other: [owner_reference(own)], True),
    "its-own-reference-without-controller": (lambda own, other: [reference(own, False)], True),
    "no-reference": (lambda own, other: [], True),
    "the-reference-of-another-controller": (lambda own, other: [reference(other, True)], False),
}


@pytest.fixture
def other(place):
    """Another owner of pods. It exists, so the garbage collector does not delete the pods."""
    return place.api.create(f"{place.core}/configmaps", config_map("other"))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_matching_pod_is_adopted_unless_it_has_a_controller(place, recorder, other, shape):
    references, taken = SHAPES[shape]
    owner = place.replica_set("web", 1, **by_hand({"app": "web"}))
    place.wait_status("replicasets", "web", replicas=1)
    thing = pod("loose", {"app": "web"}, **NOWHERE)
    thing["metadata"]["ownerReferences"] = references(owner, other)
    uid = place.api.create(place.pods_path, thing)["metadata"]["uid"]
    # One that is taken is one too many, so one of the two has to go.
    recorder.expect_exactly(deleted=1 if taken else 0, created=2, calm=1)
    assert recorder.owners[uid] == (owner if taken else other)["metadata"]["uid"]
    place.wait_status("replicasets", "web", replicas=1)


def test_a_pod_whose_labels_change_is_released_and_replaced_then_taken_back(place, recorder):
    owner = place.replica_set("web", 2)
    first, _ = place.wait_ready(2)
    name = first["metadata"]["name"]
    place.patch("pods", name, {"metadata": {"labels": {"app": "elsewhere"}}})
    eventually(lambda: controller_of(place.get("pods", name)) is None, 30)
    place.wait_ready(2, "app=web")
    place.patch("pods", name, {"metadata": {"labels": {"app": "web"}}})
    recorder.expect_exactly(deleted=1, created=3, calm=1)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)
    assert len([p for p in place.owned(owner) if "deletionTimestamp" not in p["metadata"]]) == 2


@pytest.mark.parametrize("foreign", [True, False], ids=["of-another", "of-its-own"])
def test_adoption_adds_to_references_that_do_not_control(place, other, foreign):
    owner = place.replica_set("web", 1)
    (made,) = place.wait_ready(1)
    name = made["metadata"]["name"]
    value = [reference(other if foreign else owner, False)]
    operation = {"op": "replace", "path": "/metadata/ownerReferences", "value": value}
    place.json_patch("pods", name, operation)

    def adopted():
        found = place.get("pods", name)["metadata"]["ownerReferences"]
        assert len(found) == (2 if foreign else 1), found
        controlling = [r["uid"] for r in found if r.get("controller")]
        assert controlling == [owner["metadata"]["uid"]]
        return True

    eventually(adopted, 30)
    place.wait_status("replicasets", "web", replicas=1)


def test_a_matching_pod_is_adopted_instead_of_making_one(place, recorder, caches_catch_up):
    place.api.create(place.pods_path, pod("loose", {"app": "web"}))
    place.wait_active(1)
    caches_catch_up()
    owner = place.replica_set("web", 1)
    place.wait_status("replicasets", "web", replicas=1, readyReplicas=1)
    assert [p["metadata"]["name"] for p in place.owned(owner)] == ["loose"]
    recorder.expect_exactly(deleted=0, created=1, calm=1)


def test_a_terminating_pod_is_not_adopted(place):
    thing = pod("loose", {"app": "web"})
    thing["metadata"]["finalizers"] = ["ebb.dev/test"]
    place.api.create(place.pods_path, thing)
    place.api.delete(place.path("pods", "loose"))
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", replicas=1, readyReplicas=1)
    assert controller_of(place.get("pods", "loose")) is None
    assert len(place.pods()) == 2
