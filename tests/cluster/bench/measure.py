"""Measurements from outside: the CPU time and memory of a process, and when pods come and go."""

import os
import threading
import time

from support.api import NOTHING_YET

TICKS = os.sysconf("SC_CLK_TCK")
METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        # The program's name may hold spaces; what follows it does not.
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(pid, field):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        line = next(x for x in file if x.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024


def peak_megabytes(pid):
    return megabytes(pid, "VmHWM")


def resident_megabytes(pid):
    return megabytes(pid, "VmRSS")


class PodCounter:
    """Counts the pods of a namespace as they come and as they begin to go, and knows when the
    first and the last one did. It reads metadata only, to take little of the machine, and goes
    on where it was when the server ends a watch that does not keep up."""

    def __init__(self, api, namespace):
        self.come, self.going = set(), set()
        self.first_going = None
        self._api = api
        self._path = f"/api/v1/namespaces/{namespace}/pods"
        self._from = api.get(self._path, limit=1)["metadata"]["resourceVersion"]
        self._change = threading.Condition()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._stopping.is_set():
            with self._api.watch(self._path, METADATA, resourceVersion=self._from) as watch:
                while not self._stopping.is_set():
                    event = watch.poll(0.2)
                    if event is NOTHING_YET:
                        continue
                    if event is None:
                        break
                    self._take(event)

    def _take(self, event):
        assert event["type"] != "ERROR", event
        meta = event["object"]["metadata"]
        self._from = meta["resourceVersion"]
        with self._change:
            if event["type"] == "ADDED":
                self.come.add(meta["uid"])
            elif event["type"] == "DELETED" or "deletionTimestamp" in meta:
                self.going.add(meta["uid"])
                self.first_going = self.first_going or time.monotonic()
            self._change.notify_all()

    def wait(self, come=0, going=0, timeout=1800):
        """Until so many came and so many began to go; returns the time."""
        with self._change:
            arrived = self._change.wait_for(
                lambda: len(self.come) >= come and len(self.going) >= going, timeout
            )
            assert arrived, f"{len(self.come)} of {come} came, {len(self.going)} of {going} go"
            return time.monotonic()

    def close(self):
        self._stopping.set()
        self._thread.join(10)
