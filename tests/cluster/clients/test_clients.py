"""Users and programs that scale, roll out and drain at the same time."""

import random
import threading
import time

from rig.place import HASH, REVISION
from support.process import eventually


def test_autoscalers_change_the_scale_again_and_again(place, recorder):
    """Two clients, such as an HPA and an impatient user; the last write wins."""
    place.deployment("web", 5)
    place.wait_complete("web", 5)
    rng = random.Random(7)

    def autoscale(sizes):
        for size in sizes:
            place.scale("deployments", "web", size)
            time.sleep(0.1)

    plans = [[rng.randint(1, 15) for _ in range(10)] for _ in range(2)]
    threads = [threading.Thread(target=autoscale, args=(plan,)) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    place.scale("deployments", "web", 4)
    place.wait_complete("web", 4)
    time.sleep(1)
    assert len(place.active()) == 4
    assert len(recorder.before) + len(recorder.created) - len(recorder.leaving) == 4
    assert len(place.replica_sets("web")) == 1


def test_scaling_down_and_up_again_at_once_makes_up_the_difference(place, recorder):
    place.deployment("web", 10)
    place.wait_complete("web", 10)
    place.scale("deployments", "web", 3)
    place.wait_status("deployments", "web", replicas=3)
    place.scale("deployments", "web", 6)
    place.wait_complete("web", 6)
    recorder.expect_exactly(deleted=7, created=13, calm=1)


def test_kubectl_scale(place, kubectl):
    place.deployment("web", 1)
    kubectl("scale", "deployment/web", "--replicas=3")
    kubectl("rollout", "status", "deployment/web", "--timeout=60s")
    place.wait_complete("web", 3)
    kubectl("scale", "deployment/web", "--current-replicas=3", "--replicas=2")
    kubectl.fails("scale", "deployment/web", "--current-replicas=3", "--replicas=7")
    place.wait_complete("web", 2)
    only = place.only_replica_set("web")
    assert kubectl("get", "deployment", "web").table()[0]["READY"] == "2/2"
    assert only["status"]["replicas"] == 2


def test_kubectl_rollout_restart_status_and_undo(place, kubectl):
    place.deployment("web", 3)
    done = kubectl("rollout", "status", "deployment/web", "--timeout=60s")
    assert 'deployment "web" successfully rolled out' in done.out
    before = place.names()
    kubectl("rollout", "restart", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=60s")
    place.wait_complete("web", 3)
    assert not before & place.names()
    first, second = place.replica_sets("web")
    annotations = second["spec"]["template"]["metadata"]["annotations"]
    assert "kubectl.kubernetes.io/restartedAt" in annotations
    assert kubectl("rollout", "history", "deployment/web").out.count("<none>") == 2
    kubectl("rollout", "undo", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=60s")
    place.wait_complete("web", 3)
    assert place.get("deployments", "web")["metadata"]["annotations"][REVISION] == "3"
    hashes = {p["metadata"]["labels"][HASH] for p in place.active()}
    assert hashes == {first["metadata"]["labels"][HASH]}


def test_kubectl_rollout_pause_and_resume(place, kubectl):
    place.deployment("web", 2)
    place.wait_complete("web", 2)
    kubectl("rollout", "pause", "deployment/web")
    place.set_image("web", "registry.example/web:2")
    place.wait_status("deployments", "web", replicas=2)
    assert len(place.replica_sets("web")) == 1
    kubectl("rollout", "resume", "deployment/web")
    kubectl("rollout", "status", "deployment/web", "--timeout=60s")
    assert len(place.replica_sets("web")) == 2


def test_kubectl_rollout_status_reports_a_missed_deadline(place, kubectl):
    never = {"metadata": {"annotations": {"ebb.dev/never-ready": "true"}}}
    place.deployment("web", 1, progressDeadlineSeconds=2, template=never)
    place.wait_condition("deployments", "web", "Progressing", reason="ProgressDeadlineExceeded")
    told = kubectl.fails("rollout", "status", "deployment/web", "--timeout=30s")
    assert 'deployment "web" exceeded its progress deadline' in told.err


def test_kubectl_drain_moves_pods_to_other_nodes(place, kubectl):
    """Only this test's pods, by a label that no other test has: the node is shared."""
    place.deployment("web", 6, labels={"app": place.namespace})
    place.wait_complete("web", 6)
    node = place.nodes_of(place.active()).most_common(1)[0][0]
    try:
        out = kubectl(
            "drain",
            node,
            "--ignore-daemonsets",
            "--delete-emptydir-data",
            "--timeout=60s",
            f"--pod-selector=app={place.namespace}",
        ).out
        assert f"node/{node} drained" in out
        place.wait_complete("web", 6)
        assert node not in place.nodes_of(place.active())
    finally:
        kubectl("uncordon", node)


def test_pods_deleted_by_hand_come_back(place, recorder, kubectl):
    place.deployment("web", 5)
    place.wait_complete("web", 5)
    kubectl("delete", "pods", "--all", "--wait=false")
    eventually(lambda: len(recorder.leaving) == 5, 30)
    place.wait_complete("web", 5)
    recorder.expect_exactly(deleted=5, created=10, calm=1)
