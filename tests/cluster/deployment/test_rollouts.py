"""Rollouts from one template to the next."""

import random
import time

import pytest
from rig.guard import RolloutGuard
from rig.place import HASH, REVISION
from support.process import eventually

DESIRED = "deployment.kubernetes.io/desired-replicas"
MAXIMUM = "deployment.kubernetes.io/max-replicas"

# Pods of this template run and never become ready, as with an image that does not exist.
STUCK = {"template": {"metadata": {"annotations": {"ebb.dev/never-ready": "true"}}}}


def image(version):
    return f"registry.example/web:{version}"


def sizes(place, name):
    return [r["spec"]["replicas"] for r in place.replica_sets(name)]


def rolling(surge, unavailable):
    return {
        "strategy": {
            "type": "RollingUpdate",
            "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable},
        }
    }


def test_a_rolling_update_stays_within_its_bounds_also_when_rolled_over(place):
    place.deployment("web", 20, **rolling("25%", "25%"))
    place.wait_complete("web", 20)
    with RolloutGuard(place, "web", most=25, least=15):
        place.set_image("web", image(2))
        place.wait_complete("web", 20)
        # The third revision starts before the second is done: rollover.
        place.set_image("web", image(3))
        place.new_replica_set("web", 3)
        place.set_image("web", image(4))
        place.wait_complete("web", 20)
    deployment = place.get("deployments", "web")
    assert deployment["metadata"]["annotations"][REVISION] == "4"
    newest = place.replica_sets("web")[-1]
    assert newest["spec"]["template"]["spec"]["containers"][0]["image"] == image(4)


def test_going_back_reuses_the_old_replica_set(place):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    place.set_image("web", image(2))
    place.wait_complete("web", 2)
    place.set_image("web", image(1))
    place.wait_complete("web", 2)
    second, first = place.replica_sets("web")
    annotations = first["metadata"]["annotations"]
    assert (annotations[REVISION], second["metadata"]["annotations"][REVISION]) == ("3", "2")
    assert annotations["deployment.kubernetes.io/revision-history"] == "1"
    assert sizes(place, "web") == [0, 2]


def test_recreate_never_mixes_old_and_new(place):
    place.deployment("web", 3, strategy={"type": "Recreate"})
    place.wait_complete("web", 3)
    with RolloutGuard(place, "web", most=3, least=0, mixed=False):
        place.set_image("web", image(2))
        place.wait_complete("web", 3)


def test_recreate_waits_until_terminating_pods_are_gone(place):
    held = {"metadata": {"finalizers": ["ebb.dev/test"]}}
    place.deployment("web", 6, strategy={"type": "Recreate"}, template=held)
    place.wait_complete("web", 6)
    place.set_image("web", image(2))
    place.wait_active(0)
    place.wait_status("deployments", "web", replicas=0, terminatingReplicas=6)
    assert len(place.replica_sets("web")) == 1
    place.release_pods()
    place.wait_complete("web", 6)
    assert len(place.replica_sets("web")) == 2


def test_while_paused_a_new_template_waits(place):
    place.deployment("web", 1, paused=True)
    place.wait_status("deployments", "web")
    assert place.replica_sets("web") == []
    place.patch("deployments", "web", {"spec": {"paused": False}})
    place.wait_complete("web", 1)
    place.patch("deployments", "web", {"spec": {"paused": True}})
    place.wait_condition("deployments", "web", "Progressing", reason="DeploymentPaused")
    place.set_image("web", image(2))
    place.wait_status("deployments", "web", replicas=1)
    assert len(place.replica_sets("web")) == 1
    place.patch("deployments", "web", {"spec": {"paused": False}})
    place.wait_complete("web", 1)
    assert len(place.replica_sets("web")) == 2


def test_while_paused_it_can_be_scaled(place):
    place.deployment("web", 1)
    place.wait_complete("web", 1)
    place.patch("deployments", "web", {"spec": {"paused": True}})
    place.wait_condition("deployments", "web", "Progressing", reason="DeploymentPaused")
    place.scale("deployments", "web", 10)
    place.wait_status("deployments", "web", replicas=10, readyReplicas=10)
    only = place.only_replica_set("web")
    assert only["metadata"]["annotations"][DESIRED] == "10"


