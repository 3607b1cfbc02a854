"""The order in which the stock ReplicaSet controller removes pods (ActivePodsWithRanks.Less in
pkg/controller/controller_utils.go), for pods without deletion costs.

It is not a total order: pods that were created in the same second are equal, and pods whose ages
are in the same power of two are compared by uid at once, whatever criteria follow. `clear_victims`
returns the pods that go if the order leaves no choice. `goes_before_by_keys` is ebb's order, which
applies the criteria that follow (docs/decisions/0001-keys-not-comparisons.md).
"""

import calendar
import math
import time

PHASES = {"Pending": 0, "Unknown": 1, "Running": 2}


def seconds(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


class Facts:
    def __init__(self, pod, crowd):
        meta, status = pod["metadata"], pod["status"]
        ready = [c for c in status.get("conditions", []) if c["type"] == "Ready"]
        containers = status.get("containerStatuses", [])
        self.uid = meta["uid"]
        self.node = pod["spec"].get("nodeName", "")
        self.phase = PHASES[status["phase"]]
        self.ready = bool(ready) and ready[0]["status"] == "True"
        self.since = seconds(ready[0]["lastTransitionTime"]) if self.ready else None
        self.crowd = crowd[self.node]
        self.restarts = max([c["restartCount"] for c in containers], default=0)
        self.created = seconds(meta["creationTimestamp"])


def bucket(moment, now):
    age = now - moment
    return int(math.log2(age * 1e9)) if age > 0 else -1


def goes_before(a, b, now):
    if bool(a.node) != bool(b.node):
        return not a.node
    if a.phase != b.phase:
        return a.phase < b.phase
    if a.ready != b.ready:
        return not a.ready
    if a.crowd != b.crowd:
        return a.crowd > b.crowd
    if a.ready and a.since != b.since:
        return (bucket(a.since, now), a.uid) < (bucket(b.since, now), b.uid)
    if a.restarts != b.restarts:
        return a.restarts > b.restarts
    if a.created != b.created:
        return (bucket(a.created, now), a.uid) < (bucket(b.created, now), b.uid)
    return False


def goes_before_by_keys(a, b, now):
    def keys(pod):
        return (
            bool(pod.node),
            pod.phase,
            pod.ready,
            -pod.crowd,
            bucket(pod.since, now) if pod.ready else 0,
            -pod.restarts,
            bucket(pod.created, now),
            pod.uid,
        )

    return keys(a) < keys(b)


def clear_victims(pods, count, moments, goes_before=goes_before):
    """The uids of the `count` pods that go first at all of these moments; None if the order is
    ambiguous there, or changes between them."""
    crowd = {}
    for pod in pods:
        node = pod["spec"].get("nodeName", "")
        crowd[node] = crowd.get(node, 0) + 1
    facts = [Facts(pod, crowd) for pod in pods]
    found = None
    for now in moments:
        # A pod that precedes all but at most count - 1 others is a victim.
        victims = [
            a
            for a in facts
            if sum(goes_before(a, b, now) for b in facts if b is not a) >= len(facts) - count
        ]
        kept = [a for a in facts if a not in victims]
        if len(victims) != count:
            return None
        for victim in victims:
            for other in kept:
                if not goes_before(victim, other, now) or goes_before(other, victim, now):
                    return None
        uids = {victim.uid for victim in victims}
        if found is not None and uids != found:
            return None
        found = uids
    return found
