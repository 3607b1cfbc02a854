"""`ebb webhook` is killed or hangs: the stock controllers go on without it, and the replica that is
left serves for both.
"""

import signal
import threading

import pytest
from rig.pod_touchers import PodTouchers
from support.pickers import RecordingPicker, first_by_name
from support.process import eventually

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb", "up")]

COST = "controller.kubernetes.io/pod-deletion-cost"


def kill(replica):
    replica.child.kill()


def hang(replica):
    replica.child.process.send_signal(signal.SIGSTOP)


def begin_rollout(workload, version):
    template = {"metadata": {"annotations": {"version": version}}}
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}", {"spec": {"template": template}}
    )


def versions(workload):
    pods = [pod for pod, ready in workload.pods().values() if ready]
    return [pod["metadata"].get("annotations", {}).get("version") for pod in pods]


def wait_rolled_out(workload, version, replicas, timeout=60):
    def check():
        assert versions(workload) == [version] * replicas, versions(workload)
        return True

    eventually(check, timeout=timeout)


def begin_scale(workload, replicas):
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}/scale", {"spec": {"replicas": replicas}}
    )


def wait_restored(workload, timeout=60):
    """Until no pod has a cost of ebb."""

    def check():
        pods = [pod for pod, _ in workload.pods().values()]
        costs = [pod["metadata"].get("annotations", {}).get(COST) for pod in pods]
        assert costs == [None] * len(pods), costs
        return True

    eventually(check, timeout=timeout, interval=0.3)


@pytest.fixture
def webhook(webhooks, workload, pickers):
    """A webhook of the test's own, and a workload with a policy."""
    picker = pickers(RecordingPicker())
    workload.patience = 60
    workload.create(12)
    workload.add_policy("web", picker.http())
    with webhooks.own() as running:
        running.picker = picker
        running.wait_registered(workload.namespace)
        yield running


@pytest.mark.parametrize("end", [kill, hang], ids=["killed", "hung"])
def test_both_replicas_out(webhook, workload, end):
    """Their registration stays."""
    names = workload.wait(12)
    assert workload.scale(10) == set(names[:2])
    for replica in webhook.replicas:
        end(replica)
    asked = len(webhook.picker.requests)
    assert len(workload.scale(5)) == 5
    begin_rollout(workload, "2")
    wait_rolled_out(workload, "2", 5)
    assert len(workload.scale(2)) == 3
    workload.scale(0)
    assert len(webhook.picker.requests) == asked


def test_one_killed_between_scale_downs(webhook, workload):
    names = workload.wait(12)
    assert workload.scale(10) == set(names[:2])
    kill(webhook.replicas[0])
    assert workload.scale(7) == set(names[2:5])
    wait_restored(workload)


def test_one_killed_while_the_picker_is_asked(webhook, workload):
    """The API server ignores the broken call, and the number of pods is right."""
    names = workload.wait(12)
    asked, answer = threading.Event(), threading.Event()

    def late(question):
        asked.set()
        answer.wait(10)
        return first_by_name(question)

    webhook.picker.answer = late
    begin_scale(workload, 8)
    assert asked.wait(20)
    holder = next(r for r in webhook.replicas if r.metric("ebb_webhook_held"))
    kill(holder)
    webhook.picker.answer = first_by_name
    answer.set()
    left = workload.wait(8)
    assert len(set(names) - set(left)) == 4
    wait_restored(workload)
    assert workload.scale(5) == set(left[:3])


@pytest.mark.parametrize("victim", [0, 1])
def test_one_killed_while_pods_are_deleted(webhook, workload, victim, figure):
    """The decision is on the pods, so the other replica goes on with it."""
    begin_scale(workload, 60)
    names = workload.wait(60)
    with PodTouchers(workload.api, workload.namespace):
        begin_scale(workload, 20)
        eventually(lambda: len(workload.pods()) < 60, timeout=30, interval=0.01)
        kill(webhook.replicas[victim])
        left = workload.wait(20)
    gone = set(names) - set(left)
    assert len(gone) == 40
    other = gone - set(names[:40])
    figure(f"replica {victim} killed while pods are deleted: {len(other)} of 40 not chosen")
    # Only deletes whose call was at the killed replica pass unchecked.
    assert len(other) <= 4, other
    wait_restored(workload)
    assert workload.scale(15) == set(left[:5])


def test_one_killed_in_a_rollout(webhook, workload):
    begin_rollout(workload, "2")
    eventually(lambda: "2" in versions(workload), timeout=30, interval=0.01)
    kill(webhook.replicas[0])
    wait_rolled_out(workload, "2", 12)
    names = workload.wait(12)
    assert workload.scale(9) == set(names[:3])
