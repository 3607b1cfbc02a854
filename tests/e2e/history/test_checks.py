"""The checks of support/history.py detect violations."""

import random

import pytest
from support.history import World
from support.history_watcher import Seen, Watcher
from support.history_writer import Acknowledged


@pytest.fixture
def world():
    """One writer that made, changed, deleted and made an object, and watchers that saw it all."""
    made = World(lambda: None, "somewhere", seed=1, writers=1)
    made.writers[0].acknowledged = [
        Acknowledged("configmaps", "x", 1, 11),
        Acknowledged("configmaps", "x", 2, 12),
        Acknowledged("configmaps", "x", None, 0),
        Acknowledged("configmaps", "x", 4, 14),
    ]
    made.watchers = [Watcher(made, i, random.Random(1), "configmaps", "list") for i in range(2)]
    for watcher in made.watchers:
        watcher.gaps = [[0, 10]]
        watcher.events = [
            Seen("ADDED", "x", 11, 1),
            Seen("MODIFIED", "x", 12, 2),
            Seen("DELETED", "x", 13, 2),
            Seen("ADDED", "x", 14, 4),
        ]
    return made


def test_a_complete_history_passes(world):
    world.check_agreement()
    world.check_completeness()


@pytest.mark.parametrize("lost", range(4))
def test_a_lost_event_is_found(world, lost):
    del world.watchers[1].events[lost]
    with pytest.raises(AssertionError):
        world.check_completeness()


def test_an_event_lost_while_relisting_is_excused(world):
    world.watchers[1].events = world.watchers[1].events[:1]
    world.watchers[1].gaps.append([11, 14])
    world.check_completeness()


def test_lists_but_the_first_are_counted(world):
    assert set(world.relists().values()) == {0}
    world.watchers[1].last = 11
    world.watchers[1].forget()
    assert sorted(world.relists().values()) == [0, 1]


def test_two_stories_about_one_revision_are_found(world):
    world.watchers[1].events[1] = Seen("MODIFIED", "x", 12, 7)
    with pytest.raises(AssertionError):
        world.check_agreement()


def event(kind, at, name="x"):
    metadata = {"name": name, "resourceVersion": str(at), "annotations": {"example.com/n": "1"}}
    return {"type": kind, "object": {"metadata": metadata}}


@pytest.mark.parametrize(
    "events",
    [
        [event("ADDED", 11), event("ADDED", 12)],
        [event("MODIFIED", 11)],
        [event("DELETED", 11)],
        [event("ADDED", 11), event("MODIFIED", 11)],
        [event("ADDED", 12), event("ADDED", 11, "y")],
        [event("ADDED", 12), event("BOOKMARK", 11)],
    ],
    ids=[
        "added twice",
        "modified first",
        "deleted first",
        "same revision",
        "going back",
        "bookmark going back",
    ],
)
def test_an_impossible_order_is_found(world, events):
    watcher = world.watchers[0]
    watcher.last = 10
    with pytest.raises(AssertionError):
        for item in events:
            watcher.take(item)
