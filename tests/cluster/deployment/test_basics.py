"""The ReplicaSets that a Deployment creates, keeps and cleans up."""

from rig.place import HASH, REVISION, by_hand, condition, controller_of
from support.objects import replica_set
from support.process import eventually

DESIRED = "deployment.kubernetes.io/desired-replicas"
MAXIMUM = "deployment.kubernetes.io/max-replicas"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def annotate(place, name, **annotations):
    place.patch("deployments", name, {"metadata": {"annotations": annotations}})


def test_a_new_deployment_makes_one_replica_set(place):
    made = place.deployment("web", 2)
    annotate(place, "web", **{"test": "should-copy-to-replica-set", LAST_APPLIED: "should-not"})
    place.wait_complete("web", 2)

    def copied():
        only = place.only_replica_set("web")
        assert only["metadata"]["annotations"].get("test") == "should-copy-to-replica-set"
        return only

    only = eventually(copied, 20)
    annotations = only["metadata"]["annotations"]
    assert LAST_APPLIED not in annotations
    assert annotations[REVISION] == "1"
    assert (annotations[DESIRED], annotations[MAXIMUM]) == ("2", "3")
    value = only["metadata"]["labels"][HASH]
    assert only["metadata"]["name"] == f"web-{value}"
    assert only["spec"]["selector"]["matchLabels"] == {"app": "web", HASH: value}
    assert only["spec"]["template"]["metadata"]["labels"] == {"app": "web", HASH: value}
    assert controller_of(only)["uid"] == made["metadata"]["uid"]
    for pod in place.active():
        assert pod["metadata"]["labels"][HASH] == value
        assert pod["metadata"]["generateName"] == f"web-{value}-"
    assert place.get("deployments", "web")["metadata"]["annotations"][REVISION] == "1"


def test_pods_follow_every_change_of_replicas_without_a_rollout(place):
    place.deployment("web", 2)
    for wanted in (2, 3, 0, 2):
        place.patch("deployments", "web", {"spec": {"replicas": wanted}})
        place.wait_complete("web", wanted)
    only = place.only_replica_set("web")
    assert only["metadata"]["annotations"][REVISION] == "1"
    # An annotation of the Deployment is no change of its template.
    annotate(place, "web", touched="yes")
    place.wait_complete("web", 2)
    assert len(place.replica_sets("web")) == 1


def test_scale_subresource(place):
    place.deployment("web", 1)
    place.wait_complete("web", 1)
    path = place.path("deployments", "web") + "/scale"

    def put(replicas):
        scale = place.api.get(path)
        scale["spec"]["replicas"] = replicas
        return place.api.request("PUT", path, scale).code == 200

    for wanted in (3, 0, 2):
        eventually(lambda replicas=wanted: put(replicas))
        place.wait_complete("web", wanted)
    assert place.api.get(path)["status"] == {"replicas": 2, "selector": "app=web"}


def test_scaling_its_replica_set_behind_its_back_is_undone(place):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    only = place.only_replica_set("web")
    name = only["metadata"]["name"]
    place.scale("replicasets", name, 5)
    eventually(lambda: place.get("replicasets", name)["spec"]["replicas"] == 2, 30)
    place.wait_complete("web", 2)


def test_available_once_pods_were_ready_for_long_enough(place):
    place.deployment("web", 3, minReadySeconds=3600, progressDeadlineSeconds=7200)
    place.wait_status("deployments", "web", readyReplicas=3, availableReplicas=0)
    place.wait_condition(
        "deployments", "web", "Available", status="False", reason="MinimumReplicasUnavailable"
    )
    place.patch("deployments", "web", {"spec": {"minReadySeconds": 1}})
    place.wait_complete("web", 3)
    available = place.wait_condition("deployments", "web", "Available", status="True")
    assert available["reason"] == "MinimumReplicasAvailable"
    assert available["message"] == "Deployment has minimum availability."
    only = place.only_replica_set("web")
    assert only["spec"]["minReadySeconds"] == 1


def test_a_missed_progress_deadline_is_reported_and_recovered_from(place):
    place.deployment("web", 1, progressDeadlineSeconds=3, **by_hand({"app": "web"}))
    (pod,) = place.wait_active(1)
    failed = place.wait_condition("deployments", "web", "Progressing", status="False")
    assert failed["reason"] == "ProgressDeadlineExceeded"
    only = place.only_replica_set("web")
    name = only["metadata"]["name"]
    assert failed["message"] == f'ReplicaSet "{name}" has timed out progressing.'
    place.set_status(pod)
    done = place.wait_condition("deployments", "web", "Progressing", status="True")
    assert done["reason"] == "NewReplicaSetAvailable"
    assert done["message"] == f'ReplicaSet "{name}" has successfully progressed.'


def test_overlapping_deployments_are_independent(place):
    place.deployment("one", 2, labels={"app": "both"})
    place.deployment("two", 3, labels={"app": "both"})
    place.wait_complete("one", 2)
    place.wait_complete("two", 3)
    place.scale("deployments", "one", 4)
    place.wait_complete("one", 4)
    assert place.get("deployments", "two")["status"]["replicas"] == 3
    place.set_image("two", "registry.example/web:2")
    place.wait_complete("two", 3)
    assert len(place.replica_sets("one")) == 1
    assert len(place.active()) == 7


