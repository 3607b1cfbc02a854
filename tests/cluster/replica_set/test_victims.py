"""The pods that go when a ReplicaSet is scaled down."""

import pytest
from rig.place import COST, PREFER, by_hand


def two_running(place, costs=(None, None), labels=(None, None)):
    """Two pods of which the second has restarted, by name.

    Costs and labels are written before the status, so that a controller that counts both as ready
    has seen them: pods and ReplicaSets come on two watches, and either may lag behind the other.
    """
    place.replica_set("web", 2, **by_hand({"app": "web"}))
    pods = place.wait_active(2)
    for restarts, (one, cost, label) in enumerate(zip(pods, costs, labels)):
        name = one["metadata"]["name"]
        if cost is not None:
            place.patch("pods", name, {"metadata": {"annotations": {COST: str(cost)}}})
        if label is not None:
            place.patch("pods", name, {"metadata": {"labels": {label: ""}}})
        place.set_status(one, since=60, restarts=restarts)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)
    return [p["metadata"]["name"] for p in pods]


def survivor(place):
    place.scale("replicasets", "web", 1)
    place.wait_status("replicasets", "web", replicas=1)
    (kept,) = place.active()
    return kept["metadata"]["name"]


def test_the_cheaper_pod_goes_although_the_other_restarted(place):
    _, more = two_running(place, costs=(10, 100))
    assert survivor(place) == more


@pytest.mark.parametrize("cost", [None, 100], ids=["no-costs", "equal-costs"])
def test_without_a_difference_in_cost_the_one_that_restarted_goes(place, cost):
    fewer, _ = two_running(place, costs=(cost, cost))
    assert survivor(place) == fewer


def test_negative_costs_go_before_pods_without_one(place):
    _, more = two_running(place, costs=(-5, None))
    assert survivor(place) == more


@pytest.mark.parametrize(
    "worse",
    [
        {"phase": "Pending", "ready": False},
        {"phase": "Unknown", "ready": False},
        {"ready": False},
    ],
    ids=["pending", "unknown", "not-ready"],
)
def test_a_pod_that_does_not_serve_goes_whatever_its_cost(place, worse):
    place.replica_set("web", 2, **by_hand({"app": "web"}))
    good, bad = [p["metadata"]["name"] for p in place.wait_active(2)]
    place.patch("pods", bad, {"metadata": {"annotations": {COST: "1000"}}})
    place.set_status(bad, since=60, **worse)
    place.set_status(good, since=60)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=1)
    assert survivor(place) == good


def test_the_younger_bucket_goes(place):
    """Ready for a minute against ready for a day: other powers of two."""
    place.replica_set("web", 2, **by_hand({"app": "web"}))
    old, young = [p["metadata"]["name"] for p in place.wait_active(2)]
    place.set_status(old, since=86400)
    place.set_status(young, since=60)
    place.wait_status("replicasets", "web", readyReplicas=2)
    assert survivor(place) == old


def test_the_crowded_node_of_a_deployment_loses_pods(place):
    crowded, quiet = sorted(n["metadata"]["name"] for n in place.api.get("/api/v1/nodes")["items"])[
        :2
    ]
    place.deployment("web", 5, **by_hand({"app": "web"}))
    for one, node in zip(place.wait_active(5), [crowded] * 4 + [quiet]):
        place.bind(one, node)
    place.wait_complete("web", 5)
    place.scale("deployments", "web", 2)
    place.wait_complete("web", 2)
    assert place.nodes_of(place.active()) == {crowded: 1, quiet: 1}


@pytest.mark.systems("ebb", "up")
def test_the_labelled_pod_goes_whatever_its_cost(place):
    _, more = two_running(place, costs=(1000, None), labels=(PREFER, None))
    assert survivor(place) == more


@pytest.mark.systems("ebb")
def test_a_client_that_can_only_patch_pods_can_choose_the_victim(place, kubectl):
    """A label right before `replicas` falls is all that a controller above needs."""
    kubectl("create", "role", "patcher", "--verb=get,patch", "--resource=pods")
    kubectl("create", "rolebinding", "patcher", "--role=patcher", "--user=above")
    fewer, more = two_running(place)
    kubectl("label", "pod", more, f"{PREFER}=", "--as=above")
    refused = kubectl.fails("scale", "replicaset/web", "--replicas=1", "--as=above")
    assert "forbidden" in refused.err.lower()
    assert survivor(place) == fewer
