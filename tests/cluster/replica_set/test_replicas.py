"""A ReplicaSet has the desired number of pods."""

import pytest
from rig.place import by_hand, controller_of
from support.objects import owner_reference, pod
from support.process import eventually


def test_pods_follow_every_change_of_replicas(place):
    place.replica_set("web", 2)
    for wanted in (2, 3, 0, 2):
        place.patch("replicasets", "web", {"spec": {"replicas": wanted}})
        place.wait_status("replicasets", "web", replicas=wanted, readyReplicas=wanted)
        assert len(place.active()) == wanted


def test_a_changed_template_is_observed_and_replaces_no_pod(place, recorder):
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", readyReplicas=1)
    body = {"spec": {"template": {"metadata": {"annotations": {"a": "b"}}}}}
    after = place.patch("replicasets", "web", body)
    assert after["metadata"]["generation"] == 2
    place.wait_status("replicasets", "web", readyReplicas=1)
    recorder.expect_exactly(deleted=0, created=1, calm=1)


def test_pods_are_made_as_the_template_says(place):
    template = {
        "metadata": {
            "labels": {"app": "web", "extra": "yes"},
            "annotations": {"note": "a"},
            "finalizers": ["ebb.dev/test"],
        }
    }
    owner = place.replica_set("web", 1, template=template)
    (made,) = place.wait_ready(1)
    assert made["metadata"]["generateName"] == "web-"
    labels = made["metadata"]["labels"]  # and those that binding adds
    assert (labels["app"], labels["extra"]) == ("web", "yes")
    assert made["metadata"]["annotations"] == {"note": "a"}
    assert made["metadata"]["finalizers"] == ["ebb.dev/test"]
    assert made["metadata"]["ownerReferences"] == [owner_reference(owner)]
    assert made["spec"]["containers"][0]["image"] == "registry.example/web:1"


def test_deleting_and_failed_pods_are_replaced(place):
    labels = {"app": "web"}
    place.replica_set("web", 2, **by_hand(labels, finalizers=["ebb.dev/test"]))
    deleting, failed = place.wait_active(2)
    place.api.delete(place.path("pods", deleting["metadata"]["name"]))
    place.set_status(failed, phase="Failed", ready=False)
    place.wait_active(2)
    assert len(place.pods()) == 4


def test_overlapping_replica_sets_have_their_own_pods(place):
    first = place.replica_set("one", 1, labels={"app": "both"})
    second = place.replica_set("two", 2, labels={"app": "both"})
    place.wait_status("replicasets", "one", replicas=1, readyReplicas=1)
    place.wait_status("replicasets", "two", replicas=2, readyReplicas=2)
    assert len(place.pods()) == 3
    assert (len(place.owned(first)), len(place.owned(second))) == (1, 2)


def test_scale_is_read_and_written_through_its_subresource(place):
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", readyReplicas=1)
    path = place.path("replicasets", "web") + "/scale"

    def put(replicas):
        """Again if the status was written in between: the version counts."""
        scale = place.api.get(path)
        scale["spec"]["replicas"] = replicas
        answer = place.api.request("PUT", path, scale)
        return answer.code == 200 and (answer.json["spec"].get("replicas", 0) == replicas)

    stale = place.api.get(path)
    for wanted in (3, 0):
        eventually(lambda replicas=wanted: put(replicas))
        place.wait_status("replicasets", "web", replicas=wanted)
    assert place.api.get(path)["status"]["selector"] == "app=web"
    stale["spec"]["replicas"] = 7
    assert place.api.request("PUT", path, stale).code == 409
    place.scale("replicasets", "web", 2)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)
    assert place.api.get(path)["status"]["replicas"] == 2


def test_surplus_pods_are_adopted_and_then_deleted(place, recorder, caches_catch_up):
    for number in range(3):
        place.api.create(place.pods_path, pod(f"loose-{number}", {"app": "web"}))
    place.wait_active(3)
    caches_catch_up()
    owner = place.replica_set("web", 2)
    recorder.expect_exactly(deleted=1, created=3, calm=1)
    assert len(place.owned(owner)) == len(place.active()) == 2
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)


def test_no_finalizer_is_added(place):
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", readyReplicas=1)
    assert "finalizers" not in place.get("replicasets", "web")["metadata"]
    assert "finalizers" not in place.pods()[0]["metadata"]


