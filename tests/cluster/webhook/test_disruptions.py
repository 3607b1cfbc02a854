"""Disruptions are never refused, however long the fence stays up: Recreate, drains, taint eviction.

The window of the fence is longer than the tests, so a delete that it refuses stays refused.
"""

import time

import pytest
from rig.webhook import CommonAccount, RealAccounts
from support.pickers import RecordingPicker
from support.process import eventually

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb", "up")]

REFUSED = 'ebb_webhook_fence_total{result="refused"}'
CONTROLLER_MANAGER = {
    "Impersonate-User": "system:kube-controller-manager",
    "Impersonate-Group": "system:masters",
}


class Fenced:
    """A workload after a scale-down, with the fence up."""

    def __init__(self, webhook, workload, picker):
        self.webhook, self.workload, self.picker = webhook, workload, picker
        names = workload.wait(24)
        assert workload.scale(18) == set(names[:6])
        self.asked = len(picker.requests)
        self.pods = workload.pods()
        self._expect_a_refusal()
        self.refusals = webhook.metric(REFUSED)

    def _expect_a_refusal(self):
        """Of a delete as the ReplicaSet controller sends it."""
        path = f"{self.workload.core}/pods/{sorted(self.pods)[0]}"
        answer = self.workload.api.request("DELETE", path, more_headers=CONTROLLER_MANAGER)
        assert answer.code == 409 and b"not chosen" in answer.body, answer.body

    def node(self):
        """One with pods."""
        return min(pod["spec"]["nodeName"] for pod, _ in self.pods.values())

    def on(self, node):
        return {name for name, (pod, _) in self.pods.items() if pod["spec"]["nodeName"] == node}

    def expect_no_more_refusals(self):
        assert self.webhook.metric(REFUSED) == self.refusals


@pytest.fixture
def fenced(webhooks, workload, pickers, request):
    picker = pickers(RecordingPicker())
    workload.create(24, **getattr(request, "param", {}))
    workload.add_policy("web", picker.http())
    with webhooks.own("--fence-window=60s") as webhook:
        webhook.wait_registered(workload.namespace)
        yield Fenced(webhook, workload, picker)


@pytest.mark.parametrize("fenced", [{"strategy": {"type": "Recreate"}}], indirect=True, ids=[""])
def test_recreate(fenced, workload):
    template = {"metadata": {"annotations": {"version": "2"}}}
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}", {"spec": {"template": template}}
    )
    eventually(lambda: not set(fenced.pods) & set(workload.wait(18)), timeout=30)
    assert len(fenced.picker.requests) == fenced.asked
    fenced.expect_no_more_refusals()


@pytest.mark.parametrize("how", [(), ("--disable-eviction",)], ids=["evictions", "deletes"])
def test_a_drain_is_never_refused(fenced, workload, kubectl, how):
    node = fenced.node()
    try:
        kubectl("drain", node, "--ignore-daemonsets", "--force", "--timeout=60s", *how)
        assert not fenced.on(node) & set(workload.wait(18, timeout=60))
    finally:
        kubectl("uncordon", node)
    fenced.expect_no_more_refusals()


@pytest.mark.parametrize("accounts", [RealAccounts, CommonAccount])
def test_taint_eviction_is_never_refused(fenced, workload, server, kubectl, accounts):
    """It deletes pods with the same options as the ReplicaSet controller and, without service
    accounts, as the same user."""
    if accounts is RealAccounts and not server.real:
        pytest.skip("ebb up has no service accounts")
    node = fenced.node()
    with accounts(server, fenced.webhook.folder, "taint-eviction-controller"):
        try:
            kubectl("taint", "nodes", node, "maintenance=now:NoExecute")
            began = time.monotonic()
            eventually(lambda: not fenced.on(node) & set(workload.pods()), timeout=30)
            assert time.monotonic() - began < 30
            workload.wait(18, timeout=60)
        finally:
            kubectl("taint", "nodes", node, "maintenance-")
    assert set(fenced.pods) - set(workload.pods()) == fenced.on(node)
    fenced.expect_no_more_refusals()
