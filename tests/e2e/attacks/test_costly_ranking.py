"""A template with as many anti-affinity terms as fit, and a policy that ranks by them. The limits
are in src/ranking/limits.h; unit tests check the work per turn.
"""

import pytest
from support.ebb import QUICK, EbbCluster
from support.objects import deployment
from support.process import eventually

pytestmark = pytest.mark.ebb_only

CORE = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
POLICIES = "/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies"
TERMS = 300
NAMESPACES = 100
PODS = 60


def hostile_affinity():
    term = {
        "topologyKey": "kubernetes.io/hostname",
        "labelSelector": {"matchLabels": {"app": "hostile"}},
        "namespaces": ["default", *(f"n{i}" for i in range(NAMESPACES))],
    }
    terms = [{"weight": 1 + i % 100, "podAffinityTerm": term} for i in range(TERMS)]
    return {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": terms}}


def policy(name):
    return {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "DownscalePolicy",
        "metadata": {"name": name},
        "spec": {
            "targetRef": {"kind": "Deployment", "name": name},
            "ranking": {"strategies": [{"name": "AntiAffinity"}], "exact": True},
        },
    }


def ranked(api, name):
    status = api.get(f"{POLICIES}/{name}").get("status", {})
    conditions = {c["type"]: c for c in status.get("conditions", [])}
    return conditions.get("Ranked", {"status": "", "message": ""})


def active(api, app):
    pods = api.get(f"{CORE}/pods", labelSelector=f"app={app}")["items"]
    return [p for p in pods if "deletionTimestamp" not in p["metadata"]]


def test_ranking_weighs_what_it_can_and_says_so(tmp_path):
    with EbbCluster(tmp_path / "up", "--nodes=3x2", *QUICK) as cluster:
        api = cluster.api
        hostile = deployment("hostile", PODS)
        hostile["spec"]["template"]["spec"]["affinity"] = hostile_affinity()
        api.create(DEPLOYMENTS, hostile)
        api.create(POLICIES, policy("hostile"))
        api.create(DEPLOYMENTS, deployment("web", 6))
        api.create(POLICIES, policy("web"))
        eventually(lambda: len(active(api, "hostile")) == PODS, timeout=60)
        eventually(lambda: f"{PODS} pods" in ranked(api, "hostile")["message"], timeout=60)
        told = ranked(api, "hostile")
        assert told["status"] == "True", told
        assert "not all anti-affinity terms are weighed: at most 16 of a pod" in told["message"]
        eventually(lambda: ranked(api, "web")["status"] == "True", timeout=30)
        assert "weighed" not in ranked(api, "web")["message"]

        # Both are served while both change.
        for name in ("hostile", "web"):
            api.patch(f"{DEPLOYMENTS}/{name}/scale", {"spec": {"replicas": 3}})
        for name in ("hostile", "web"):
            eventually(lambda name=name: len(active(api, name)) == 3, timeout=60)
