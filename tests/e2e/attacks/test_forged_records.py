"""A tenant that creates thousands of DownscaleDecisions loses those, and others lose nothing."""

import concurrent.futures

import pytest
from support.ebb import QUICK, EbbCluster, start_controller
from support.objects import deployment
from support.process import eventually

pytestmark = pytest.mark.ebb_only

GROUP = "/apis/ebb.dev/v1alpha1"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
RECORDS = f"{GROUP}/namespaces/default/downscaledecisions"
FORGED = f"{GROUP}/namespaces/mallory/downscaledecisions"
# More than ebb reads of one namespace.
NUMBER = 3000
KEPT = 10


def forge(api, number):
    body = {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "DownscaleDecision",
        "metadata": {
            "name": f"forged-{number:05}",
            "labels": {"ebb.dev/workload": "web", "ebb.dev/workload-kind": "Deployment"},
            "annotations": {"padding": "x" * 2000},
        },
        "spec": {"id": "forged", "consulted": ["x" * 2000]},
    }
    assert api.request("POST", FORGED, body).code == 201


def ready(cluster):
    return cluster.api.get(f"{DEPLOYMENTS}/web").get("status", {}).get("readyReplicas", 0)


def scale(cluster, replicas):
    cluster.api.patch(f"{DEPLOYMENTS}/web/scale", {"spec": {"replicas": replicas}})
    eventually(lambda: ready(cluster) == replicas, timeout=20)


def ids(cluster, path):
    return [record["spec"]["id"] for record in cluster.api.get(path)["items"]]


def test_forged_records_go_and_others_stay(tmp_path):
    with EbbCluster(tmp_path / "up", "--controllers=", *QUICK) as cluster:
        cluster.api.create(
            "/api/v1/namespaces",
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "mallory"}},
        )
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: forge(cluster.api, number), range(NUMBER)))
        controller = start_controller(
            cluster,
            tmp_path,
            "--controllers=replicaset,deployment",
            "--assume-sole-controller",
            "--leader-elect=false",
            "--start-wait=0s",
            "--kube-api-qps=0",
            "--metrics-port=0",
        )
        try:
            cluster.api.create(DEPLOYMENTS, deployment("web", 5))
            eventually(lambda: ready(cluster) == 5, timeout=30)
            scale(cluster, 3)
            (own,) = eventually(lambda: ids(cluster, RECORDS), timeout=30)

            def only_a_few_are_left():
                left = len(ids(cluster, FORGED))
                assert left == KEPT, f"{left} forged records"
                return True

            eventually(only_a_few_are_left, timeout=90, interval=1)
            assert controller.running(), controller.output()
            scale(cluster, 2)
            eventually(lambda: len(ids(cluster, RECORDS)) == 2, timeout=30)
            assert own in ids(cluster, RECORDS)
        finally:
            controller.kill()
