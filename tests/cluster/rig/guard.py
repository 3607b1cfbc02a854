"""Watches a rollout and records when it leaves its bounds."""

import threading

from rig.place import HASH, is_active, is_ready
from support.api import NOTHING_YET


class RolloutGuard:
    """Holds while, at every moment,
    the sizes that the ReplicaSets of the namespace want add up to at most `most`;
    at least `least` pods are ready;
    and, unless mixed, no pod of one template is there while one of another still is.
    """

    def __init__(self, place, name, most, least, mixed=True):
        self.place = place
        self.name = name
        self.most = most
        self.least = least
        self.mixed = mixed
        self.breaches = []
        self.sets = {}
        self.pods = {}
        self._stopping = threading.Event()

    def __enter__(self):
        self.threads = []
        for path, state, check in (
            (f"{self.place.apps}/replicasets", self.sets, self._check_sets),
            (self.place.pods_path, self.pods, self._check_pods),
        ):
            listed = self.place.api.get(path)
            for thing in listed["items"]:
                state[thing["metadata"]["name"]] = thing
            watch = self.place.api.watch(
                path, resourceVersion=listed["metadata"]["resourceVersion"]
            )
            thread = threading.Thread(target=self._follow, args=(watch, state, check), daemon=True)
            self.threads.append(thread)
            thread.start()
        return self

    def _follow(self, watch, state, check):
        with watch:
            while not self._stopping.is_set():
                event = watch.poll(0.2)
                if event is NOTHING_YET:
                    continue
                if event is None:
                    self.breaches.append("a watch ended")
                    return
                thing = event["object"]
                if event["type"] == "DELETED":
                    state.pop(thing["metadata"]["name"], None)
                else:
                    state[thing["metadata"]["name"]] = thing
                check()

    def _check_sets(self):
        wanted = sum(r["spec"]["replicas"] for r in self.sets.values())
        if wanted > self.most:
            self.breaches.append(f"{wanted} wanted, {self.most} allowed")

    def _check_pods(self):
        ready = sum(is_active(p) and is_ready(p) for p in self.pods.values())
        if ready < self.least:
            self.breaches.append(f"{ready} ready, {self.least} needed")
        if not self.mixed:
            there = {p["metadata"]["labels"].get(HASH) for p in self.pods.values()}
            if len(there) > 1:
                self.breaches.append(f"pods of {there} at once")

    def __exit__(self, kind, *_):
        self._stopping.set()
        for thread in self.threads:
            thread.join(10)
        if kind is None:
            assert not self.breaches, self.breaches[:5]
