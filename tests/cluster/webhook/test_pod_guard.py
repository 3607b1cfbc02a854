"""deploy/pod-guard.yaml on a real kube-apiserver: ebb's accounts may change of pods what they need,
and nothing else.
"""

import pytest
from support.api import Access, Api
from support.objects import pod
from support.process import eventually

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb")]

COST = "controller.kubernetes.io/pod-deletion-cost"
RANK = "scheduling.alpha.kubernetes.io/cost"

OWN = {
    "deletion cost": {"metadata": {"annotations": {COST: "-5"}}},
    "mark": {"metadata": {"annotations": {"ebb.dev/scale-down": "a 2 -5"}}},
    "both away": {"metadata": {"annotations": {COST: None, "ebb.dev/scale-down": None}}},
    "rank": {"metadata": {"annotations": {RANK: "3"}}},
}
FOREIGN = {
    "image": {"spec": {"containers": [{"name": "web", "image": "registry.example/evil:1"}]}},
    "label": {"metadata": {"labels": {"app": "other"}}},
    "annotation": {"metadata": {"annotations": {"theirs": "changed"}}},
    "annotation away": {"metadata": {"annotations": {"theirs": None}}},
    "new annotation": {"metadata": {"annotations": {"sidecar.istio.io/inject": "true"}}},
    "finalizer": {"metadata": {"finalizers": ["example.com/stay"]}},
}
OWNER = {
    "metadata": {
        "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u-1"}
        ]
    }
}
DRAINING = {"metadata": {"labels": {"ebb.dev/draining": "true"}}}


@pytest.fixture
def path(workload):
    body = pod("one")
    body["metadata"]["annotations"] = {"theirs": "kept"}
    body["metadata"].setdefault("labels", {})["app"] = "web"
    body["spec"]["containers"][0].update(name="web", image="registry.example/web:1")
    workload.api.create(f"{workload.core}/pods", body)
    return f"{workload.core}/pods/one"


def patch(api, path, body):
    return api.request(
        "PATCH", path, body, content_type="application/strategic-merge-patch+json", dryRun="All"
    )


@pytest.mark.parametrize("account", ["webhook", "ranker", "controller"])
def test_changes_of_pods(server, path, account):
    kubeconfig = getattr(server, f"{account}_kubeconfig")
    api = Api(Access.from_kubeconfig(kubeconfig))
    for what, body in OWN.items():
        answer = patch(api, path, body)
        assert answer.code == 200, (what, answer.body)

    def all_refused():
        for what, body in FOREIGN.items():
            answer = patch(api, path, body)
            assert answer.code in (403, 422), (what, answer.code)
            assert b"ebb may" in answer.body, (what, answer.body)
        return True

    # A new policy takes a moment to be in force.
    eventually(all_refused, timeout=30)
    expected = 200 if account == "controller" else 422
    for body in (OWNER, DRAINING):
        assert patch(api, path, body).code == expected


def test_others_are_not_limited(server, path):
    for what, body in {**OWN, **FOREIGN, "owner": OWNER, "draining": DRAINING}.items():
        answer = patch(server.api, path, body)
        assert answer.code == 200, (what, answer.body)
