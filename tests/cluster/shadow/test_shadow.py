"""Shadow mode beside the stock controllers, with only the rights of deploy/shadow.yaml: what it
records equals what really went.
"""

import os
import random
import time

import pytest
from rig.controllers import OurControllers
from rig.place import by_hand, controller_of
from rig.recorder import PodRecorder
from support.kube_api_server import TOOLS
from support.kubectl import Kubectl
from support.our_kinds import GROUP
from support.process import eventually

from shadow.upstream_order import clear_victims, goes_before_by_keys

pytestmark = [pytest.mark.own_system("shadow"), pytest.mark.systems("ebb")]

# 200 scale-downs are the full test; CI does a tenth.
ROUNDS = int(os.environ.get("EBB_SHADOW_ROUNDS", "20"))
WORKLOADS = 5
PODS = 12
# Age buckets are those of the stock controllers, which cannot switch them off.
NO_EXTENSIONS = {
    "DownscalePodPicker": False,
    "PodCostRanking": False,
    "PodDeletionCost": False,
    "PreferForScaleDown": False,
}


def decisions_path(place):
    return f"{GROUP}/namespaces/{place.namespace}/downscaledecisions"


def policies_path(place):
    return f"{GROUP}/namespaces/{place.namespace}/downscalepolicies"


def records(place, workload):
    selector = f"ebb.dev/workload={workload}"
    found = place.api.get(decisions_path(place), labelSelector=selector)["items"]
    return [record["spec"] for record in found if record["spec"].get("shadow")]


def create_policy(place, name, **spec):
    target = {"kind": "Deployment", "name": "web"}
    place.api.create(
        policies_path(place),
        {
            "apiVersion": "ebb.dev/v1alpha1",
            "kind": "DownscalePolicy",
            "metadata": {"name": name},
            "spec": {"targetRef": target, **spec},
        },
    )


def shadow_status(place, name):
    """The status of a policy, once it has the counts of shadow mode."""
    status = place.api.get(f"{policies_path(place)}/{name}").get("status", {})
    assert "shadow" in status, status
    return status


class Workload:
    """A Deployment whose pods no kubelet touches: the test says how they are."""

    def __init__(self, place, name, dice):
        self.place, self.name, self.dice = place, name, dice
        self.seen = set()  # ids of records
        place.deployment(name, PODS, **by_hand({"app": name}))

    def pods(self):
        return self.place.active(f"app={self.name}")

    def prepare(self):
        """Gives new pods a node, a status and an age."""
        for pod in self.place.wait_active(PODS, f"app={self.name}", timeout=60):
            if pod["status"].get("containerStatuses"):
                continue
            self.place.bind(pod, f"nowhere-{self.dice.randrange(4)}")
            self.place.set_status(
                pod,
                phase=self.dice.choice(["Running"] * 9 + ["Pending"]),
                ready=self.dice.random() < 0.9,
                since=self.dice.choice([90, 700, 3000, 6000, 12000, 24000, 100000, 200000]),
                restarts=self.dice.choice([0, 0, 0, 1, 5]),
            )

    def clear_away(self):
        """Terminating pods stay without a kubelet."""
        for pod in self.place.pods(f"app={self.name}"):
            if "deletionTimestamp" in pod["metadata"]:
                path = self.place.path("pods", pod["metadata"]["name"])
                self.place.api.request("DELETE", path, {"gracePeriodSeconds": 0})

    def scale_down(self):
        self.before = self.pods()
        self.to = self.dice.randrange(1, PODS)
        self.began = time.time()
        self.place.scale("deployments", self.name, self.to)

    def newest(self):
        """The record of this scale-down."""
        fresh = [r for r in records(self.place, self.name) if r["id"] not in self.seen]
        assert len(fresh) == 1, f"{self.name}: {len(fresh)} new records"
        return fresh[0]


