"""ebb beside other controllers of the same objects: the stock ones, a second deployment of ebb,
and a tenant that forges the signs of one. ebb acts only while it is the only one, and says why
it does not act.
"""

import contextlib
import re
import time

import pytest
from rig.controllers import ASSUME_SOLE, OurControllers
from rig.recorder import PodRecorder
from support.kubectl import Kubectl
from support.kube_api_server import TOOLS
from support.objects import owner_reference, pod
from support.process import eventually

pytestmark = [
    pytest.mark.own_system("attacks"),
    pytest.mark.systems("ebb", "up"),
    pytest.mark.timeout(400),
]

SETS = "/apis/apps/v1/namespaces/kube-system/replicasets"
CANARY = f"{SETS}/ebb-controller-canary"
ROLE = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/ebb-controller"
# As short as it can be.
QUICK = (
    "--take-over-wait=10s",
    "--leader-elect-lease-duration=15s",
    "--leader-elect-renew-deadline=10s",
    "--leader-elect-retry-period=1s",
)
CONTROLLERS = ("replicaset-controller", "deployment-controller")


class AsAdministrator(OurControllers):
    """For a second deployment, whose names the deployed role does not have."""

    def kubeconfig(self):
        return self.server.kubeconfig


@contextlib.contextmanager
def guarded(arena, kind=OurControllers, flags=()):
    """ebb as it is by default; it gives its lease back in the end, for the next test."""
    ours = kind(arena.server, arena.folder, leader_elect=True, guard=True, flags=(*QUICK, *flags))
    with ours:
        yield ours
        if ours.child.running():
            assert ours.stop() == 0, ours.child.output()[-3000:]


def metric(ours, name, **labels):
    """The sum of what has these labels; 0 if there is none."""
    code, text = ours.get("/metrics")
    assert code == 200
    total = 0.0
    for line in text.splitlines():
        found = re.fullmatch(rf"{name}(?:{{(.*)}})? (\S+)", line)
        if found and all(f'{k}="{v}"' in (found[1] or "") for k, v in labels.items()):
            total += float(found[2])
    return total


def acting(ours):
    return [metric(ours, "ebb_controller_acting", controller=name) for name in CONTROLLERS]


def deletes(ours):
    """That it has sent: of pods, because a canary that replicas share stays."""
    return metric(ours, "rest_client_requests_total", method="DELETE")


def wait_not_acting(ours, why, timeout=60):
    """Until it says so; returns what /readyz says."""

    def check():
        assert ours.child.running(), ours.child.output()[-3000:]
        answer = ours.get("/readyz")
        assert answer and answer[0] == 503, answer
        assert why in answer[1], answer[1]
        return answer[1]

    return eventually(check, timeout=timeout)


def wait_acting(ours, timeout=120):
    def check():
        assert ours.child.running(), ours.child.output()[-3000:]
        assert ours.get("/readyz") == (200, "ok"), ours.get("/readyz")
        return acting(ours) == [1, 1]

    eventually(check, timeout=timeout)


def scale_exactly(place, name, replicas, timeout=120):
    """A ReplicaSet to this size: exactly the surplus goes, exactly what is missing comes."""
    before = place.get("replicasets", name)["spec"]["replicas"]
    place.wait_ready(before, f"app={name}")
    with PodRecorder(place.api, place.namespace) as recorder:
        place.scale("replicasets", name, replicas)
        recorder.expect_exactly(
            max(0, before - replicas), max(0, replicas - before), timeout=timeout
        )
    place.wait_ready(replicas, f"app={name}")


def test_the_stock_controllers_are_there_leave_and_come_back(arena, arena_place):
    place = arena_place
    with arena.make("stock") as stock, guarded(arena) as ours:
        place.replica_set("web", 40)
        place.wait_ready(40)

        text = wait_not_acting(ours, "another controller of replicasets is acting")
        assert "[-]replicaset-controller does not act: " in text
        assert "kube-controller-manager with --controllers=*,-replicaset-controller" in text
        assert "[-]deployment-controller does not act: " in text
        assert ours.get("/livez") == (200, "ok")
        assert acting(ours) == [0, 0]
        scale_exactly(place, "web", 20)
        scale_exactly(place, "web", 40)
        time.sleep(15)  # longer than it would wait for a controller that is not there
        assert acting(ours) == [0, 0]
        assert deletes(ours) == 0
        assert ours.get("/decisions") == (200, "[]\n")
        log = ours.child.output()
        assert "another controller of replicasets is acting" in log
        assert log.count("replicaset-controller does not act") < 6, "it repeats itself"
        eventually(lambda: canary_events(place, "NotActing"), timeout=30)

        stock.kill()
        wait_acting(ours)
        eventually(lambda: canary_events(place, "Acting"), timeout=30)
        scale_exactly(place, "web", 20)
        scale_exactly(place, "web", 40)
        assert metric(ours, "ebb_decisions_total") >= 1

        acknowledged = place.api.get(CANARY)["metadata"]["generation"]
        with arena.make("stock"):
            eventually(lambda: observed(place) >= acknowledged, timeout=60)
            wait_not_acting(ours, "another controller of replicasets is acting")
            time.sleep(5)
            sent = deletes(ours)
            scale_exactly(place, "web", 20)
            scale_exactly(place, "web", 40)
            assert deletes(ours) == sent
            assert acting(ours) == [0, 0]
        wait_acting(ours)


