"""The server or the controller dies, or etcd is paused, in the middle of a scale-down: exactly
the surplus is deleted, whichever process continues it.
"""

import signal
import time

import pytest
from rig.arena import Crowd

pytestmark = pytest.mark.own_system("faults")

QPS = 60
ELECTION = (
    "--leader-elect-lease-duration=9s",
    "--leader-elect-renew-deadline=4s",
    "--leader-elect-retry-period=1s",
)


def leases(place):
    items = place.api.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")["items"]
    return [x for x in items if x["metadata"]["name"].startswith("ebb")]


def holder(place):
    held = [x["spec"].get("holderIdentity") for x in leases(place)]
    return held[0] if held else None


def wait_for_holder(place, other_than=None, timeout=40):
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        found = holder(place)
        if found and found != other_than:
            return found
        time.sleep(0.1)
    raise AssertionError(f"no new holder of the lease within {timeout} s: {leases(place)}")


def test_the_api_server_is_killed_and_comes_back(arena, arena_place):
    with Crowd(arena, arena_place, 550) as crowd, arena.make(qps=QPS):
        surplus = crowd.begin_scale_down(50, least=150)
        arena.server.restart()
        crowd.expect_only_the_surplus(surplus)


def test_the_store_hangs_for_ten_seconds(arena, arena_place):
    with Crowd(arena, arena_place, 550) as crowd, arena.make(qps=QPS):
        surplus = crowd.begin_scale_down(50, least=150)
        arena.server.pause(10)
        crowd.expect_only_the_surplus(surplus)


def test_the_controller_is_killed_again_and_again(arena, arena_place):
    """No lease keeps a successor from starting before all that the dead one sent has landed, so
    the test does."""
    crowd = Crowd(arena, arena_place, 350)
    with crowd:
        arena_place.scale("deployments", "crowd", 50)
        for least in (60, 120, 180):
            with arena.make(qps=QPS) as running:
                crowd.recorder.wait_for_deletions(least)
                running.kill()
            crowd.recorder.wait_for_silence()
        crowd.size = 50
        with arena.make():
            crowd.expect_only_the_surplus(300)
        # And up: what a dead one created is found by its successor.
        arena_place.scale("deployments", "crowd", 200)
        for least in (40, 80):
            with arena.make(qps=QPS) as running:
                while len(crowd.recorder.created) < least:
                    time.sleep(0.01)
                running.kill()
            crowd.recorder.wait_for_silence()
        crowd.size = 200
        with arena.make():
            crowd.expect_only_the_surplus(300, created=150)


@pytest.mark.systems("ebb", "up")
def test_the_leader_of_two_is_killed(arena, arena_place):
    options = {"qps": QPS, "leader_elect": True, "flags": ELECTION}
    with Crowd(arena, arena_place, 550) as crowd, arena.make(**options) as leader:
        first = wait_for_holder(arena_place)
        with arena.make(**options) as follower:
            time.sleep(2)
            assert holder(arena_place) == first
            surplus = crowd.begin_scale_down(50, least=150)
            leader.kill()
            wait_for_holder(arena_place, other_than=first)
            crowd.expect_only_the_surplus(surplus)
            assert follower.child.running()
            assert follower.stop() == 0


@pytest.mark.systems("ebb", "up")
def test_a_leader_that_is_asked_to_stop_releases_the_lease(arena, arena_place):
    options = {"qps": QPS, "leader_elect": True, "flags": ELECTION}
    with Crowd(arena, arena_place, 350) as crowd:
        with arena.make(**options) as leader:
            surplus = crowd.begin_scale_down(50, least=100)
            assert leader.stop() == 0
        assert not holder(arena_place)
        with arena.make(**options):
            wait_for_holder(arena_place, timeout=5)
            crowd.expect_only_the_surplus(surplus)


@pytest.mark.systems("ebb", "up")
def test_a_leader_that_stood_still_deletes_nothing_more_than_the_surplus(arena, arena_place):
    """Two processes act at once only if the one that wakes up believes that it still leads."""
    options = {"qps": QPS, "leader_elect": True, "flags": ELECTION}
    with Crowd(arena, arena_place, 550) as crowd, arena.make(**options) as leader:
        first = wait_for_holder(arena_place)
        with arena.make(**options):
            surplus = crowd.begin_scale_down(50, least=150)
            leader.child.process.send_signal(signal.SIGSTOP)
            try:
                wait_for_holder(arena_place, other_than=first)
                time.sleep(1)
            finally:
                leader.child.process.send_signal(signal.SIGCONT)
            crowd.expect_only_the_surplus(surplus)
