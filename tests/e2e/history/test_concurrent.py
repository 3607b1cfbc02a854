"""Many concurrent writers and watchers: events are ordered, unique and complete, and watches can
be resumed.
"""

import time

from support.history import World


def test_watchers_see_every_write_once_and_in_order(cluster, namespace, seed):
    world = World(lambda: cluster.api, namespace, seed)
    world.start()
    for _ in range(40):
        time.sleep(0.2)
        world.check_alive()
    world.finish()
    print(world.summary())
    assert len(world.acknowledged()) > 200
