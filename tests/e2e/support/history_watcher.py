"""A watcher that records every event and rejects impossible ones; see history.py. It loses its
connection now and then and resumes where it was, or lists again after a 410, as an informer
does.
"""

import dataclasses
import threading
import time

from support.api import NOTHING_YET, revision
from support.history_writer import BROKEN, NEVER, value_of


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
        self.resumed = 0  # of them, how many went on where the one before had ended
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
        resuming = self.last > 0
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
            self.resumed += resuming
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
        self.begin(
            {i["metadata"]["name"]: (revision(i), value_of(i)) for i in listed["items"]},
            revision(listed),
        )

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
