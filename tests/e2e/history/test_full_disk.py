"""A full disk: writes are refused, and nothing else changes. No acknowledged write is lost, reads
and watches continue, and writes work again once there is room.
"""

import time

import pytest
from support.ebb import QUICK, EbbCluster
from support.history import World
from support.names import make_namespace
from support.process import eventually
from support.small_disk import small_disk

pytestmark = pytest.mark.ebb_only

# History alone fills the disk: writers keep rewriting a few objects of this size.
PADDING = 20_000
BALLAST = 18 << 20


def is_refusal(answer):
    """Whether the message reports a full disk."""
    if answer.code < 500:
        return False
    status = answer.json
    assert (answer.code, status["reason"]) == (500, "InternalError"), status
    assert "the change could not be written to disk" in status["message"], status
    assert "disk is full" in status["message"], status
    return True


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk", megabytes=24) as folder:
        (folder / "ballast").write_bytes(b"x" * BALLAST)
        yield folder


@pytest.fixture
def cluster(tmp_path, disk):
    flags = ("--nodes=3x2", "--controllers=", *QUICK)
    with EbbCluster(tmp_path / "up", *flags, data_dir=disk / "data") as started:
        yield started


@pytest.fixture
def world(cluster, seed):
    made = World(
        lambda: cluster.api,
        make_namespace(cluster.api, "full"),
        seed,
        padding=PADDING,
        refusal=is_refusal,
    )
    made.start()
    return made


def wait_until_full(world):
    """Some writes may still fit: waits until all of them are refused."""

    def check():
        world.check_alive()
        return all(w.refused_in_a_row >= 10 for w in world.writers)

    eventually(check, timeout=60)


def wait_until_written(world):
    def check():
        world.check_alive()
        return all(w.refused_in_a_row == 0 for w in world.writers)

    eventually(check, timeout=30)


def free_space(disk):
    (disk / "ballast").unlink()


def check_while_full(world):
    world.hold()
    world.check_state()
    world.go_on()


def test_a_full_disk_refuses_writes_until_there_is_room(world, cluster, disk):
    wait_until_full(world)
    check_while_full(world)
    free_space(disk)
    wait_until_written(world)
    time.sleep(1)
    world.hold()
    cluster.stop()
    cluster.start()
    world.check_state()
    world.go_on()
    world.finish()
    print(world.summary())


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_what_was_acknowledged_is_there_when_it_starts_on_a_full_disk(world, cluster, disk, how):
    wait_until_full(world)
    if how == "killed":
        cluster.kill()
        world.hold()
    else:
        world.hold()
        cluster.stop()
    cluster.start()
    world.check_state()
    world.go_on()
    wait_until_full(world)
    check_while_full(world)
    free_space(disk)
    wait_until_written(world)
    world.finish()
    print(world.summary())
