"""A Deployment whose pods are ranked."""

import collections

from support.objects import policy
from support.process import eventually
from support.scaled import Workload

COST = "controller.kubernetes.io/pod-deletion-cost"
COMPANION = "ebb.dev/published-cost"
ZONE = "topology.kubernetes.io/zone"

# The scheduler keeps zones even while pods are added, but not while they are removed.
SPREAD = {
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
    ]
}


def annotation(pod, key):
    return pod["metadata"].get("annotations", {}).get(key)


class RankedWorkload(Workload):
    patience = 120  # several of them are scaled at once

    def __init__(self, api, namespace, name="web"):
        super().__init__(api, namespace, name)
        self.group_costs = f"/apis/ebb.dev/v1alpha1/namespaces/{namespace}/podgroupcosts"

    def add_ranking(self, publish, name="ranked", **ranking):
        ranking = ranking or {"preset": "keep-zones-balanced"}
        body = policy(name, self.name)
        body["spec"]["ranking"] = {**ranking, "publish": publish}
        return self.api.create(self.policies, body)

    def zone_of_nodes(self):
        return {
            node["metadata"]["name"]: node["metadata"]["labels"][ZONE]
            for node in self.api.get("/api/v1/nodes")["items"]
        }

    def by_zone(self, value):
        """value(pod) of all pods, in each zone, the lowest first."""
        zones = self.zone_of_nodes()
        found = collections.defaultdict(list)
        for pod, _ in self.pods().values():
            found[zones[pod["spec"]["nodeName"]]].append(value(pod))
        return {zone: sorted(values) for zone, values in found.items()}

    def skew(self):
        zones = set(self.zone_of_nodes().values())
        counts = self.zones()
        return max(counts[z] for z in zones) - min(counts[z] for z in zones)

    def costs(self):
        return {name: annotation(pod, COST) for name, (pod, _) in self.pods().items()}

    def wait_ranked(self):
        """Until the pods of each zone have costs of their own, and the nth to go of one zone
        has the same as the nth of another."""

        def check():
            for pod, _ in self.pods().values():
                cost = annotation(pod, COST)
                assert cost is not None, f"{pod['metadata']['name']} has no cost"
                assert annotation(pod, COMPANION) == f"PodDeletionCost={cost}"
            zones = self.by_zone(lambda pod: -int(annotation(pod, COST)))
            longest = max(zones.values(), key=len)
            assert len(set(longest)) == len(longest), f"not told apart: {zones}"
            for ranks in zones.values():
                assert ranks == longest[: len(ranks)], f"not in step: {zones}"
            return True

        return eventually(check, timeout=self.patience)
