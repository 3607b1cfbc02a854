"""Scale-downs as DownscaleDecision objects: on kube-apiserver with deploy/crds.yaml and only the
rights of deploy/controller.yaml, and in `ebb up`.
"""

import tempfile

import pytest
from rig.place import Place
from rig.systems import make_system
from support.names import make_namespace
from support.our_kinds import GROUP, serve_our_kinds, take_our_kinds_away
from support.process import eventually

pytestmark = [pytest.mark.own_system("decisions"), pytest.mark.systems("ebb", "up")]

KEPT = 10
WORKLOAD = "ebb.dev/workload=web,ebb.dev/workload-kind=Deployment"


@pytest.fixture(scope="session")
def recording_system(system_name, request):
    """With our kinds installed before the controllers start."""
    folder = tempfile.mkdtemp(prefix=f"decisions-{system_name}-", dir=request.config.logs)
    with make_system(system_name, folder) as system:
        serve_our_kinds(system.server)
        if system.server.real:
            system.controllers.restart({})
        yield system


@pytest.fixture
def place(recording_system, request):
    place = Place(recording_system, make_namespace(recording_system.server.api, request.node.name))
    yield place
    place.api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")


def path(place):
    return f"{GROUP}/namespaces/{place.namespace}/downscaledecisions"


def records(place, selector=None):
    """By the time of the decision."""
    found = place.api.get(path(place), labelSelector=selector)["items"]
    return sorted(found, key=lambda record: record["spec"]["time"])


def wait_records(place, count):
    def check():
        found = records(place)
        assert len(found) == count, f"{len(found)} records, want {count}"
        return found

    return eventually(check, timeout=60)


def scale(place, replicas):
    place.scale("deployments", "web", replicas)
    return place.wait_ready(replicas)


def test_a_scale_down_leaves_a_record(place, kubectl):
    place.deployment("web", 4)
    before = {pod["metadata"]["name"]: pod for pod in place.wait_ready(4)}
    scale(place, 2)
    (record,) = wait_records(place, 1)
    spec = record["spec"]
    (owner,) = place.replica_sets("web")
    name = owner["metadata"]["name"]
    assert record["metadata"]["name"].startswith(f"{name}-")
    assert "ownerReferences" not in record["metadata"]
    assert spec["workload"] == {"kind": "Deployment", "name": "web"}
    assert spec["replicaSet"] == {"name": name, "uid": owner["metadata"]["uid"]}
    assert spec["replicas"] == {"from": 4, "to": 2}
    assert (spec["candidates"], spec["gone"]) == (4, 2)
    assert [victim["position"] for victim in spec["victims"]] == [1, 2]
    gone = set(before) - place.names()
    assert {victim["name"] for victim in spec["victims"]} == gone
    for victim in spec["victims"]:
        pod = before[victim["name"]]
        assert victim["uid"] == pod["metadata"]["uid"]
        assert victim["node"] == pod["spec"]["nodeName"]
        assert victim["because"] and victim["outcome"] == "deleted"
    assert spec["firstKept"] in place.names()
    assert spec["gates"]["PodDeletionCost"] is True
    assert spec["version"]

    (row,) = kubectl("get", "dsd").table()
    shown = {column: row[column] for column in ("WORKLOAD", "FROM", "TO", "GONE")}
    assert shown == {"WORKLOAD": "web", "FROM": "4", "TO": "2", "GONE": "2"}
    assert row["DECIDED-BY"] == spec["decidedBy"]
    assert {"PICKER", "AGE"} <= set(row)
    (wide,) = kubectl("get", "downscaledecisions", "-o", "wide").table()
    assert (wide["KIND"], wide["REPLICASET"]) == ("Deployment", name)
    assert "removal" in kubectl("explain", "downscaledecision.spec.victims").out


def test_the_newest_records_of_a_workload_stay(place):
    place.deployment("web", 1)
    place.deployment("other", 2)
    place.wait_ready(3)
    place.scale("deployments", "other", 1)
    place.wait_ready(2)
    (other,) = wait_records(place, 1)
    ids = []
    for round_number in range(KEPT + 3):
        place.scale("deployments", "web", 2)
        place.wait_ready(3)
        place.scale("deployments", "web", 1)
        place.wait_ready(2)

        def newest():
            found = records(place, WORKLOAD)
            assert found and found[-1]["spec"]["id"] not in ids, f"round {round_number}"
            return found[-1]["spec"]["id"]

        ids.append(eventually(newest, timeout=60))

    def check():
        assert [record["spec"]["id"] for record in records(place, WORKLOAD)] == ids[-KEPT:]
        return True

    eventually(check, timeout=60)
    assert other["metadata"]["uid"] in {r["metadata"]["uid"] for r in records(place)}


def test_records_survive_their_workload(place):
    place.deployment("web", 2)
    place.wait_ready(2)
    scale(place, 1)
    (record,) = wait_records(place, 1)
    place.api.delete(place.path("deployments", "web"))
    place.wait_active(0)
    eventually(lambda: not place.api.get(f"{place.apps}/replicasets")["items"], timeout=60)
    assert [r["metadata"]["uid"] for r in records(place)] == [record["metadata"]["uid"]]


def test_forged_records_go(place):
    """Those of one workload, and no more; what they say does not matter."""
    for number in range(KEPT + 20):
        body = {
            "apiVersion": "ebb.dev/v1alpha1",
            "kind": "DownscaleDecision",
            "metadata": {
                "name": f"forged-{number:03}",
                "labels": {"ebb.dev/workload": "web", "ebb.dev/workload-kind": "Deployment"},
            },
            "spec": {"id": "forged", "time": "2026-01-01T00:00:00.000000Z"},
        }
        place.api.create(path(place), body)
    assert all(r["spec"]["id"] == "forged" for r in wait_records(place, KEPT))


@pytest.mark.systems("ebb")
def test_without_the_kind_scale_downs_go_on(recording_system, place):
    """`ebb up` has the kind built in."""
    controllers = recording_system.controllers
    controllers.stop()
    take_our_kinds_away(recording_system.server)
    missing = "downscaledecisions: the API server answered 404"
    before = controllers.child.output().count(missing)
    controllers.start()
    place.deployment("web", 3)
    place.wait_ready(3)
    scale(place, 1)
    assert len(eventually(lambda: place.events("DownscaleDecision"), timeout=30)) == 1
    assert controllers.child.output().count(missing) == before + 1
    serve_our_kinds(recording_system.server)
