"""Three zones through two hundred random scale-ups and scale-downs by the stock controllers,
with nodes joining and leaving: once with the ranker beside them, once without."""

import collections
import concurrent.futures
import random

import pytest
from support.names import make_namespace
from support.objects import node
from support.process import eventually
from support.ranked import SPREAD, RankedWorkload

pytestmark = [pytest.mark.own_system("ranker"), pytest.mark.systems("ebb"), pytest.mark.timeout(900)]

WORKLOADS = 4
ROUNDS = 50
ROUNDS_BETWEEN_NODES = 7
SEED = 20261116


class Machines:
    """Nodes that come and go. Those that `ebb nodes` made stay, so that there is always room
    in each zone."""

    def __init__(self, api, rng):
        self.api = api
        self.rng = rng
        self.extra = []

    def change(self):
        if self.extra and self.rng.random() < 0.5:
            self.leave(self.extra.pop(self.rng.randrange(len(self.extra))))
        else:
            self.join()

    def join(self):
        name = f"extra-{self.rng.randrange(10**9)}"
        zone = self.rng.choice(["zone-a", "zone-b", "zone-c"])
        self.api.create("/api/v1/nodes", node(name, zone))
        eventually(lambda: self.ready(name), timeout=20)
        self.extra.append(name)

    def ready(self, name):
        status = self.api.get(f"/api/v1/nodes/{name}").get("status", {})
        return any(
            c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions", [])
        )

    def leave(self, name):
        """As an autoscaler takes one away: cordoned, emptied, deleted."""
        self.api.patch(f"/api/v1/nodes/{name}", {"spec": {"unschedulable": True}})
        pods = self.api.get("/api/v1/pods", fieldSelector=f"spec.nodeName={name}")["items"]
        for pod in pods:
            meta = pod["metadata"]
            path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
            self.api.request("DELETE", path)
        eventually(
            lambda: (
                self.api.get("/api/v1/pods", fieldSelector=f"spec.nodeName={name}")["items"] == []
            ),
            timeout=20,
        )
        self.api.delete(f"/api/v1/nodes/{name}")


class Run:
    """One workload on its way through random sizes, and the skew after each."""

    def __init__(self, api, name, ranked, seed):
        self.workload = RankedWorkload(api, make_namespace(api, name))
        self.ranked = ranked
        self.rng = random.Random(seed)
        self.size = 9
        self.skews = []
        self.workload.create(self.size, template={"spec": SPREAD})
        if ranked:
            self.workload.add_ranking("PodDeletionCost")

    def step(self):
        self.workload.wait(self.size)
        if self.ranked:
            self.workload.wait_ranked()
        self.size = self.rng.choice([n for n in range(1, 19) if n != self.size])
        self.workload.scale(self.size)
        self.skews.append(self.workload.skew())


def told(title, runs):
    skews = collections.Counter(skew for run in runs for skew in run.skews)
    total = sum(skews.values())
    even = sum(count for skew, count in skews.items() if skew <= 1)
    spread = ", ".join(f"{skew}: {count}" for skew, count in sorted(skews.items()))
    return f"{title:19} skew <= 1 after {even} of {total}, worst {max(skews)} ({spread})"


def test_zones_stay_even(stock, ranker, server, capsys):
    api = server.api
    seeds = range(SEED, SEED + WORKLOADS)
    machines = Machines(api, random.Random(SEED))
    with concurrent.futures.ThreadPoolExecutor(2 * WORKLOADS) as pool:
        making = [pool.submit(Run, api, "ranked", True, seed) for seed in seeds]
        making += [pool.submit(Run, api, "stock", False, seed) for seed in seeds]
        runs = [one.result() for one in making]
        for number in range(ROUNDS):
            if number % ROUNDS_BETWEEN_NODES == 0:
                machines.change()
            # All Deployments wait for each other, so that nodes leave between two scale-downs.
            for done in [pool.submit(run.step) for run in runs]:
                done.result()
    ranked = [run for run in runs if run.ranked]
    without = [run for run in runs if not run.ranked]
    with capsys.disabled():
        print(f"\n  {WORKLOADS * ROUNDS} random scalings by the stock controllers, seed {SEED}")
        print("  " + told("with ebb's ranker:", ranked))
        print("  " + told("without:", without))
    for run in runs:
        api.request("DELETE", f"/api/v1/namespaces/{run.workload.namespace}")
    assert {skew for run in ranked for skew in run.skews} <= {0, 1}
    # If the stock controllers had kept them even by themselves, nothing was shown.
    assert max(skew for run in without for skew in run.skews) > 1
