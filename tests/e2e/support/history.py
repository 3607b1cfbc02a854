"""Writers and watchers that record what happens, and the checks of their records.

Writers change objects that no other client touches and record every answer. Watchers follow a
kind, lose their connection now and then, and record every event. Afterwards:

- a watcher's revisions only increase, and each event fits the state that the earlier ones left;
- watchers agree on what happened at a revision;
- every acknowledged write is seen by every watcher whose selection it is in;
- the final state is what the last acknowledged writes left, and what a list shows.

A write without an answer may or may not have been executed; its writer reads the object before it
continues.
"""

import random
import threading
import time

from support.api import revision
from support.history_watcher import Watcher
from support.history_writer import ABSENT, Writer, colour, value_of


class World:
    """The server, its namespace, and everyone at work in it."""

    def __init__(self, api, namespace, seed, writers=4, padding=0, refusal=None):
        self.api = api  # a function: a server that was started again has a new one
        self.namespace = namespace
        self.padding = padding  # how many bytes each object has beside what it needs
        self.refusal = refusal  # whether an answer is a refusal that a writer has to live with
        self.up = threading.Event()
        self.up.set()
        self.resting = threading.Event()  # of the writers
        self.stopping = threading.Event()  # of the watchers
        rng = random.Random(seed)
        child = lambda: random.Random(rng.getrandbits(64))  # noqa: E731
        self.writers = [Writer(self, i, child()) for i in range(writers)]
        plans = [
            (kind, mode, selection)
            for kind in ("configmaps", "pods")
            for mode, selection in (
                ("list", None),
                ("stream", None),
                ("list", "red"),
                ("stream", "blue"),
            )
        ]
        self.watchers = [Watcher(self, i, child(), *plan) for i, plan in enumerate(plans)]

    def path(self, kind, name=None):
        return f"/api/v1/namespaces/{self.namespace}/{kind}" + (f"/{name}" if name else "")

    def start(self):
        for thread in [*self.watchers, *self.writers]:
            thread.start()

    def hold(self, timeout=40.0):
        """Returns when no writer is at work, nor will be before go_on()."""
        self.up.clear()
        for writer in self.writers:
            while not writer.paused.wait(0.1):
                self.check_alive()
                timeout -= 0.1
                assert timeout > 0, f"{writer.name} does not rest"

    def go_on(self):
        self.up.set()
        while any(writer.paused.is_set() for writer in self.writers):
            time.sleep(0.001)

    def failures(self):
        return [f"{t.name}: {t.failure!r}" for t in [*self.writers, *self.watchers] if t.failure]

    def check_alive(self):
        assert not self.failures(), "\n".join(self.failures())

    def listed(self, kind, **query):
        listed = self.api().get(self.path(kind), labelSelector="history=yes", **query)
        return {
            i["metadata"]["name"]: (revision(i), value_of(i)) for i in listed["items"]
        }, revision(listed)

    def known(self, kind):
        return {
            name: known for w in self.writers for (k, name), known in w.objects.items() if k == kind
        }

    def acknowledged(self):
        return [a for w in self.writers for a in w.acknowledged]

    def check_state(self):
        """While all writers rest: every acknowledged write is there."""
        for kind in ("configmaps", "pods"):
            written = max([a.revision for a in self.acknowledged()], default=0)
            seen = max([w.last for w in self.watchers], default=0)
            states = {w: dict(w.state) for w in self.watchers if w.kind == kind and not w.selection}
            state, at = self.listed(kind)
            assert at >= written and at >= seen, (
                f"a list at {at}, but {written} was written, {seen} was seen"
            )
            for name, known in self.known(kind).items():
                there, value = state.get(name, (0, ABSENT))
                assert known.allows(value), f"{kind} {name} is {value} at {there}, but {known}"
                if value is not ABSENT and value == known.value and not known.doubtful:
                    # Hollow nodes write to pods; no other client writes to the configmaps.
                    assert there >= known.revision
                    assert kind == "pods" or there == known.revision, f"{name}: {there}, {known}"
            # Everything that a watcher saw is durable: the object is at least that new, or deleted.
            for before in states.values():
                for name, (seen, _) in before.items():
                    assert name not in state or state[name][0] >= seen, (
                        f"{kind} {name} went back from {seen}"
                    )

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
        """Each revision is one change, and all watchers that saw it saw the same."""
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
                assert seen is None or (seen[0], seen[2], seen[3]) == (
                    write.kind,
                    write.name,
                    write.value,
                )

    def check_completeness(self):
        """Every acknowledged write came to every watcher that it concerns."""
        for watcher in self.watchers:
            seen = {e.revision: e for e in watcher.events}
            for write in self.acknowledged():
                if (
                    write.kind != watcher.kind
                    or not write.revision
                    or not watcher.watched(write.revision)
                ):
                    continue
                if watcher.selection and colour(write.value) != watcher.selection:
                    event = seen.get(write.revision)
                    assert event is None or event.type == "DELETED", (
                        f"{watcher.name}: {write} {event}"
                    )
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
                    assert found, (
                        f"{watcher.name} did not see {name} deleted between {before} and {after}"
                    )

    def relists(self):
        """How often each watcher got a 410 and listed again."""
        return {w.name: sum(1 for since, _ in w.gaps if since > 0) for w in self.watchers}

    def summary(self):
        events = sum(len(w.events) for w in self.watchers)
        reconnects = sum(w.reconnects for w in self.watchers)
        relists = sum(self.relists().values())
        return f"{len(self.acknowledged())} writes, {events} events, {reconnects} connections, {relists} relists"
