"""A tenant forges owner references in `ebb up`: they are accepted, as in Kubernetes, and affect no
other workload. The same attacks on a real kube-apiserver are in tests/cluster/attacks."""

import pytest
from support.api import STRATEGIC_PATCH
from support.ebb import QUICK, EbbCluster
from support.forger import Forger, reference
from support.names import make_namespace
from support.objects import deployment, pod
from support.process import eventually

pytestmark = pytest.mark.ebb_only


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with EbbCluster(tmp_path_factory.mktemp("forged"), "--nodes=3x2", *QUICK) as running:
        yield running


@pytest.fixture
def elsewhere(api):
    name = make_namespace(api, "forger")
    with Forger(api, name) as forger:
        yield forger
    api.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def web(api, apps):
    """Three pods, all of them ready, that are recreated together."""
    api.create(f"{apps}/deployments", deployment("web", 3, strategy={"type": "Recreate"}))
    return wait_complete(api, apps, 3)


def wait_complete(api, apps, replicas):
    def check():
        found = api.get(f"{apps}/deployments/web")
        status = found["status"]
        assert status.get("observedGeneration") == found["metadata"]["generation"]
        counts = [status.get(f) for f in ("replicas", "updatedReplicas", "availableReplicas")]
        assert counts == [replicas] * 3, status
        return found

    return eventually(check, timeout=30)


def replica_sets(api, apps):
    return api.get(f"{apps}/replicasets")["items"]


def set_image(api, apps, number):
    containers = [{"name": "main", "image": f"registry.example/web:{number}"}]
    body = {"spec": {"template": {"spec": {"containers": containers}}}}
    api.patch(f"{apps}/deployments/web", body, content_type=STRATEGIC_PATCH)


def test_a_recreated_deployment_does_not_wait_for_foreign_pods(api, apps, web, elsewhere):
    [old] = replica_sets(api, apps)
    for number in range(3):
        elsewhere.pod(f"forged-{number}", reference(old), {"app": "web"})
    set_image(api, apps, 2)
    wait_complete(api, apps, 3)
    assert elsewhere.there() == 3


@pytest.mark.parametrize("wrong", [{"kind": "StatefulSet"}, {"name": "web-not"}], ids=str)
def test_nor_for_pods_beside_it_that_name_another_owner(api, apps, namespace, web, wrong):
    [old] = replica_sets(api, apps)
    with Forger(api, namespace) as forger:
        forger.pod("forged", reference(old, **wrong), {"app": "other"})
        set_image(api, apps, 2)
        wait_complete(api, apps, 3)
        assert forger.there() == 1


def test_a_foreign_replica_set_is_not_part_of_a_rollout(api, apps, core, web, elsewhere):
    elsewhere.replica_set("forged", reference(web), {"app": "web"}, 2)
    for number in (2, 3):
        set_image(api, apps, number)
        wait_complete(api, apps, 3)
    api.patch(f"{apps}/deployments/web/scale", {"spec": {"replicas": 1}})
    wait_complete(api, apps, 1)
    wanted = sorted(r["spec"]["replicas"] for r in replica_sets(api, apps))
    assert wanted == [0, 0, 1]

    def one_left():
        pods = api.get(f"{core}/pods")["items"]
        assert len([p for p in pods if "deletionTimestamp" not in p["metadata"]]) == 1
        return True

    eventually(one_left)


def test_owner_references_are_not_checked(api, core, elsewhere):
    """As in Kubernetes."""
    nowhere = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "none", "uid": "no-such-uid"}
    body = pod("stray", {"app": "stray"})
    body["metadata"]["ownerReferences"] = [{**nowhere, "controller": True}]
    assert api.create(f"{core}/pods", body)["metadata"]["ownerReferences"][0]["uid"] == "no-such-uid"