@pytest.mark.parametrize("kind", ["replicasets", "deployments"])
def test_a_selector_cannot_be_changed(place, kind):
    (place.replica_set if kind == "replicasets" else place.deployment)("web")
    labels = {"app": "other"}
    body = {
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}}
    }
    refused = place.api.request(
        "PATCH", place.path(kind, "web"), body, content_type="application/merge-patch+json"
    )
    assert refused.code == 422
    assert "field is immutable" in refused.json["message"]


def test_it_can_be_replaced_and_patched(place):
    place.replica_set("web", 1)
    place.wait_status("replicasets", "web", readyReplicas=1)

    def replace():
        thing = place.get("replicasets", "web")
        thing["spec"]["replicas"] = 3
        thing["metadata"]["labels"]["touched"] = "yes"
        return place.api.request("PUT", place.path("replicasets", "web"), thing).code == 200

    eventually(replace)
    place.wait_status("replicasets", "web", replicas=3, readyReplicas=3)
    body = {"spec": {"replicas": 2, "template": {"spec": {"terminationGracePeriodSeconds": 0}}}}
    place.patch("replicasets", "web", body)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)
    assert place.get("replicasets", "web")["metadata"]["labels"]["touched"] == "yes"


def test_deleting_a_collection_takes_the_pods_along(place):
    for name in ("one", "two", "three"):
        place.replica_set(name, 1, labels={"set": "all", "app": name})
        place.wait_status("replicasets", name, readyReplicas=1)
    path = f"{place.apps}/replicasets"
    assert len(place.api.get(path, labelSelector="set=all")["items"]) == 3
    place.api.delete(path, labelSelector="set=all")
    eventually(lambda: not place.api.get(path)["items"], timeout=30)
    eventually(lambda: not place.pods(), timeout=60)


def test_a_deleted_replica_set_makes_no_more_pods(place, recorder, caches_catch_up):
    # Without the finalizer, the garbage collector may delete the pods before the controller has
    # seen that the ReplicaSet is being deleted, and the controller replaces them.
    place.replica_set("web", 3)
    place.patch("replicasets", "web", {"metadata": {"finalizers": ["example.com/hold"]}})
    place.wait_status("replicasets", "web", readyReplicas=3)
    place.api.delete(place.path("replicasets", "web"), {"propagationPolicy": "Background"})
    caches_catch_up()
    place.api.delete(place.path("pods", min(place.names())))
    place.wait_active(2)
    caches_catch_up()
    recorder.expect_exactly(deleted=1, created=3, calm=1)

    place.patch("replicasets", "web", {"metadata": {"finalizers": None}})
    eventually(lambda: place.api.request("GET", place.path("replicasets", "web")).code == 404, 60)
    eventually(lambda: not place.pods(), timeout=60)
    recorder.expect_exactly(deleted=3, created=3, calm=1)


def test_a_successor_of_the_same_name_starts_clean(place, recorder, caches_catch_up):
    place.replica_set("web", 3)
    place.wait_status("replicasets", "web", readyReplicas=3)
    place.api.delete(place.path("replicasets", "web"), {"propagationPolicy": "Orphan"})
    eventually(lambda: place.api.request("GET", place.path("replicasets", "web")).code == 404, 30)
    caches_catch_up()  # or the successor is synced before its pods are seen to be orphans
    owner = place.replica_set("web", 4)
    place.wait_status("replicasets", "web", replicas=4, readyReplicas=4)
    recorder.expect_exactly(deleted=0, created=4, calm=1)
    assert len(place.owned(owner)) == 4


def test_a_thousand_pods_are_made_and_taken_away_in_bursts(place, recorder):
    place.replica_set("web", 0, **by_hand({"app": "web"}))
    place.scale("replicasets", "web", 1000)
    place.wait_status("replicasets", "web", replicas=1000, timeout=120)
    place.scale("replicasets", "web", 300)
    place.wait_status("replicasets", "web", replicas=300, timeout=120)
    recorder.expect_exactly(deleted=700, created=1000, calm=1)


def test_every_pod_of_a_busy_namespace_has_an_owner(place):
    """Twenty sets at once, each of its own size."""
    for size in range(20):
        place.replica_set(f"web-{size}", size, **by_hand({"app": f"web-{size}"}))
    for size in range(20):
        place.wait_status("replicasets", f"web-{size}", replicas=size)
    pods = place.pods()
    assert len(pods) == sum(range(20))
    for one in pods:
        assert controller_of(one)["name"] == one["metadata"]["labels"]["app"]