@pytest.mark.parametrize("wanted", [20, 5])
def test_a_stuck_rollout_is_scaled_with_desired_replicas_everywhere(place, wanted):
    place.deployment("web", 10, **rolling(3, 2))
    place.wait_complete("web", 10)
    place.patch("deployments", "web", {"spec": STUCK})
    place.wait_status("deployments", "web", replicas=13, updatedReplicas=5, readyReplicas=8)
    body = {"spec": {"replicas": wanted, "template": {"metadata": {"annotations": {"v": "3"}}}}}
    place.patch("deployments", "web", body)

    def stamped():
        for one in place.replica_sets("web"):
            if one["spec"]["replicas"]:
                assert one["metadata"]["annotations"][DESIRED] == str(wanted)
                assert one["metadata"]["annotations"][MAXIMUM] == str(wanted + 3)
        assert len(place.replica_sets("web")) == 3
        return True

    eventually(stamped, 30)
    place.patch("deployments", "web", {"spec": {"template": {"metadata": {"annotations": None}}}})
    place.wait_complete("web", wanted)


def test_a_stuck_rollout_is_scaled_in_proportion(place):
    place.deployment("web", 10, **rolling(3, 2))
    place.wait_complete("web", 10)
    place.patch("deployments", "web", {"spec": STUCK})
    place.wait_status("deployments", "web", replicas=13, updatedReplicas=5, readyReplicas=8)
    assert sizes(place, "web") == [8, 5]
    place.scale("deployments", "web", 30)

    def grown():
        assert sizes(place, "web") == [20, 13]
        return True

    eventually(grown, 30)


def test_a_large_rollout_is_scaled_in_proportion(place):
    place.deployment("web", 100, **rolling(20, 0))
    place.wait_complete("web", 100, timeout=90)
    place.patch("deployments", "web", {"spec": STUCK})
    place.wait_status("deployments", "web", replicas=120, updatedReplicas=20)
    place.scale("deployments", "web", 120)

    def grown():
        assert sizes(place, "web") == [117, 23]
        return True

    eventually(grown, 30)
    for one in place.replica_sets("web"):
        annotations = one["metadata"]["annotations"]
        assert (annotations[DESIRED], annotations[MAXIMUM]) == ("120", "140")


def test_a_lifecycle_as_a_watcher_sees_it(place):
    path = f"{place.apps}/deployments"
    start = place.api.get(path)["metadata"]["resourceVersion"]
    with place.api.watch(path, resourceVersion=start) as watch:
        place.deployment("web", 1)
        assert watch.next()["type"] == "ADDED"
        watch.until(lambda e: e["object"]["status"].get("readyReplicas") == 1, timeout=30)
        place.scale("deployments", "web", 2)
        watch.until(lambda e: e["object"]["status"].get("readyReplicas") == 2, timeout=30)
        place.set_image("web", image(2))
        watch.until(lambda e: e["object"]["metadata"]["annotations"].get(REVISION) == "2", 30)
        place.wait_complete("web", 2)
        place.api.delete(place.path("deployments", "web"))
        watch.until(lambda e: e["type"] == "DELETED", timeout=30)


@pytest.mark.timeout(400)
def test_twenty_random_steps_end_where_they_should(place):
    """Rollouts, ways back, scaling, pauses and deleted pods in any order."""
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    place.deployment("web", 6, progressDeadlineSeconds=30, revisionHistoryLimit=2)
    replicas, version = 6, 1
    for _ in range(20):
        step = rng.choice(["rollout", "back", "scale", "pause", "resume", "delete"])
        if step == "rollout":
            version += 1
            place.set_image("web", image(version))
        elif step == "back" and version > 1:
            version -= 1
            place.set_image("web", image(version))
        elif step == "scale":
            replicas = rng.randint(1, 12)
            place.scale("deployments", "web", replicas)
        elif step in ("pause", "resume"):
            place.patch("deployments", "web", {"spec": {"paused": step == "pause"}})
        elif step == "delete":
            for pod in place.pods():
                if rng.random() < 0.5:
                    place.api.request("DELETE", place.path("pods", pod["metadata"]["name"]))
        time.sleep(rng.random() / 2)
    place.patch("deployments", "web", {"spec": {"paused": False}})
    place.wait_complete("web", replicas)
    newest = place.replica_sets("web")[-1]
    assert newest["spec"]["template"]["spec"]["containers"][0]["image"] == image(version)
    pods = place.active()
    assert {p["metadata"]["labels"][HASH] for p in pods} == {newest["metadata"]["labels"][HASH]}
    assert len(pods) == replicas
