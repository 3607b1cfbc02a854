"""Which ReplicaSets a policy means: those of other kinds of owners, as Argo Rollouts has them, and
none if the workload is gone.
"""

import pytest
from support.objects import owner_reference, replica_set
from support.our_kinds import DEFINITIONS
from support.pickers import RecordingPicker
from support.process import eventually
from support.scaled import Workload

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb")]

ROLLOUTS = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "rollouts.argoproj.io"},
    "spec": {
        "group": "argoproj.io",
        "scope": "Namespaced",
        "names": {"plural": "rollouts", "singular": "rollout", "kind": "Rollout"},
        "versions": [
            {
                "name": "v1alpha1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }
        ],
    },
}


@pytest.fixture(scope="module")
def rollouts(server):
    """The path of the kind in a namespace."""
    server.api.create(DEFINITIONS, DEFINITION)
    group = "/apis/argoproj.io/v1alpha1"
    eventually(lambda: server.api.request("GET", f"{group}/rollouts").code == 200, timeout=30)
    yield lambda namespace: f"{group}/namespaces/{namespace}/rollouts"
    server.api.delete(f"{DEFINITIONS}/rollouts.argoproj.io")


def create_owned(workload, rollouts, name, replicas):
    """A ReplicaSet as the controller of Rollouts creates it."""
    body = {**ROLLOUTS, "metadata": {"name": name}}
    owner = workload.api.create(rollouts(workload.namespace), body)
    owned = replica_set(f"{name}-6f7d", replicas, labels={"app": name})
    owned["metadata"]["ownerReferences"] = [owner_reference(owner)]
    workload.api.create(f"{workload.apps}/replicasets", owned)
    return Workload(workload.api, workload.namespace, name)


def by_update(api, path, replicas):
    api.update(path, {**api.get(path), "spec": {**api.get(path)["spec"], "replicas": replicas}})


def by_scale(api, path, replicas):
    api.patch(f"{path}/scale", {"spec": {"replicas": replicas}})


@pytest.mark.parametrize("scale", [by_update, by_scale])
def test_the_owner_is_of_another_kind(webhook, workload, rollouts, pickers, scale):
    picker = pickers(RecordingPicker())
    web, other = (create_owned(workload, rollouts, name, 12) for name in ("web", "other"))
    workload.add_policy(
        "web", picker.http(), kind=ROLLOUTS["kind"], api_version=ROLLOUTS["apiVersion"]
    )
    webhook.wait_registered(workload.namespace)
    for one in (web, other):
        names = one.wait(12)
        scale(workload.api, f"{workload.apps}/replicasets/{one.name}-6f7d", 7)
        left = one.wait(7)
        if one is web:
            assert left == names[5:]
    assert len(picker.requests) == 1
    (decision,) = eventually(lambda: webhook.decisions(workload.namespace))
    assert decision["replicaSet"]["name"] == "web-6f7d"


def test_a_forgotten_policy_means_nothing(webhook, workload, pickers):
    """The calls of its namespace go on; each is let through at once."""
    picker = pickers(RecordingPicker())
    workload.create(4)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    workload.api.delete(f"{workload.apps}/deployments/{workload.name}")
    other = Workload(workload.api, workload.namespace, "other")
    other.create(10)
    unconcerned = 'ebb_webhook_reviews_total{outcome="no policy"}'
    before = webhook.metric(unconcerned)
    assert len(other.scale(6)) == 4
    assert webhook.metric(unconcerned) > before
    assert picker.requests == []
    assert webhook.decisions(workload.namespace) == []
