"""The stock controllers remove the pods that a picker names, however a workload is scaled, while
other clients touch pods all the time.

EBB_WEBHOOK_ROUNDS sets the rounds of each way to scale; 20 is the proof that docs/webhook.md cites.
The same rounds without the fence and without the webhook are printed for comparison.
"""

import os
import time

import pytest
from rig.pod_touchers import PodTouchers
from support.objects import replica_set
from support.pickers import RecordingPicker
from support.process import eventually

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb", "up")]

ROUNDS = int(os.environ.get("EBB_WEBHOOK_ROUNDS", "2"))
HIGH, LOW = 60, 52
COST = "controller.kubernetes.io/pod-deletion-cost"
whole_proof = pytest.mark.skipif(ROUNDS < 20, reason="EBB_WEBHOOK_ROUNDS=20 runs it")
MARKS = ("ebb.dev/scale-down", "ebb.dev/previous-deletion-cost")


def leftovers(workload):
    """Pods with a cost or a mark, by name."""
    found = {}
    for name, (pod, _) in workload.pods().items():
        annotations = pod["metadata"].get("annotations", {})
        if kept := {k: v for k, v in annotations.items() if k == COST or k in MARKS}:
            found[name] = kept
    return found


def no_leftovers(workload):
    assert leftovers(workload) == {}
    return True


class Ways:
    """The ways to scale a workload."""

    def __init__(self, workload, kubectl):
        self.workload, self.kubectl = workload, kubectl

    def by_deployment(self, replicas):
        workload = self.workload
        workload.api.patch(
            f"{workload.apps}/deployments/{workload.name}", {"spec": {"replicas": replicas}}
        )

    def by_scale(self, replicas):
        workload = self.workload
        workload.api.patch(
            f"{workload.apps}/deployments/{workload.name}/scale", {"spec": {"replicas": replicas}}
        )

    def by_replica_set_scale(self, replicas):
        workload = self.workload
        workload.api.patch(
            f"{workload.apps}/replicasets/{workload.name}/scale", {"spec": {"replicas": replicas}}
        )

    def by_kubectl(self, replicas):
        self.kubectl("scale", f"rs/{self.workload.name}", f"--replicas={replicas}")


def play(workload, scale, rounds):
    """Returns how many of the removed pods the picker did not name, the seconds of each round, and
    the pods that went."""
    wrong, seconds, total = 0, [], 0
    for _ in range(rounds):
        before = workload.wait(HIGH, timeout=90)
        began = time.monotonic()
        scale(LOW)
        left = set(workload.wait(LOW, timeout=60))
        seconds.append(time.monotonic() - began)
        gone = set(before) - left
        total += len(gone)
        wrong += len(gone - set(before[: HIGH - LOW]))
        eventually(lambda: no_leftovers(workload), timeout=60, interval=0.3)
        scale(HIGH)
    workload.wait(HIGH, timeout=90)
    return wrong, sorted(seconds), total


