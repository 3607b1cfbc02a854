"""`kill -9` at any moment loses nothing that was acknowledged or seen, and watches continue.
EBB_E2E_KILLS=1000 kills more often.
"""

import os
import random
import time

import pytest
from support.ebb import QUICK, EbbCluster
from support.history import World
from support.names import make_namespace

pytestmark = pytest.mark.ebb_only
KILLS = int(os.environ.get("EBB_E2E_KILLS") or 200)


@pytest.mark.timeout(120 + 2 * KILLS)
def test_nothing_acknowledged_is_lost_in_200_kills(tmp_path, seed):
    rng = random.Random(seed ^ 1)
    with EbbCluster(
        tmp_path / "up", "--nodes=3x2", "--controllers=", *QUICK, data_dir=tmp_path / "data"
    ) as cluster:
        world = World(lambda: cluster.api, make_namespace(cluster.api, "kills"), seed, writers=6)
        world.start()
        for _ in range(KILLS):
            before = len(world.acknowledged())
            time.sleep(rng.uniform(0.01, 0.2))
            while len(world.acknowledged()) == before:
                time.sleep(0.005)
                world.check_alive()
            # In the middle of what the writers do; they notice, and rest.
            cluster.kill()
            world.hold()
            cluster.start()
            world.check_alive()
            world.check_state()
            world.go_on()
        time.sleep(1)
        world.finish()
        print(world.summary())
        assert len(world.acknowledged()) > 10 * KILLS
        # The history is on disk too, so watches resume; one relist is tolerated.
        assert max(world.relists().values()) <= 1, world.relists()
        assert min(w.resumed for w in world.watchers) >= KILLS / 4


def test_revisions_go_on_after_a_clean_stop(tmp_path):
    cluster = EbbCluster(tmp_path / "up", "--controllers=", *QUICK, data_dir=tmp_path / "data")
    path = "/api/v1/namespaces/default/configmaps"
    revisions = []
    for turn in range(3):
        with cluster:
            made = cluster.api.create(path, {"metadata": {"name": f"m{turn}"}})
            revisions.append(int(made["metadata"]["resourceVersion"]))
            names = [i["metadata"]["name"] for i in cluster.api.get(path)["items"]]
            assert [n for n in names if n.startswith("m")] == [f"m{t}" for t in range(turn + 1)]
    assert revisions == sorted(set(revisions))
