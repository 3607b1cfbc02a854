"""Writers and watchers that remember, and what must hold between their memories.

Writers change objects that only they touch and note every answer. Watchers follow a kind,
lose their connection now and then, and note every event. Afterwards:
- a watcher's revisions only grow, and each event fits the state that the earlier ones left;
- watchers agree on what happened at a revision;
- every acknowledged write is seen by every watcher whose selection it is in;
- the state at the end is what the last acknowledged writes left, and what a list shows.
A write without an answer may have happened or not; its writer looks before it goes on.
"""

import dataclasses
import http.client
import random
import threading
import time

from support.api import MERGE_PATCH, NOTHING_YET, revision
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


def make(kind, name, value):
    thing = config_map(name) if kind == "configmaps" else pod(name)
    thing["metadata"]["labels"] = {"history": "yes", "colour": colour(value)}
    thing["metadata"]["annotations"] = {VALUE: str(value)}
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
            (kind, f"w{index}-{kind[0]}{n}"): Known() for kind in ("configmaps", "pods") for n in range(4)
        }
        self.acknowledged = []
        self.counter = 0
        self.failure = None
        self.paused = threading.Event()

    def run(self):
        try:
            while not self.world.resting.is_set():
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
            self.paused.set()
            time.sleep(0.02)
            self.world.up.wait()
            self.paused.clear()

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
            self.attempt(key, self.counter, "POST", self.world.path(kind), make(kind, name, self.counter))
        elif self.rng.random() < 0.25:
            self.attempt(key, ABSENT, "DELETE", self.world.path(*key), {"gracePeriodSeconds": 0})
        elif kind == "configmaps" and self.rng.random() < 0.5:
            self.attempt(key, self.counter, "PUT", self.world.path(*key), make(kind, name, self.counter))
        else:
            labels = {"colour": colour(self.counter)}
            patch = {"metadata": {"annotations": {VALUE: str(self.counter)}, "labels": labels}}
            self.attempt(key, self.counter, "PATCH", self.world.path(*key), patch, MERGE_PATCH)

    def attempt(self, key, value, method, path, body, content_type=None):
        known = self.objects[key]
        known.doubtful, known.maybe = True, value
        answer = self.world.api().request(method, path, body, content_type=content_type)
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


@dataclasses.dataclass
class Seen:
    type: str
    name: str
    revision: int
    value: int


