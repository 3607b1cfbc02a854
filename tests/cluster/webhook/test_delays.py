"""Slow pickers and disruptions beside `ebb webhook`: other workloads are not delayed, rollouts take
no longer, and nothing but the stock controller's deletes is ever refused.

EBB_WEBHOOK_LONG=1 runs all of them.
"""

import os
import time

import pytest
from support.objects import deployment
from support.pickers import RecordingPicker, first_by_name
from support.process import eventually
from support.scaled import Workload

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb")]
long = pytest.mark.skipif(not os.environ.get("EBB_WEBHOOK_LONG"), reason="EBB_WEBHOOK_LONG=1")

PICKER_SECONDS = 4


def slowly(question):
    time.sleep(PICKER_SECONDS)
    return first_by_name(question)


def scale_of(workload, replicas):
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}", {"spec": {"replicas": replicas}}
    )


def seconds_to_scale(workload, replicas):
    began = time.monotonic()
    scale_of(workload, replicas)
    workload.wait(replicas)
    return time.monotonic() - began


def slow_workloads(webhook, workload, picker, count):
    """Deployments of 3 pods with this picker."""
    others = [Workload(workload.api, workload.namespace, f"slow-{n}") for n in range(count)]
    for other in others:
        other.api.create(f"{other.apps}/deployments", deployment(other.name, 3))
        other.add_policy(other.name, {**picker.http(), "timeoutSeconds": 10})
    for other in others:
        other.wait(3, timeout=90)
    webhook.wait_registered(workload.namespace)
    return others


@pytest.mark.parametrize("count", [pytest.param(12), pytest.param(100, marks=long)])
def test_slow_pickers_do_not_delay_others(webhook, workload, pickers, count):
    picker = pickers(RecordingPicker(slowly))
    workload.create(8)
    others = slow_workloads(webhook, workload, picker, count)
    alone = seconds_to_scale(workload, 6)
    for other in others:
        scale_of(other, 2)
    beside = seconds_to_scale(workload, 4)
    assert beside < alone + 1, f"{beside:.2f} s, alone {alone:.2f} s"
    for other in others:
        other.wait(2, timeout=120)


@long
def test_a_rollout_takes_no_longer(webhook, workload, pickers):
    workload.create(10, strategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}})

    def roll_out(version):
        began = time.monotonic()
        template = {"metadata": {"annotations": {"version": version}}}
        workload.api.patch(
            f"{workload.apps}/deployments/{workload.name}", {"spec": {"template": template}}
        )

        def done():
            pods = workload.pods().values()
            versions = {p["metadata"].get("annotations", {}).get("version") for p, _ in pods}
            assert versions == {version} and len(pods) == 10, versions
            return all(ready for _, ready in pods)

        eventually(done, timeout=120)
        return time.monotonic() - began

    without = roll_out("2")
    picker = pickers(RecordingPicker(slowly))
    workload.add_policy("web", {**picker.http(), "timeoutSeconds": 10})
    webhook.wait_registered(workload.namespace)
    with_it = roll_out("3")
    assert with_it < without * 1.3 + 1, f"{with_it:.1f} s, without {without:.1f} s"


@long
def test_recreate(webhook, workload, pickers):
    picker = pickers(RecordingPicker(slowly))
    workload.create(6, strategy={"type": "Recreate"})
    workload.add_policy("web", {**picker.http(), "timeoutSeconds": 10})
    webhook.wait_registered(workload.namespace)
    before = set(workload.pods())
    template = {"metadata": {"annotations": {"version": "2"}}}
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}", {"spec": {"template": template}}
    )
    began = time.monotonic()
    eventually(lambda: not before & set(workload.wait(6)), timeout=30)
    assert time.monotonic() - began < 10
    assert picker.requests == []


def test_a_drain_is_never_refused(webhook, workload, pickers, kubectl):
    """While a scale-down is in progress and the fence is up."""
    picker = pickers(RecordingPicker())
    workload.create(24)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    node = sorted(p["spec"]["nodeName"] for p, _ in workload.pods().values())[0]
    scale_of(workload, 18)
    try:
        kubectl("drain", node, "--ignore-daemonsets", "--force", "--timeout=60s")
        workload.wait(18, timeout=60)
        assert all(p["spec"]["nodeName"] != node for p, _ in workload.pods().values())
    finally:
        kubectl("uncordon", node)
