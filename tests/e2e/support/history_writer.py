"""A writer that records every answer; see history.py. A write without an answer may or may not
have been executed: the writer reads the object before it continues. A refused write was not
executed.
"""

import dataclasses
import http.client
import threading
import time

from support.api import MERGE_PATCH, revision
from support.objects import config_map, pod

BROKEN = (OSError, http.client.HTTPException)
VALUE = "example.com/n"
ABSENT = None
NEVER = 2**63


def value_of(thing):
    return int(thing["metadata"]["annotations"][VALUE])


def colour(value):
    """Objects change their label with their value, so that they enter and leave selections."""
    return "red" if value % 3 else "blue"


def make(kind, name, value, padding=0):
    thing = config_map(name) if kind == "configmaps" else pod(name)
    thing["metadata"]["labels"] = {"history": "yes", "colour": colour(value)}
    thing["metadata"]["annotations"] = {VALUE: str(value), "example.com/padding": "x" * padding}
    return thing


@dataclasses.dataclass
class Acknowledged:
    kind: str
    name: str
    value: int | None  # None: deleted
    revision: int  # 0 for deletions, whose answer has none


@dataclasses.dataclass
class Known:
    """What a writer knows of an object of its own."""

    value: int | None = ABSENT
    revision: int = 0
    doubtful: bool = False
    maybe: int | None = ABSENT  # what a write without an answer would have left

    def allows(self, value):
        return value == self.value or (self.doubtful and value == self.maybe)


class Writer(threading.Thread):
    def __init__(self, world, index, rng):
        super().__init__(daemon=True, name=f"writer-{index}")
        self.world = world
        self.rng = rng
        self.objects = {
            (kind, f"w{index}-{kind[0]}{n}"): Known()
            for kind in ("configmaps", "pods")
            for n in range(4)
        }
        self.acknowledged = []
        self.counter = 0
        self.failure = None
        self.paused = threading.Event()
        self.refused_in_a_row = 0

    def run(self):
        try:
            while not self.world.resting.is_set():
                if not self.world.up.is_set():
                    self.paused.set()
                    self.world.up.wait()
                    self.paused.clear()
                self.step()
        except Exception as failure:  # pylint: disable=broad-except  # reported by the test
            self.failure = failure

    def step(self):
        key = self.rng.choice(list(self.objects))
        try:
            if self.objects[key].doubtful:
                self.look(key)
            self.write(key)
        except BROKEN:
            time.sleep(0.02)

    def look(self, key):
        known = self.objects[key]
        answer = self.world.api().request("GET", self.world.path(*key))
        assert answer.code in (200, 404), answer.body
        value = value_of(answer.json) if answer.code == 200 else ABSENT
        assert known.allows(value), f"{key} is {value}, not {known}"
        self.objects[key] = Known(value, revision(answer.json) if value is not ABSENT else 0)

    def write(self, key):
        known = self.objects[key]
        self.counter += 1
        kind, name = key
        if known.value is ABSENT:
            made = make(kind, name, self.counter, self.world.padding)
            self.attempt(key, self.counter, "POST", self.world.path(kind), made)
        elif self.rng.random() < 0.25:
            self.attempt(key, ABSENT, "DELETE", self.world.path(*key), {"gracePeriodSeconds": 0})
        elif kind == "configmaps" and self.rng.random() < 0.5:
            made = make(kind, name, self.counter, self.world.padding)
            self.attempt(key, self.counter, "PUT", self.world.path(*key), made)
        else:
            labels = {"colour": colour(self.counter)}
            patch = {"metadata": {"annotations": {VALUE: str(self.counter)}, "labels": labels}}
            self.attempt(key, self.counter, "PATCH", self.world.path(*key), patch, MERGE_PATCH)

    def attempt(self, key, value, method, path, body, content_type=None):
        known = self.objects[key]
        known.doubtful, known.maybe = True, value
        answer = self.world.api().request(method, path, body, content_type=content_type)
        if self.world.refusal and self.world.refusal(answer):
            known.doubtful = False
            self.refused_in_a_row += 1
            return
        self.refused_in_a_row = 0
        assert 200 <= answer.code < 300, f"{method} {path}: {answer.code} {answer.body}"
        at = 0 if value is ABSENT else revision(answer.json)
        self.objects[key] = Known(value, at)
        self.acknowledged.append(Acknowledged(*key, value, at))

    def deletions(self, kind):
        """For each acknowledged deletion: the name, and the revisions of the acknowledged
        writes to the same object before and after it."""
        for name in {a.name for a in self.acknowledged if a.kind == kind}:
            writes = [a for a in self.acknowledged if a.name == name]
            for i, write in enumerate(writes):
                if write.value is ABSENT:
                    before = max([w.revision for w in writes[:i]], default=0)
                    after = next((w.revision for w in writes[i:] if w.revision), NEVER)
                    yield name, before, after
