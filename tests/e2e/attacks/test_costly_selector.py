"""A selector with as many requirements as fit into an object, and pods with as many labels."""

import pytest
from support.ebb import QUICK, EbbCluster
from support.objects import pod, replica_set
from support.process import eventually

pytestmark = pytest.mark.ebb_only

SETS = "/apis/apps/v1/namespaces/{}/replicasets"
PODS = "/api/v1/namespaces/{}/pods"
REQUIREMENTS = 25_000
LABELS = 20_000
ORPHANS = 120


def hostile_set():
    absent = [{"key": f"k{i}", "operator": "DoesNotExist"} for i in range(REQUIREMENTS)]
    hostile = replica_set("hostile", labels={"zz": "a"})
    last = {"key": "zz", "operator": "In", "values": ["a"]}
    hostile["spec"]["selector"] = {"matchExpressions": [*absent, last]}
    return hostile


def active(api, namespace):
    pods = api.get(PODS.format(namespace))["items"]
    return [p for p in pods if "deletionTimestamp" not in p["metadata"]]


def test_other_tenants_are_served(tmp_path):
    with EbbCluster(tmp_path / "up", "--nodes=1x1", *QUICK) as cluster:
        api = cluster.api
        for name in ("hostile", "calm"):
            api.create("/api/v1/namespaces", {"metadata": {"name": name}})
        api.create(SETS.format("calm"), replica_set("web", 3))
        eventually(lambda: len(active(api, "calm")) == 3, timeout=30)
        api.create(SETS.format("hostile"), hostile_set())
        labels = {f"l{i}": "" for i in range(LABELS)}
        for i in range(ORPHANS):
            api.create(PODS.format("hostile"), pod(f"p{i}", labels={**labels, "u": str(i)}))
        scale = f"{SETS.format('calm')}/web/scale"
        api.patch(scale, {"spec": {"replicas": 1}})
        eventually(lambda: len(active(api, "calm")) == 1, timeout=20)
        assert "ebb supports at most 256" in cluster.child.output()
