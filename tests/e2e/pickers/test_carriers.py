"""Where a picker can be configured, and which one takes precedence."""

import uuid

import pytest
from support.objects import owner_reference, replica_set
from support.pickers import RecordingPicker

pytestmark = pytest.mark.ebb_only


def asked(*pickers):
    """Which of them were asked since the last time."""
    names = [i for i, picker in enumerate(pickers) if picker.requests]
    for picker in pickers:
        picker.requests.clear()
    return names


def test_the_field_counts_before_a_policy(workload, pickers):
    field, policy = pickers(RecordingPicker()), pickers(RecordingPicker())
    workload.create(5, field.http())
    workload.add_policy("web", policy.http())
    workload.wait_condition("web", "Ready", "True")
    workload.scale(4)
    assert asked(field, policy) == [0]
    workload.take_field_away()
    workload.scale(3)
    assert asked(field, policy) == [1]
    workload.wait_condition("web", "PickerReachable", "True")
    workload.api.delete(f"{workload.policies}/web")
    workload.scale(2)
    assert asked(field, policy) == []


def test_a_policy_on_the_replica_set_counts_before_one_on_its_deployment(workload, pickers):
    of_deployment, of_set = pickers(RecordingPicker()), pickers(RecordingPicker())
    workload.create(4)
    workload.add_policy("deployment", of_deployment.http())
    set_name = workload.replica_set()["metadata"]["name"]
    workload.add_policy("set", of_set.http(), kind="ReplicaSet", target=set_name)
    workload.wait_condition("set", "Ready", "True")
    workload.scale(3)
    assert asked(of_deployment, of_set) == [1]


def test_a_policy_applies_to_the_replica_sets_of_any_kind_by_group_and_name(workload, pickers):
    """A Rollout of Argo, whose controller is not here: only its ReplicaSet is."""
    chosen = []
    picker = pickers(RecordingPicker(lambda request: (200, {"chosen_pods": chosen})))
    foreign = pickers(RecordingPicker())
    version = "argoproj.io/v1alpha1"
    workload.add_policy("rollout", picker.http(), kind="Rollout", api_version=version)
    workload.add_policy("foreign", foreign.http(), kind="Rollout", api_version="example.com/v1")
    found = workload.wait_condition("rollout", "TargetFound", "False")
    assert "no ReplicaSet" in found["message"] and "Rollout/web (argoproj.io)" in found["message"]

    owner = {
        "apiVersion": version,
        "kind": "Rollout",
        "metadata": {"name": "web", "uid": str(uuid.uuid4())},
    }
    body = replica_set("web-1", 5, labels={"app": "web"})
    body["metadata"]["ownerReferences"] = [owner_reference(owner)]
    workload.api.create(f"{workload.apps}/replicasets", body)
    names = workload.wait(5)
    workload.wait_condition("rollout", "TargetFound", "True")
    workload.wait_condition("foreign", "TargetFound", "False")

    chosen[:] = [names[1], names[3]]
    path = f"{workload.apps}/replicasets/web-1/scale"
    workload.api.patch(path, {"spec": {"replicas": 3}})
    assert workload.wait(3) == [names[0], names[2], names[4]]
    assert asked(picker, foreign) == [0]


def test_of_two_policies_for_one_target_the_older_counts(workload, pickers):
    older, younger = pickers(RecordingPicker()), pickers(RecordingPicker())
    workload.create(5)
    # Made in the same second, the name decides.
    workload.add_policy("a", older.http())
    workload.add_policy("b", younger.http())
    found = workload.wait_condition("b", "Conflicting", "True")
    assert "a" in found["message"]
    workload.scale(4)
    assert asked(older, younger) == [0]
    workload.api.delete(f"{workload.policies}/a")
    workload.wait_condition("b", "Conflicting", "False")
    workload.scale(3)
    assert asked(older, younger) == [1]


def test_the_request_is_as_the_proposal_specifies(workload, pickers):
    picker = pickers(RecordingPicker())
    names = workload.create(4, picker.http(path="/some/where?x=1"))
    workload.scale(2)
    ((headers, body),) = picker.requests
    assert body == {"number_of_pods_requested": 2, "candidate_pods": names}
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"].startswith("ebb/")
    assert headers["idempotency-key"]
    assert "authorization" not in headers


def test_retries_of_one_decision_can_be_recognised(workload, pickers):
    answers = [(503, {}), (200, "nonsense"), None]

    def stumbling(request):
        answer = answers[min(len(picker.requests), 3) - 1]
        return answer or (200, {"chosen_pods": request["candidate_pods"][:1]})

    picker = pickers(RecordingPicker(stumbling))
    names = workload.create(3, {**picker.http(), "timeoutSeconds": 10})
    assert workload.scale(2) == {names[0]}
    keys = {headers["idempotency-key"] for headers, _ in picker.requests}
    assert len(picker.requests) == 3 and len(keys) == 1
    # The next decision asks again, under another name.
    workload.scale(1)
    assert len(picker.requests) == 4
    assert picker.requests[3][0]["idempotency-key"] not in keys


def test_the_full_context_says_where_candidates_are(api, workload, pickers):
    picker = pickers(RecordingPicker())
    workload.create(4, {**picker.http(), "context": "full"})
    nodes = {name: pod["spec"]["nodeName"] for name, (pod, _) in workload.pods().items()}
    zones = {
        node["metadata"]["name"]: node["metadata"]["labels"]["topology.kubernetes.io/zone"]
        for node in api.get("/api/v1/nodes")["items"]
    }
    workload.scale(3)
    ((_, body),) = picker.requests
    told = body["candidates"]
    assert [c["name"] for c in told] == body["candidate_pods"] == sorted(nodes)
    assert {c["name"]: c["node"] for c in told} == nodes
    assert {c["node"]: c["zone"] for c in told}.items() <= zones.items()
    for candidate in told:
        assert 0 <= candidate["age_seconds"] < 60
        assert candidate["ready_since"].endswith("Z")
        assert (candidate["restarts"], candidate["cost"]) == (0, 0)


@pytest.mark.parametrize("replicas", [0, 1])
def test_the_picker_is_not_called_when_it_would_not_matter(workload, pickers, replicas):
    picker = pickers(RecordingPicker())
    workload.create(2, picker.http())
    if replicas:
        # One is not ready and goes anyway.
        name = sorted(workload.pods())[0]
        conditions = [{"type": "Ready", "status": "False"}]
        workload.api.patch(
            f"{workload.core}/pods/{name}/status",
            {"status": {"conditions": conditions}},
            content_type="application/strategic-merge-patch+json",
        )
        assert workload.scale(1) == {name}
    else:
        workload.scale(0)
    assert picker.requests == []


def test_deletion_costs_come_first_and_an_event_says_so(workload, pickers):
    picker = pickers(RecordingPicker())
    names = workload.create(3, picker.http())
    cost = {"controller.kubernetes.io/pod-deletion-cost": "-5"}
    workload.api.patch(f"{workload.core}/pods/{names[2]}", {"metadata": {"annotations": cost}})
    assert workload.scale(2) == {names[2]}
    assert len(picker.requests) == 1
    workload.wait_event("PickerAndDeletionCost", "costs come first")
