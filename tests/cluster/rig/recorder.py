"""Counts the pods of a namespace that are created and deleted.

A watch sees every pod come and go, once by uid, however often a server restarts or a connection
breaks. It misses only a pod that came and went in a period that a restarted server no longer
remembers (410); `gaps` counts these periods.
"""

import http.client
import threading
import time

from support.api import NOTHING_YET, Refused
from support.process import eventually

BROKEN = (OSError, http.client.HTTPException, Refused)


class PodRecorder:
    def __init__(self, api, namespace):
        self.api = api
        self.path = f"/api/v1/namespaces/{namespace}/pods"
        self.before = {}  # uid -> name
        self.created = {}
        self.leaving = {}  # uid -> when first seen terminating or gone
        self.owners = {}  # uid -> uid of the controller
        self.gone = set()
        self.gaps = 0
        self._stopping = threading.Event()
        self._known = {}
        self._already_leaving = set()  # before it began to count
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        listed = self.api.get(self.path)
        for pod in listed["items"]:
            uid = pod["metadata"]["uid"]
            if "deletionTimestamp" in pod["metadata"]:
                self._already_leaving.add(uid)
            self.before[uid] = pod["metadata"]["name"]
            self._see(pod)
        self._from = listed["metadata"]["resourceVersion"]
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping.set()
        self._thread.join(10)

    def _run(self):
        while not self._stopping.is_set():
            try:
                self._watch()
            except BROKEN:
                time.sleep(0.1)

    def _watch(self):
        with self.api.watch(
            self.path, resourceVersion=self._from, allowWatchBookmarks="true"
        ) as watch:
            if watch.code == 410:
                self._list_again()
            if watch.code != 200:
                time.sleep(0.2)
                return
            while not self._stopping.is_set():
                event = watch.poll(0.2)
                if event is NOTHING_YET:
                    continue
                if event is None:
                    return
                if event["type"] == "ERROR":
                    if event["object"].get("code") == 410:
                        self._list_again()
                    return
                self._from = event["object"]["metadata"]["resourceVersion"]
                if event["type"] != "BOOKMARK":
                    self._see(event["object"], event["type"] == "DELETED")

    def _list_again(self):
        listed = self.api.get(self.path)
        self.gaps += 1
        there = {pod["metadata"]["uid"] for pod in listed["items"]}
        for uid in list(self._known):
            if uid not in there and uid not in self.gone:
                self.leaving.setdefault(uid, time.monotonic())
                self.gone.add(uid)
        for pod in listed["items"]:
            self._see(pod)
        self._from = listed["metadata"]["resourceVersion"]

    def _see(self, pod, deleted=False):
        meta = pod["metadata"]
        uid = meta["uid"]
        if uid in self._already_leaving:
            return
        self._known[uid] = meta["name"]
        if uid not in self.before:
            self.created.setdefault(uid, meta["name"])
        for owner in meta.get("ownerReferences", []):
            if owner.get("controller"):
                self.owners[uid] = owner["uid"]
        if deleted or "deletionTimestamp" in meta:
            self.leaving.setdefault(uid, time.monotonic())
        if deleted:
            self.gone.add(uid)

    def names_leaving(self):
        return {self._known[uid] for uid in self.leaving}

    def wait_for_deletions(self, least, timeout=60):
        eventually(lambda: len(self.leaving) >= least, timeout=timeout, interval=0.005)

    def wait_for_silence(self, seconds=1.0, timeout=30):
        """Until nothing has come or gone for so long."""
        deadline = time.monotonic() + timeout
        seen, since = None, time.monotonic()
        while time.monotonic() < deadline:
            now = (len(self.leaving), len(self.created))
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since >= seconds:
                return
            time.sleep(0.02)
        raise AssertionError(f"pods come and go all the time, for {timeout} s")

    def expect_exactly(self, deleted, created=0, calm=2.0, timeout=120):
        """So many deletions and creations, and after a moment of calm no more."""

        def there():
            got = (len(self.leaving), len(self.created))
            assert got >= (deleted, created), f"(deleted, created) {got} of {(deleted, created)}"
            return True

        eventually(there, timeout=timeout)
        time.sleep(calm)
        got = (len(self.leaving), len(self.created))
        assert got == (deleted, created), f"(deleted, created) {got}, want {(deleted, created)}"
