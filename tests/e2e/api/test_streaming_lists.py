"""Streaming lists: a watch that begins with all existing objects."""

import pytest
from support.api import revision
from support.objects import config_map

STREAMING = {
    "sendInitialEvents": "true",
    "resourceVersionMatch": "NotOlderThan",
    "allowWatchBookmarks": "true",
}
END = "k8s.io/initial-events-end"


@pytest.fixture
def maps(core):
    return f"{core}/configmaps"


def ours(name, n="0", **labels):
    return config_map(name, {"n": n}, {"mine": "yes", **labels})


def is_end(event):
    return (
        event["type"] == "BOOKMARK"
        and event["object"]["metadata"].get("annotations", {}).get(END) == "true"
    )


def initial(watch):
    """The events before the bookmark that ends the list, and that bookmark."""
    events = []
    while not is_end(event := watch.next()):
        assert event["type"] == "ADDED"
        events.append(event)
    return events, event


@pytest.mark.parametrize("start", [None, "", "0"])
def test_everything_then_a_bookmark_then_what_changes(api, maps, start):
    stored = [api.create(maps, ours(name)) for name in ("a", "b", "c")]
    with api.watch(maps, labelSelector="mine=yes", resourceVersion=start, **STREAMING) as watch:
        events, end = initial(watch)
        assert sorted(e["object"]["metadata"]["name"] for e in events) == ["a", "b", "c"]
        assert end["object"]["kind"] == "ConfigMap"
        assert revision(end["object"]) >= revision(stored[-1])
        changed = api.patch(f"{maps}/a", {"data": {"n": "1"}})
        event = watch.next()
        assert (event["type"], revision(event["object"])) == ("MODIFIED", revision(changed))


def test_an_empty_one_still_has_its_bookmark(api, maps):
    with api.watch(maps, labelSelector="mine=nobody", **STREAMING) as watch:
        events, end = initial(watch)
        assert events == []
        assert revision(end["object"]) > 0


def test_it_is_at_least_as_new_as_asked_for(api, maps):
    stored = api.create(maps, ours("a"))
    with api.watch(
        maps, labelSelector="mine=yes", resourceVersion=revision(stored), **STREAMING
    ) as watch:
        events, end = initial(watch)
        assert [e["object"]["metadata"]["name"] for e in events] == ["a"]
        assert revision(end["object"]) >= revision(stored)


def test_it_sees_every_write_acknowledged_before(api, maps):
    """Without a revision the list is consistent, not any cached state."""
    for turn in range(20):
        api.create(maps, ours(f"m{turn:02}"))
        with api.watch(maps, labelSelector="mine=yes", **STREAMING) as watch:
            events, _ = initial(watch)
            assert len(events) == turn + 1


def test_a_revision_too_large_times_out(api, maps):
    with api.watch(maps, resourceVersion=10**9, **STREAMING) as watch:
        if watch.code == 200:
            event = watch.next(15)
            assert event["type"] == "ERROR"
            status = event["object"]
        else:
            status = watch.status
        assert (status["code"], status["reason"]) == (504, "Timeout")
        assert status["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge"


def test_without_initial_events_it_starts_at_the_revision(api, maps):
    stored = api.create(maps, ours("a"))
    query = {**STREAMING, "sendInitialEvents": "false"}
    with api.watch(maps, resourceVersion=revision(stored), **query) as watch:
        api.create(maps, ours("b"))
        event = watch.next()
        assert event["object"]["metadata"]["name"] == "b"


REFUSED = [
    {"sendInitialEvents": "true"},
    {"sendInitialEvents": "true", "allowWatchBookmarks": "true"},
    {
        "sendInitialEvents": "true",
        "resourceVersionMatch": "Exact",
        "allowWatchBookmarks": "true",
        "resourceVersion": "5",
    },
    {"resourceVersionMatch": "NotOlderThan", "resourceVersion": "5"},
]


@pytest.mark.parametrize("query", REFUSED, ids=["&".join(q) for q in REFUSED])
def test_half_of_the_parameters_is_invalid(api, maps, query):
    with api.watch(maps, **query) as watch:
        assert watch.code == 422
        assert watch.status["reason"] == "Invalid"
