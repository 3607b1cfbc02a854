"""Handover from the stock controllers to ebb's and back, at a bad moment: no rollout, no orphan,
and exactly the surplus is deleted.
"""

import pytest
from rig.arena import Crowd
from rig.place import HASH, REVISION
from rig.recorder import PodRecorder

pytestmark = pytest.mark.own_system("faults")

# Slow enough that there is a middle.
QPS = 60


def pairs(arena):
    if arena.name == "ebb":
        return [("stock", "ebb"), ("ebb", "stock")]
    return [(arena.own_kind, arena.own_kind)]


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_in_the_middle_of_a_scale_down_of_500(arena, arena_place, ending):
    for first, second in pairs(arena):
        with Crowd(arena, arena_place, 550, f"{first}-to-{second}") as crowd:
            with arena.make(first, qps=QPS) as old:
                surplus = crowd.begin_scale_down(50, least=150)
                getattr(old, ending)()
            with arena.make(second):
                crowd.expect_only_the_surplus(surplus)


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_in_the_middle_of_a_rollout(arena, arena_place, ending):
    place = arena_place
    for round_, (first, second) in enumerate(pairs(arena)):
        name = f"web-{round_}"
        slow = {"metadata": {"annotations": {"ebb.dev/ready-delay": "500ms"}}}
        with arena.make(first) as old:
            place.deployment(name, 24, template=slow)
            place.wait_complete(name, 24)
            with PodRecorder(place.api, place.namespace) as recorder:
                place.set_image(name, "registry.example/web:2")
                recorder.wait_for_deletions(8)
                getattr(old, ending)()
                with arena.make(second):
                    place.wait_complete(name, 24, timeout=90)
                    recorder.expect_exactly(deleted=24, created=24)
        old_set, new_set = place.replica_sets(name)
        assert (old_set["spec"]["replicas"], new_set["spec"]["replicas"]) == (0, 24)
        assert new_set["metadata"]["annotations"][REVISION] == "2"
        hashes = {p["metadata"]["labels"][HASH] for p in place.active(f"app={name}")}
        assert hashes == {new_set["metadata"]["labels"][HASH]}


def test_to_and_fro_without_a_reason_changes_nothing(arena, arena_place):
    place = arena_place
    with arena.make(pairs(arena)[0][0]):
        place.deployment("web", 5)
        place.wait_complete("web", 5)
        place.set_image("web", "registry.example/web:2")
        place.wait_complete("web", 5)
    with PodRecorder(place.api, place.namespace) as recorder:
        before = [r["metadata"]["uid"] for r in place.replica_sets("web")]
        for kind in [kind for pair in pairs(arena) for kind in pair] * 2:
            with arena.make(kind):
                place.scale("deployments", "web", 6)
                place.wait_complete("web", 6)
                place.scale("deployments", "web", 5)
                place.wait_complete("web", 5)
        rounds = 2 * 2 * len(pairs(arena))
        recorder.expect_exactly(deleted=rounds, created=rounds)
        assert [r["metadata"]["uid"] for r in place.replica_sets("web")] == before
