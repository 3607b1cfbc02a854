"""Slow pickers beside `ebb webhook`: other workloads are not delayed, and rollouts take no longer.

The baseline is the same work without policies, because many Deployments keep the five workers of
the Deployment controller busy by themselves.
"""

import time

import pytest
from support.names import make_namespace
from support.objects import deployment
from support.pickers import RecordingPicker, first_by_name
from support.process import eventually
from support.scaled import Workload
from support.webhooks import GROUP, WebhookServer, configuration, deny, rule, webhook as entry

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb", "up")]

PICKER_SECONDS = 4
MARGIN = 1.0  # seconds
# The Deployment controller waits 5 ms after the first failure and twice as long after each other
# one: 5.1 s in all.
FAILURES = 10


def slowly(question):
    time.sleep(PICKER_SECONDS)
    return first_by_name(question)


def begin_scale(workload, replicas):
    workload.api.patch(
        f"{workload.apps}/deployments/{workload.name}", {"spec": {"replicas": replicas}}
    )


def compare(label, without, with_it):
    return f"{label}: {with_it:.2f} s, without policies {without:.2f} s"


class Crowd:
    """Deployments of 3 pods, which get a slow picker later on."""

    def __init__(self, workload, count):
        self.all = [Workload(workload.api, workload.namespace, f"slow-{n}") for n in range(count)]
        for one in self.all:
            one.api.create(f"{one.apps}/deployments", deployment(one.name, 3))

    def wait(self, replicas):
        for one in self.all:
            one.wait(replicas, timeout=60)

    def scale(self, replicas):
        for one in self.all:
            begin_scale(one, replicas)

    def add_policies(self, webhook, picker):
        for one in self.all:
            one.add_policy(one.name, {**picker.http(), "timeoutSeconds": 10})
        webhook.wait_registered(self.all[0].namespace)


def slowest_scale_down(plain, replicas):
    """Scales Deployments one after the other, 0.4 s apart, and returns the longest time."""
    longest = 0
    for one in plain:
        began = time.monotonic()
        begin_scale(one, replicas)
        one.wait(replicas)
        longest = max(longest, time.monotonic() - began)
        time.sleep(0.4)
    return longest


def test_other_scale_downs_are_not_delayed(webhook, workload, pickers, figure):
    picker = pickers(RecordingPicker(slowly))
    crowd = Crowd(workload, 12)
    plain = [Workload(workload.api, workload.namespace, f"plain-{n}") for n in range(6)]
    for one in plain:
        one.create(4)
    crowd.wait(3)
    crowd.scale(2)
    without = slowest_scale_down(plain, 3)
    crowd.wait(2)
    crowd.add_policies(webhook, picker)
    crowd.scale(1)
    with_it = slowest_scale_down(plain, 2)
    figure(compare("a scale-down beside 12 with slow pickers", without, with_it))
    assert with_it < without + MARGIN
    assert picker.requests
    crowd.wait(1)


def test_quick_pickers_decide_for_many_at_once(webhook, workload, pickers, figure):
    """The Deployment controller has five workers, and none waits long: on a busy machine, some
    scale-downs pass without a choice, and all others as chosen."""
    picker = pickers(RecordingPicker())
    crowd = Crowd(workload, 30)
    crowd.wait(3)
    crowd.add_policies(webhook, picker)
    before = {one.name: one.wait(3) for one in crowd.all}
    busy = webhook.metric('ebb_webhook_decisions_total{outcome="busy"}')
    crowd.scale(2)
    crowd.wait(2)
    passed = webhook.metric('ebb_webhook_decisions_total{outcome="busy"}') - busy
    chosen = sum(one.wait(2) == before[one.name][1:] for one in crowd.all)
    figure(f"{chosen} of 30 scale-downs at once as chosen")
    assert chosen >= 30 - passed


class FailingDeployments:
    """A namespace in which no ReplicaSet can be created, and when that was tried."""

    def __init__(self, api, folder):
        self.api = api
        self.namespace = make_namespace(api, "failing")
        self.tries = {}  # times by the name of the Deployment
        self.server = WebhookServer(folder)
        self.server.behaviours["/refuse"] = self._refuse
        self.path = f"{GROUP}/validatingwebhookconfigurations"
        self.name = f"refuse-{self.namespace}"
        refusing = entry(
            "refuse.example.com",
            self.server.client("/refuse"),
            rule("replicasets", operations=("CREATE",), groups=("apps",)),
            namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": self.namespace}},
        )
        api.create(self.path, configuration("Validating", self.name, refusing))
        time.sleep(1)  # until the API server has read it

    def _refuse(self, request):
        owner = request["object"]["metadata"]["ownerReferences"][0]["name"]
        self.tries.setdefault(owner, []).append(time.monotonic())
        return deny(message="no ReplicaSets here")

    def seconds_of_tries(self, name):
        """From the first to the last of some retries of a new Deployment."""
        path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments"
        self.api.create(path, deployment(name, 1))
        eventually(lambda: len(self.tries.get(name, [])) > FAILURES, timeout=60)
        return self.tries[name][FAILURES] - self.tries[name][0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.request("DELETE", f"{self.path}/{self.name}")
        self.api.request("DELETE", f"/api/v1/namespaces/{self.namespace}")
        self.server.close()


def test_retries_of_others_are_not_delayed(webhook, workload, pickers, tmp_path, figure):
    """All retries of the Deployment controller share one bucket of 100, refilled with 10 a second."""
    picker = pickers(RecordingPicker(slowly))
    crowd = Crowd(workload, 100)
    crowd.wait(3)
    with FailingDeployments(workload.api, tmp_path) as failing:
        crowd.scale(2)
        without = failing.seconds_of_tries("before")
        crowd.wait(2)
        crowd.add_policies(webhook, picker)
        crowd.scale(1)
        with_it = failing.seconds_of_tries("beside")
    figure(compare(f"{FAILURES} retries beside 100 with slow pickers", without, with_it))
    assert with_it < without + 2 * MARGIN
    crowd.wait(1)


def test_a_rollout_takes_no_longer(webhook, workload, pickers, figure):
    """Each of its ten steps makes the old ReplicaSet smaller by one pod."""
    picker = pickers(RecordingPicker(slowly))
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
    workload.add_policy("web", {**picker.http(), "timeoutSeconds": 10})
    webhook.wait_registered(workload.namespace)
    before = webhook.metric("ebb_webhook_reviews_total")
    # The better of two, because one may coincide with other work of the machine.
    with_it = min(roll_out("3"), roll_out("4"))
    figure(compare("a rollout in ten steps", without, with_it))
    # A single step that waits for the picker takes 1.5 s.
    assert with_it < without * 1.5 + MARGIN
    assert webhook.metric("ebb_webhook_reviews_total") >= before + 10
    assert picker.requests == []