def observed(place):
    return place.api.get(CANARY)["status"].get("observedGeneration", 0)


def canary_events(place, reason):
    events = place.api.get("/api/v1/namespaces/kube-system/events")["items"]
    return [
        e
        for e in events
        if e["reason"] == reason and e["involvedObject"]["name"] == "ebb-controller-canary"
    ]


def test_the_event_is_in_describe(arena, arena_place, tmp_path):
    with guarded(arena) as ours:
        wait_acting(ours)
        eventually(lambda: canary_events(arena_place, "Acting"), timeout=30)
        server = arena.server
        kubectl = Kubectl(str(TOOLS / "kubectl"), 36, server.kubeconfig, tmp_path, "kube-system")
        text = kubectl("describe", "replicaset", "ebb-controller-canary").out
        assert re.search(r"Normal +Acting .*replicaset-controller", text), text


def test_two_deployments_of_ebb_do_not_act_both(arena, arena_place):
    place = arena_place
    other = ("--leader-elect-resource-name=ebb-other",)
    with guarded(arena) as first:
        wait_acting(first)
        place.replica_set("web", 30)
        place.wait_ready(30)
        with guarded(arena, AsAdministrator, other) as second:
            wait_not_acting(second, "another controller of replicasets is acting")
            time.sleep(20)
            assert acting(second) == [0, 0]
            assert acting(first) == [1, 1]
            scale_exactly(place, "web", 15)
            scale_exactly(place, "web", 30)
            assert metric(second, "ebb_decisions_total") == 0
            assert first.stop() == 0
            wait_acting(second)
            scale_exactly(place, "web", 15)
            assert metric(second, "ebb_decisions_total") >= 1


def test_a_tenant_cannot_stop_ebb(arena, arena_place):
    """A pod that claims to belong to a ReplicaSet, a status that ebb did not write, and canaries
    like ebb's own in a namespace of the tenant."""
    place = arena_place
    with guarded(arena) as ours:
        wait_acting(ours)
        mine = place.replica_set("mine", 3)
        place.replica_set("victim", 20)
        place.wait_ready(23)

        canary = place.api.get(CANARY)
        fake = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": "ebb-controller-canary",
                "labels": canary["metadata"].get("labels", {}),
                "annotations": canary["metadata"].get("annotations", {}),
            },
            "spec": canary["spec"],
        }
        place.api.create(f"{place.apps}/replicasets", fake)
        status = {"status": {"replicas": 0, "observedGeneration": 1}}
        place.patch("replicasets", "ebb-controller-canary", status, subresource="/status")

        for number in range(5):
            forged = pod(f"forged-{number}", {"app": "mine"}, owner=mine)
            place.api.create(place.pods_path, forged)
            status = {"status": {"replicas": 90 + number}}
            place.patch("replicasets", "mine", status, subresource="/status")
            scale_victim(place, 10 if number % 2 == 0 else 20)
            assert ours.get("/readyz") == (200, "ok")
        # It is left alone for a moment only.
        place.wait_active(3, "app=mine", timeout=120)
        assert acting(ours) == [1, 1]


def scale_victim(place, replicas):
    place.scale("replicasets", "victim", replicas)
    place.wait_ready(replicas, "app=victim", timeout=120)


@pytest.mark.systems("ebb")
def test_without_the_right_to_the_canary_it_does_not_start(arena, arena_place):
    place = arena_place
    role = place.api.get(ROLE)
    rules = [rule for rule in role["rules"] if "apps" not in rule["apiGroups"]]
    assert rules != role["rules"]
    place.api.patch(ROLE, {"rules": rules})
    canary = "/apis/apps/v1/namespaces/kube-system/deployments/ebb-controller-canary"
    place.api.request("DELETE", canary)
    try:
        with guarded(arena) as ours:
            assert ours.child.process.wait(60) == 1, ours.child.output()
            text = ours.child.output()
            assert "error: " in text
            assert "deployments" in text
            assert "kube-system" in text
            assert ASSUME_SOLE in text
        with arena.make("ebb", leader_elect=True, flags=QUICK) as ours:
            eventually(ours.ready, timeout=60)
            assert ours.stop() == 0
    finally:
        place.api.patch(ROLE, {"rules": role["rules"]})
