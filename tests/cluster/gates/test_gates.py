"""Every feature gate off, on and off again on a running system: it has an effect only while it is
on.
"""

import tempfile

import pytest
from rig.place import COST, PREFER, Place, by_hand
from rig.systems import make_system
from support.names import make_namespace
from support.pickers import RecordingPicker
from support.process import eventually

pytestmark = [pytest.mark.own_system("gates"), pytest.mark.systems("ebb", "up")]

RANK = "scheduling.alpha.kubernetes.io/cost"
HOUR = 3600


@pytest.fixture(scope="session")
def gated_system(system_name, request):
    folder = tempfile.mkdtemp(prefix=f"gates-{system_name}-", dir=request.config.logs)
    with make_system(system_name, folder) as system:
        yield system


@pytest.fixture
def place(gated_system, request):
    """With the controllers as they are by default again afterwards."""
    place = Place(gated_system, make_namespace(gated_system.server.api, request.node.name))
    yield place
    place.release_pods()
    place.api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")
    gated_system.controllers.restart({})


def four_pods(place, *pods):
    """Pods a, b, c and d of one set, each with its age, restarts, annotations and labels."""
    place.replica_set("web", 4, **by_hand({"app": "web"}))
    names = {}
    for letter, made, wanted in zip("abcd", place.wait_active(4), pods):
        name = made["metadata"]["name"]
        names[name] = letter
        place.patch("pods", name, {"metadata": wanted.get("metadata", {})})
        place.set_status(made, since=wanted.get("since", 60), restarts=wanted.get("restarts", 0))
    place.wait_status("replicasets", "web", replicas=4, readyReplicas=4)
    return names


def who_goes(place, names, replicas):
    before = place.names()
    place.scale("replicasets", "web", replicas)
    place.wait_status("replicasets", "web", replicas=replicas)
    (gone,) = before - place.names()
    return names[gone]


def off_on_off(place, gate, names):
    """The pods that go with the gate off, then on, then off."""
    gone = ""
    for replicas, on in ((3, False), (2, True), (1, False)):
        place.system.controllers.restart({gate: on})
        gone += who_goes(place, names, replicas)
    return gone


def test_pod_deletion_cost(place):
    cost = [{"annotations": {COST: str(value)}} for value in (100, -10, 50, 0)]
    names = four_pods(
        place,
        {"restarts": 9, "metadata": cost[0]},
        {"restarts": 0, "metadata": cost[1]},
        {"restarts": 8, "metadata": cost[2]},
        {"restarts": 1, "metadata": cost[3]},
    )
    assert off_on_off(place, "PodDeletionCost", names) == "abc"


def test_prefer_for_scale_down(place):
    names = four_pods(
        place,
        {"restarts": 9},
        {"restarts": 0, "metadata": {"labels": {PREFER: ""}}},
        {"restarts": 8},
        {"restarts": 1},
    )
    assert off_on_off(place, "PreferForScaleDown", names) == "abc"


def test_pod_cost_ranking(place):
    """A higher rank goes sooner, and only if all are ranked."""
    rank = [{"annotations": {RANK: str(value)}} for value in (1, 9, 2, 3)]
    names = four_pods(
        place,
        {"restarts": 9, "metadata": rank[0]},
        {"restarts": 0, "metadata": rank[1]},
        {"restarts": 8, "metadata": rank[2]},
        {"restarts": 1, "metadata": rank[3]},
    )
    assert off_on_off(place, "PodCostRanking", names) == "abc"


def test_logarithmic_scale_down(place):
    """Five to nine hours are one bucket, in which restarts decide; off, the youngest goes."""
    names = four_pods(
        place,
        {"since": 5 * HOUR, "restarts": 0},
        {"since": 9 * HOUR, "restarts": 9},
        {"since": 6 * HOUR, "restarts": 1},
        {"since": 7 * HOUR, "restarts": 2},
    )
    assert off_on_off(place, "LogarithmicScaleDown", names) == "abc"


@pytest.mark.parametrize("kind", ["replicasets", "deployments"])
def test_terminating_replicas(place, kind):
    gate = "DeploymentReplicaSetTerminatingReplicas"
    held = {"metadata": {"finalizers": ["ebb.dev/test"]}}
    place.system.controllers.restart({gate: False})
    (place.replica_set if kind == "replicasets" else place.deployment)("web", 5, template=held)
    place.wait_ready(5)
    for pod in place.active()[:2]:
        place.api.delete(place.path("pods", pod["metadata"]["name"]))
    place.wait_ready(5)
    place.wait_status(kind, "web", replicas=5, readyReplicas=5)
    assert len(place.pods()) == 7
    assert "terminatingReplicas" not in place.get(kind, "web")["status"]

    def terminating(wanted):
        status = place.get(kind, "web")["status"]
        assert status.get("terminatingReplicas") == wanted, status
        return True

    place.system.controllers.restart({gate: True})
    eventually(lambda: terminating(2), 30)
    first = next(p for p in place.pods() if "deletionTimestamp" in p["metadata"])
    place.patch("pods", first["metadata"]["name"], {"metadata": {"finalizers": None}})
    eventually(lambda: terminating(1), 30)
    place.system.controllers.restart({gate: False})
    eventually(lambda: terminating(None), 30)


@pytest.mark.systems("up")  # Kubernetes' own API server does not know the field.
def test_downscale_pod_picker_is_handed_on_and_taken_back(place):
    """The Deployment's picker is that of its ReplicaSets, old ones too, and causes no rollout."""
    place.deployment("web", 5)
    place.wait_complete("web", 5)
    place.set_image("web", "registry.example/web:2")
    place.wait_complete("web", 5)

    def pickers(present):
        sets = place.replica_sets("web")
        assert [("downscalePodPicker" in r["spec"]) for r in sets] == [present] * 2
        return True

    with RecordingPicker() as picker:
        place.patch("deployments", "web", {"spec": {"downscalePodPicker": picker.http()}})
        eventually(lambda: pickers(True), 30)
        asked = []
        for replicas, on in ((4, False), (3, True), (2, False)):
            place.system.controllers.restart({"DownscalePodPicker": on})
            place.scale("deployments", "web", replicas)
            place.wait_complete("web", replicas)
            asked.append(len(picker.requests))
        assert asked == [0, 1, 1]
    place.system.controllers.restart({})
    place.patch("deployments", "web", {"spec": {"downscalePodPicker": None}})
    eventually(lambda: pickers(False), 30)
    assert len(place.replica_sets("web")) == 2