def describe(way, how, wrong, seconds, total):
    middle = seconds[len(seconds) // 2]
    return f"{way}, {how}: {wrong} of {total} not chosen, median {middle:.2f} s"


def create(workload, kind):
    if kind == "Deployment":
        return workload.create(HIGH)
    workload.api.create(f"{workload.apps}/replicasets", replica_set(workload.name, HIGH))
    return workload.wait(HIGH, timeout=90)


WAYS = [
    ("by_deployment", "Deployment"),
    ("by_scale", "Deployment"),
    ("by_replica_set_scale", "ReplicaSet"),
    ("by_kubectl", "ReplicaSet"),
]


def calls_of(webhook):
    """How many calls each replica has had."""
    return [replica.metric("ebb_webhook_reviews_total") for replica in webhook.replicas]


@pytest.mark.parametrize("way, kind", WAYS)
def test_the_chosen_pods_go(webhook, workload, pickers, kubectl, figure, way, kind):
    picker = pickers(RecordingPicker())
    create(workload, kind)
    workload.add_policy("web", picker.http(), kind=kind)
    webhook.wait_registered(workload.namespace)
    before = calls_of(webhook)
    with PodTouchers(workload.api, workload.namespace):
        wrong, seconds, total = play(workload, getattr(Ways(workload, kubectl), way), ROUNDS)
    figure(describe(way, "with the fence", wrong, seconds, total))
    assert len(picker.requests) >= ROUNDS
    assert (wrong, total) == (0, ROUNDS * (HIGH - LOW))
    assert all(now > then for now, then in zip(calls_of(webhook), before))


@pytest.mark.parametrize(
    "fence", [pytest.param(False, marks=whole_proof), None], ids=["without_fence", "without_webhook"]
)
@pytest.mark.parametrize(
    "way, kind", [pytest.param(*way, marks=whole_proof if way != WAYS[0] else ()) for way in WAYS]
)
def test_for_comparison(webhooks, workload, pickers, kubectl, figure, way, kind, fence):
    """Without the webhook, other pods go: the rounds above prove something."""
    picker = pickers(RecordingPicker())
    create(workload, kind)
    workload.add_policy("web", picker.http(), kind=kind)
    scale = getattr(Ways(workload, kubectl), way)
    if fence is None:
        webhooks.stop()
        with PodTouchers(workload.api, workload.namespace):
            wrong, seconds, total = play(workload, scale, ROUNDS)
        figure(describe(way, "without the webhook", wrong, seconds, total))
        assert picker.requests == []
        assert wrong > 0
        return
    with webhooks.own("--fence-window=0s") as webhook:
        webhook.wait_registered(workload.namespace)
        with PodTouchers(workload.api, workload.namespace):
            result = play(workload, scale, ROUNDS)
        figure(describe(way, "without the fence", *result))
        assert len(picker.requests) >= ROUNDS


def test_dry_runs_change_nothing(webhook, workload, pickers):
    picker = pickers(RecordingPicker())
    workload.create(6)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    name = workload.replica_set()["metadata"]["name"]
    for path in (f"{workload.apps}/replicasets/{name}", f"{workload.apps}/replicasets/{name}/scale"):
        answer = workload.api.request(
            "PATCH",
            path,
            {"spec": {"replicas": 2}},
            content_type="application/merge-patch+json",
            dryRun="All",
        )
        assert answer.code == 200, answer.body
    time.sleep(1)
    assert picker.requests == []
    assert leftovers(workload) == {}
    assert len(workload.pods()) == 6


def test_scale_to_zero_is_not_delayed(webhook, workload, pickers):
    picker = pickers(RecordingPicker())
    workload.create(20)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    began = time.monotonic()
    workload.scale(0)
    assert time.monotonic() - began < 5
    assert picker.requests == []


def test_a_policy_in_shadow_mode_is_left_alone(webhook, workload, pickers, kubectl):
    picker = pickers(RecordingPicker())
    workload.create(6)
    workload.add_policy("watching", picker.http(), mode="Shadow")
    # The namespace is registered because of another policy.
    workload.add_policy("acting", picker.http(), target="another")
    webhook.wait_registered(workload.namespace)
    Ways(workload, kubectl).by_scale(2)
    workload.wait(2)
    assert picker.requests == []
    assert leftovers(workload) == {}


def test_two_scale_downs_in_a_row_are_exact(webhook, workload, pickers, kubectl):
    picker = pickers(RecordingPicker())
    before = workload.create(30)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    ways = Ways(workload, kubectl)
    with PodTouchers(workload.api, workload.namespace):
        ways.by_scale(25)
        time.sleep(0.05)
        ways.by_scale(20)
        assert workload.wait(20) == before[10:]
    eventually(lambda: no_leftovers(workload), timeout=60)


def test_down_and_up_leaves_no_cost_behind(webhook, workload, pickers, kubectl):
    picker = pickers(RecordingPicker())
    workload.create(30)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    ways = Ways(workload, kubectl)
    for _ in range(3):
        ways.by_scale(22)
        ways.by_scale(30)
    workload.wait(30, timeout=60)
    eventually(lambda: no_leftovers(workload), timeout=90, interval=0.5)


def test_costs_of_others_are_put_back(webhook, workload, pickers, kubectl):
    """The pods that were chosen and survive get back what they had."""
    picker = pickers(RecordingPicker())
    names = workload.create(6)
    for name in names:
        workload.api.patch(
            f"{workload.core}/pods/{name}", {"metadata": {"annotations": {COST: "7"}}}
        )
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    assert workload.scale(4) == set(names[:2])

    def as_before():
        for pod, _ in workload.pods().values():
            annotations = pod["metadata"]["annotations"]
            assert annotations[COST] == "7"
            assert not set(annotations) & set(MARKS)
        return True

    eventually(as_before, timeout=60)
