"""A tenant writes objects that ebb cannot decode, or only with difficulty: bytes that are not UTF-8,
negative counts, percentages beyond all limits. Other workloads are scaled as if they were not
there, and none of them is counted after it is gone.
"""

import pytest
from support.api import PROTOBUF, STRATEGIC_PATCH
from support.names import make_namespace
from support.objects import deployment, pod, replica_set
from support.process import eventually
from support.protobuf import Translator

MARK = "mark-that-is-replaced"
NOT_UTF8 = b"\xff\xfe\xc0" * 7


@pytest.fixture(scope="module")
def translator():
    running = Translator()
    yield running
    running.close()


@pytest.fixture
def tenant(place):
    name = make_namespace(place.api, "tenant")
    yield name
    place.api.request("DELETE", f"/api/v1/namespaces/{name}")


def create_broken_pod(place, translator, namespace, name, labels):
    """Kubernetes does not look at the bytes of a text in protobuf; `ebb up` refuses them."""
    thing = pod(name, labels, {"note": MARK})
    body = translator.encode(thing).replace(MARK.encode(), NOT_UTF8)
    assert NOT_UTF8 in body
    path = f"/api/v1/namespaces/{namespace}/pods"
    answer = place.api.request("POST", path, body, content_type=PROTOBUF, accept=PROTOBUF)
    assert answer.code == (201 if place.system.server.real else 400), answer.body
    return f"{path}/{name}"


def test_other_workloads_are_scaled_beside_undecodable_objects(
    place, recorder, translator, tenant
):
    place.replica_set("web", 6)
    place.wait_ready(6)
    for number in range(3):
        create_broken_pod(place, translator, tenant, f"broken-{number}", {"app": "web"})
    apps = f"/apis/apps/v1/namespaces/{tenant}"
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "9999999999%"}}
    place.api.request("POST", f"{apps}/deployments", deployment("huge", 1, strategy=strategy))
    negative = place.api.create(f"/api/v1/namespaces/{tenant}/pods", pod("negative", {"app": "x"}))
    counted = {"containerStatuses": [{"name": "main", "image": "a", "restartCount": -7}]}
    path = f"/api/v1/namespaces/{tenant}/pods/{negative['metadata']['name']}/status"
    place.api.request("PATCH", path, {"status": counted}, content_type=STRATEGIC_PATCH)
    place.scale("replicasets", "web", 2)
    recorder.expect_exactly(deleted=4, created=6)
    place.wait_status("replicasets", "web", replicas=2, readyReplicas=2)


def test_an_undecodable_pod_does_not_count_after_it_is_gone(place, translator, tenant):
    """It matches the tenant's own ReplicaSet, which may wait for it, but not forever."""
    path = create_broken_pod(place, translator, tenant, "broken", {"app": "own"})
    own = replica_set("own", 3)
    place.api.create(f"/apis/apps/v1/namespaces/{tenant}/replicasets", own)
    place.api.request("DELETE", path, {"gracePeriodSeconds": 0})

    def is_complete():
        found = place.api.get(f"/apis/apps/v1/namespaces/{tenant}/replicasets/own")
        pods = place.api.get(f"/api/v1/namespaces/{tenant}/pods")["items"]
        active = [p for p in pods if "deletionTimestamp" not in p["metadata"]]
        assert (found["status"].get("readyReplicas"), len(active)) == (3, 3), found["status"]
        return True

    eventually(is_complete, timeout=60)