class Watcher(threading.Thread):
    """mode: `list` lists and watches from there; `stream` uses a streaming list."""

    def __init__(self, world, index, rng, kind, mode, selection=None):
        super().__init__(daemon=True, name=f"watcher-{index}-{kind}-{mode}-{selection}")
        self.world = world
        self.rng = rng
        self.kind = kind
        self.mode = mode
        self.selection = selection
        self.state = {}
        self.events = []
        self.gaps = []  # pairs of revisions: what happened between them was not watched
        self.last = 0
        self.reconnects = 0
        self.failure = None

    def selector(self):
        return "history=yes" + (f",colour={self.selection}" if self.selection else "")

    def run(self):
        try:
            while not self.world.stopping.is_set():
                try:
                    self.follow()
                except BROKEN:
                    time.sleep(0.02)
                    self.world.up.wait()
        except Exception as failure:  # pylint: disable=broad-except  # reported by the test
            self.failure = failure

    def follow(self):
        """One connection, until it ends."""
        if self.last == 0 and self.mode == "list":
            self.relist()
        path = self.world.path(self.kind)
        query = {"labelSelector": self.selector(), "allowWatchBookmarks": "true"}
        streaming = self.last == 0
        if streaming:
            query |= {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
        else:
            query["resourceVersion"] = self.last
        give_up = time.monotonic() + self.rng.uniform(0.3, 2.0)
        with self.world.api().watch(path, **query) as watch:
            if watch.code == 410:
                self.forget()
                return
            assert watch.code == 200, watch.body
            if streaming:
                self.take_list(watch)
            self.reconnects += 1
            while time.monotonic() < give_up and not self.world.stopping.is_set():
                event = watch.poll(0.1)
                if event is NOTHING_YET:
                    continue
                if event is None:
                    return
                if event["type"] == "ERROR":
                    assert event["object"]["code"] == 410, event
                    self.forget()
                    return
                self.take(event)

    def forget(self):
        """The revision is gone: begin anew, as an informer does."""
        self.gaps.append([self.last, None])
        self.last = 0

    def relist(self):
        listed = self.world.api().get(self.world.path(self.kind), labelSelector=self.selector())
        self.begin({i["metadata"]["name"]: (revision(i), value_of(i)) for i in listed["items"]}, revision(listed))

    def take_list(self, watch):
        state = {}
        while True:
            event = watch.next(20)
            if event is None:
                raise ConnectionError("the stream ended within its list")
            if event["type"] == "BOOKMARK":
                break
            assert event["type"] == "ADDED", event
            name = event["object"]["metadata"]["name"]
            assert name not in state, f"{name} came twice in a streaming list"
            state[name] = (revision(event["object"]), value_of(event["object"]))
        assert event["object"]["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true"
        at = revision(event["object"])
        assert all(r <= at for r, _ in state.values())
        self.begin(state, at)

    def begin(self, state, at):
        if self.gaps and self.gaps[-1][1] is None:
            assert at >= self.gaps[-1][0], "a list is older than what was already seen"
            self.gaps[-1][1] = at
        elif not self.events and not self.gaps:
            self.gaps.append([0, at])
        self.state = state
        self.last = at

    def take(self, event):
        thing = event["object"]
        at = revision(thing)
        if event["type"] == "BOOKMARK":
            assert at >= self.last, f"a bookmark at {at} after {self.last}"
            self.last = at
            return
        assert at > self.last, f"{event['type']} at {at} after {self.last}"
        name, value = thing["metadata"]["name"], value_of(thing)
        if event["type"] == "ADDED":
            assert name not in self.state, f"{name} was added twice"
            self.state[name] = (at, value)
        elif event["type"] == "MODIFIED":
            assert name in self.state, f"{name} was modified before it was added"
            self.state[name] = (at, value)
        else:
            assert event["type"] == "DELETED", event
            assert name in self.state, f"{name} was deleted before it was added"
            del self.state[name]
        self.last = at
        self.events.append(Seen(event["type"], name, at, value))

    def watched(self, at):
        """Whether this revision came while this watcher was not looking at lists instead."""
        return not any(since < at <= until for since, until in self.closed_gaps())

    def watched_between(self, before, after):
        return not any(since < after and until > before for since, until in self.closed_gaps())

    def closed_gaps(self):
        return [(since, NEVER if until is None else until) for since, until in self.gaps]


class World:
    """The server, its namespace, and everyone at work in it."""

    def __init__(self, api, namespace, seed, writers=4):
        self.api = api  # a function: a server that was started again has a new one
        self.namespace = namespace
        self.up = threading.Event()
        self.up.set()
        self.resting = threading.Event()  # of the writers
        self.stopping = threading.Event()  # of the watchers
        rng = random.Random(seed)
        child = lambda: random.Random(rng.getrandbits(64))  # noqa: E731
        self.writers = [Writer(self, i, child()) for i in range(writers)]
        plans = [(kind, mode, selection) for kind in ("configmaps", "pods")
                 for mode, selection in (("list", None), ("stream", None), ("list", "red"), ("stream", "blue"))]
        self.watchers = [Watcher(self, i, child(), *plan) for i, plan in enumerate(plans)]

    def path(self, kind, name=None):
        return f"/api/v1/namespaces/{self.namespace}/{kind}" + (f"/{name}" if name else "")

    def start(self):
        for thread in [*self.watchers, *self.writers]:
            thread.start()

    def failures(self):
        return [f"{t.name}: {t.failure!r}" for t in [*self.writers, *self.watchers] if t.failure]

    def check_alive(self):
        assert not self.failures(), "\n".join(self.failures())

    def listed(self, kind, **query):
        listed = self.api().get(self.path(kind), labelSelector="history=yes", **query)
        return {i["metadata"]["name"]: (revision(i), value_of(i)) for i in listed["items"]}, revision(listed)

    def known(self, kind):
        return {name: known for w in self.writers for (k, name), known in w.objects.items() if k == kind}

    def acknowledged(self):
        return [a for w in self.writers for a in w.acknowledged]

    def check_state(self):
        """While all writers rest: every acknowledged write is there."""
        for kind in ("configmaps", "pods"):
            written = max([a.revision for a in self.acknowledged()], default=0)
            seen = max([w.last for w in self.watchers], default=0)
            states = {w: dict(w.state) for w in self.watchers if w.kind == kind and not w.selection}
            state, at = self.listed(kind)
            assert at >= written and at >= seen, f"a list at {at}, but {written} was written, {seen} was seen"
            for name, known in self.known(kind).items():
                there, value = state.get(name, (0, ABSENT))
                assert known.allows(value), f"{kind} {name} is {value} at {there}, but {known}"
                if value is not ABSENT and value == known.value and not known.doubtful:
                    # Nodes' stand-ins write to pods; nobody else writes to the configmaps.
                    assert there >= known.revision
                    assert kind == "pods" or there == known.revision, f"{name}: {there}, {known}"
            # What a watcher saw was durable: the object is at least that new, or gone since.
            for before in states.values():
                for name, (seen, _) in before.items():
                    assert name not in state or state[name][0] >= seen, f"{kind} {name} went back from {seen}"

    def finish(self, timeout=30.0):
        """Stops the writers, lets the watchers catch up, and checks everything."""
        self.resting.set()
        for writer in self.writers:
            writer.join(60)
        self.check_alive()
        self.check_state()
        deadline = time.monotonic() + timeout
        while behind := [w.name for w in self.watchers if not self.caught_up(w)]:
            self.check_alive()
            assert time.monotonic() < deadline, f"these never caught up: {behind}"
            time.sleep(0.05)
        self.stopping.set()
        for watcher in self.watchers:
            watcher.join(20)
        self.check_alive()
        self.check_agreement()
        self.check_completeness()

    def caught_up(self, watcher):
        state, _ = self.listed(watcher.kind)
        if watcher.selection:
            state = {n: s for n, s in state.items() if colour(s[1]) == watcher.selection}
        return watcher.state == state

    def check_agreement(self):
        """One thing happens at a revision, and all who saw it saw the same."""
        at = {}
        for watcher in self.watchers:
            for event in watcher.events:
                if watcher.selection:
                    # Selections turn changes into additions and deletions, with other states.
                    thing = (watcher.kind, event.name)
                    assert at.setdefault((event.revision, "name"), thing) == thing
                else:
                    thing = (watcher.kind, event.type, event.name, event.value)
                    assert at.setdefault((event.revision, "all"), thing) == thing
        for write in self.acknowledged():
            if write.revision:
                seen = at.get((write.revision, "all"))
                assert seen is None or (seen[0], seen[2], seen[3]) == (write.kind, write.name, write.value)

    def check_completeness(self):
        """Every acknowledged write came to every watcher that it concerns."""
        for watcher in self.watchers:
            seen = {e.revision: e for e in watcher.events}
            for write in self.acknowledged():
                if write.kind != watcher.kind or not write.revision or not watcher.watched(write.revision):
                    continue
                if watcher.selection and colour(write.value) != watcher.selection:
                    event = seen.get(write.revision)
                    assert event is None or event.type == "DELETED", f"{watcher.name}: {write} {event}"
                else:
                    event = seen.get(write.revision)
                    assert event, f"{watcher.name} never saw {write}"
                    assert (event.name, event.value) == (write.name, write.value)
            if not watcher.selection:
                self.check_deletions(watcher)

    def check_deletions(self, watcher):
        """An acknowledged deletion was seen between the writes before and after it."""
        seen = {}
        for event in watcher.events:
            if event.type == "DELETED":
                seen.setdefault(event.name, []).append(event.revision)
        for writer in self.writers:
            for name, before, after in writer.deletions(watcher.kind):
                if watcher.watched_between(before, after):
                    # There may be more, by writes that were never answered.
                    found = [r for r in seen.get(name, []) if before < r < after]
                    assert found, f"{watcher.name} did not see {name} deleted between {before} and {after}"

    def summary(self):
        events = sum(len(w.events) for w in self.watchers)
        reconnects = sum(w.reconnects for w in self.watchers)
        gaps = sum(len(w.gaps) - 1 for w in self.watchers)
        return f"{len(self.acknowledged())} writes, {events} events, {reconnects} connections, {gaps} relists"

