"""DownscaleDecision objects of `ebb up`: a record for each scale-down."""

import pytest
from support.ebb import QUICK, EbbCluster
from support.kubectl import Kubectl
from support.objects import deployment
from support.process import eventually

pytestmark = pytest.mark.ebb_only

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
RECORDS = "/apis/ebb.dev/v1alpha1/namespaces/default/downscaledecisions"


@pytest.fixture(name="cluster", scope="module")
def a_cluster_with_controllers(tmp_path_factory):
    with EbbCluster(tmp_path_factory.mktemp("records"), *QUICK) as cluster:
        yield cluster


@pytest.fixture(name="kubectl")
def kubectl_in_the_default_namespace(cluster, kubectl_choice, tmp_path):
    minor, binary = kubectl_choice
    return Kubectl(binary, minor, cluster.kubeconfig, tmp_path, "default")


def ready(cluster, name):
    return cluster.api.get(f"{DEPLOYMENTS}/{name}").get("status", {}).get("readyReplicas", 0)


def test_kubectl_shows_the_records_of_a_workload(cluster, kubectl):
    name = f"web-{kubectl.version}"
    cluster.api.create(DEPLOYMENTS, deployment(name, 5))
    eventually(lambda: ready(cluster, name) == 5, timeout=30)
    kubectl("scale", f"deployment/{name}", "--replicas=3")
    selector = f"--selector=ebb.dev/workload={name}"
    (row,) = eventually(lambda: kubectl("get", "downscaledecisions", selector).table(), timeout=30)
    assert list(row) == [
        "NAME", "WORKLOAD", "FROM", "TO", "GONE", "DECIDED-BY", "PICKER", "AGE",
    ]  # fmt: skip
    assert (row["WORKLOAD"], row["FROM"], row["TO"], row["GONE"]) == (name, "5", "3", "2")
    assert row["PICKER"] == "<none>"
    (wide,) = kubectl("get", "dsd", selector, "-o", "wide").table()
    assert wide["KIND"] == "Deployment"
    assert wide["REPLICASET"].startswith(f"{name}-")
    record = cluster.api.get(f"{RECORDS}/{row['NAME']}")
    assert row["DECIDED-BY"] == record["spec"]["decidedBy"]
    assert len(record["spec"]["victims"]) == 2
    assert "Why the pod was chosen" in kubectl("explain", "dsd.spec.victims.because").out
    assert "because" in kubectl("describe", "dsd", row["NAME"]).out.lower()


def test_the_records_of_a_deleted_deployment_stay(cluster, kubectl):
    name = f"short-{kubectl.version}"
    cluster.api.create(DEPLOYMENTS, deployment(name, 2))
    eventually(lambda: ready(cluster, name) == 2, timeout=30)
    kubectl("scale", f"deployment/{name}", "--replicas=0")
    selector = f"--selector=ebb.dev/workload={name}"
    eventually(lambda: kubectl("get", "dsd", selector).table(), timeout=30)
    kubectl("delete", "deployment", name, "--wait=true")
    assert len(kubectl("get", "dsd", selector).table()) == 1