def test_a_hash_that_is_taken_is_avoided(place):
    place.deployment("web", 1)
    place.wait_complete("web", 1)
    first = place.only_replica_set("web")
    # Now no ReplicaSet has the Deployment's template, but the name for it is taken.
    body = {"spec": {"template": {"metadata": {"annotations": {"edited": "yes"}}}}}
    place.patch("replicasets", first["metadata"]["name"], body)

    def collided():
        status = place.get("deployments", "web")["status"]
        assert status.get("collisionCount") == 1, status
        return True

    eventually(collided, 30)
    second = place.new_replica_set("web", 2)
    assert second["metadata"]["labels"][HASH] != first["metadata"]["labels"][HASH]
    place.wait_complete("web", 1)


def test_a_replica_set_whose_labels_change_is_released_and_taken_back(place):
    made = place.deployment("web", 1)
    place.wait_complete("web", 1)
    first = place.only_replica_set("web")
    name = first["metadata"]["name"]
    place.patch("replicasets", name, {"metadata": {"labels": {"app": "elsewhere"}}})
    eventually(lambda: controller_of(place.get("replicasets", name)) is None, 30)

    def replaced():
        now = place.only_replica_set("web")
        return now["metadata"]["labels"][HASH] != first["metadata"]["labels"][HASH]

    eventually(replaced, 30)
    place.patch("replicasets", name, {"metadata": {"labels": {"app": "web"}}})
    eventually(
        lambda: (
            (controller_of(place.get("replicasets", name)) or {}).get("uid")
            == made["metadata"]["uid"]
        ),
        30,
    )


def test_deleting_takes_replica_sets_and_pods_along(place):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    options = {"propagationPolicy": "Foreground"}
    place.api.delete(place.path("deployments", "web"), options)
    eventually(lambda: place.api.request("GET", place.path("deployments", "web")).code == 404, 60)
    assert place.api.get(f"{place.apps}/replicasets")["items"] == []
    assert place.pods() == []


def test_orphaned_replica_sets_are_taken_over_by_a_new_deployment(place, recorder, caches_catch_up):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    first = place.only_replica_set("web")
    place.api.delete(place.path("deployments", "web"), {"propagationPolicy": "Orphan"})
    eventually(lambda: place.api.request("GET", place.path("deployments", "web")).code == 404, 30)
    eventually(
        lambda: controller_of(place.get("replicasets", first["metadata"]["name"])) is None, 30
    )
    caches_catch_up()  # or the Deployment is synced before its ReplicaSet is seen to be an orphan
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    again = place.only_replica_set("web")
    assert again["metadata"]["uid"] == first["metadata"]["uid"]
    recorder.expect_exactly(deleted=0, created=2, calm=1)


def test_existing_replica_sets_are_adopted_by_selector_and_rolled(place):
    old = replica_set("web-controller", 1, labels={"app": "web", HASH: "3546343826"})
    old["metadata"]["annotations"] = {REVISION: "41"}
    place.api.create(f"{place.apps}/replicasets", old)
    place.wait_status("replicasets", "web-controller", readyReplicas=1)
    place.deployment(
        "web", 1, template={"spec": {"containers": [{"name": "main", "image": "a:2"}]}}
    )
    place.wait_complete("web", 1)
    assert place.get("deployments", "web")["metadata"]["annotations"][REVISION] == "42"
    first, second = place.replica_sets("web")
    assert first["metadata"]["name"] == "web-controller"
    assert (first["spec"]["replicas"], second["spec"]["replicas"]) == (0, 1)


def test_without_history_old_replica_sets_are_deleted(place):
    place.deployment("web", 1, revisionHistoryLimit=0)
    place.wait_complete("web", 1)
    place.set_image("web", "registry.example/web:2")
    place.wait_complete("web", 1)

    def cleaned():
        only = place.only_replica_set("web")
        return only["metadata"]["annotations"][REVISION] == "2"

    eventually(cleaned, 30)


def test_history_keeps_as_many_as_it_should(place):
    place.deployment("web", 1, revisionHistoryLimit=2)
    for version in range(2, 7):
        place.wait_complete("web", 1)
        place.set_image("web", f"registry.example/web:{version}")
    place.wait_complete("web", 1)

    def kept():
        revisions = [r["metadata"]["annotations"][REVISION] for r in place.replica_sets("web")]
        assert revisions == ["4", "5", "6"], revisions
        return True

    eventually(kept, 30)


def test_conditions_of_others_survive(place):
    place.deployment("web", 1)
    place.wait_complete("web", 1)
    path = place.path("deployments", "web") + "/status"
    custom = {"type": "StatusUpdate", "status": "True", "reason": "E2E", "message": "of a test"}

    def put():
        thing = place.api.get(path)
        thing["status"]["conditions"].append(custom)
        return place.api.request("PUT", path, thing).code == 200

    eventually(put)
    place.scale("deployments", "web", 2)
    place.wait_complete("web", 2)
    assert condition(place.get("deployments", "web"), "StatusUpdate")["reason"] == "E2E"


def test_scaling_leaves_events(place):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    place.scale("deployments", "web", 1)
    place.wait_complete("web", 1)
    only = place.only_replica_set("web")
    name = only["metadata"]["name"]

    def told():
        events = place.events("ScalingReplicaSet", "web")
        assert {e["message"] for e in events} == {
            f"Scaled up replica set {name} from 0 to 2",
            f"Scaled down replica set {name} from 2 to 1",
        }
        return events

    assert eventually(told, 20)[0]["source"]["component"] == "deployment-controller"