@pytest.mark.timeout(120 + 6 * ROUNDS)
def test_records_equal_what_really_went(place, no_kubelets, stock, start_shadow):
    start_shadow(NO_EXTENSIONS)
    seed = int(os.environ.get("EBB_SHADOW_SEED", random.randrange(1 << 30)))
    print(f"EBB_SHADOW_SEED={seed}")
    dice = random.Random(seed)
    workloads = [Workload(place, f"web-{i}", dice) for i in range(WORKLOADS)]
    compared = clear = contrary = agreed = went = 0
    with PodRecorder(place.api, place.namespace) as recorder:
        while compared < ROUNDS:
            for workload in workloads:
                workload.prepare()
            # The caches of all watchers have to show the new pods.
            time.sleep(1.5)
            known = set(recorder.leaving)
            for workload in workloads:
                workload.scale_down()
            for workload in workloads:
                record = eventually(workload.newest, timeout=60)
                workload.seen.add(record["id"])
                uids = {pod["metadata"]["uid"] for pod in workload.before}
                recorder.wait_for_silence(0.3)
                truth = {u for u in recorder.leaving if u in uids and u not in known}
                removed = record["actual"]["removed"]
                assert len(truth) == PODS - workload.to
                assert {pod["uid"] for pod in removed} == truth
                assert record["actual"]["end"] == "complete"
                assert record["replicas"] == {"from": PODS, "to": workload.to}
                ours = {victim["uid"] for victim in record["victims"]}
                assert {pod["uid"] for pod in removed if pod["agreed"]} == truth & ours
                compared, went, agreed = compared + 1, went + len(truth), agreed + len(truth & ours)
                moments = (workload.began - 1, workload.began + 5)
                question = (workload.before, PODS - workload.to, moments)
                expected = clear_victims(*question)
                by_keys = clear_victims(*question, goes_before_by_keys)
                assert expected in (None, truth), "the test's order is not that of the controller"
                assert by_keys in (None, ours), record
                # Both orders are clear: they agree, unless a pair of Ready pods in one age bucket
                # contradicts the keys (docs/decisions/0001-keys-not-comparisons.md).
                if expected is not None and by_keys is not None:
                    clear += expected == by_keys
                    contrary += expected != by_keys
            for workload in workloads:
                workload.clear_away()
                place.scale("deployments", workload.name, PODS)
    print(f"{compared} scale-downs, {went} pods: {agreed} agree")
    print(f"{clear} scale-downs in a clear order, {contrary} in one that contradicts the keys")
    assert clear >= compared // 10


def test_policies_show_the_agreement(place, stock, start_shadow, tmp_path):
    shadow = start_shadow()
    create_policy(place, "oldest", ranking={"strategies": [{"name": "Oldest"}]})
    place.deployment("web", 6)
    place.wait_ready(6)
    place.scale("deployments", "web", 2)
    place.wait_ready(2)

    def counted():
        found = shadow_status(place, "oldest")["shadow"]
        assert (found["decisions"], found["victims"]) == (1, 4)
        return found

    found = eventually(counted, timeout=60)
    (record,) = records(place, "web")
    assert record["actual"]["agreed"] == found["agreed"]
    assert record["agreement"] == f"{found['agreed']}/4"
    assert record["ranking"]["outcome"] == "ranked"
    (owner,) = place.replica_sets("web")
    (event,) = eventually(lambda: place.events("ShadowDecision"), timeout=30)
    assert event["involvedObject"]["name"] == owner["metadata"]["name"]
    assert f"{found['agreed']} of 4 pods that went" in event["message"]
    _, metrics = shadow.get("/metrics")
    assert "ebb_shadow_decisions_total 1" in metrics
    kubectl = Kubectl(
        str(TOOLS / "kubectl"), 36, place.system.server.kubeconfig, tmp_path, place.namespace
    )
    (row,) = kubectl("get", "dsp").table()
    assert (row["MODE"], row["AGREED"], row["WENT"]) == ("Active", str(found["agreed"]), "4")
    # Nothing was published or changed on the pods.
    for pod in place.pods():
        assert not [a for a in pod["metadata"].get("annotations", {}) if "cost" in a]
    counts = place.api.get(f"{GROUP}/namespaces/{place.namespace}/podgroupcosts")
    assert counts["items"] == []


def test_a_policy_in_shadow_mode_does_not_decide(place, watched_system):
    """Under ebb's own controllers: the default order acts at once, and a picker that does not
    answer is recorded."""
    server = watched_system.server
    flags = ("--picker-allow-cidr=127.0.0.0/8",)
    with OurControllers(server, server.folder, flags=flags) as ours:
        eventually(ours.ready, timeout=60)
        http = {"host": "127.0.0.1", "port": 9}
        create_policy(place, "watching", mode="Shadow", podPicker={"http": http})
        place.deployment("web", 5)
        place.wait_ready(5)
        place.scale("deployments", "web", 2)
        place.wait_ready(2)

        def counted():
            status = shadow_status(place, "watching")
            assert status["shadow"]["decisions"] == 1
            return status

        status = eventually(counted, timeout=60)
        assert status["shadow"]["victims"] == status["shadow"]["agreed"] == 3
        found = place.api.get(decisions_path(place))["items"]
        real = [r["spec"] for r in found if not r["spec"].get("shadow")]
        (shadow,) = [r["spec"] for r in found if r["spec"].get("shadow")]
        assert len(real) == 1 and "picker" not in real[0]
        assert shadow["picker"]["outcome"] == "refused"
        assert {p["uid"] for p in shadow["actual"]["removed"]} == {
            victim["uid"] for victim in real[0]["victims"]
        }
        assert controller_of(place.pods()[0])["kind"] == "ReplicaSet"
