"""The stock node lifecycle controller considers the nodes of `ebb nodes` alive as long as it
runs.
"""

import time

import pytest
from rig.controllers import Nodes
from rig.systems import NODES, KubeSystem
from support.kube import controller_manager
from support.process import eventually

pytestmark = [pytest.mark.own_system("node-life"), pytest.mark.systems("ebb")]

# Much less than upstream's 50 s, and more than the 10 s between two renewals.
GRACE = 16


def ready_conditions(api):
    """What each node's Ready says, and since when."""
    found = {}
    for node in api.get("/api/v1/nodes")["items"]:
        ready = next(c for c in node["status"]["conditions"] if c["type"] == "Ready")
        found[node["metadata"]["name"]] = (ready["status"], ready["lastTransitionTime"])
    return found


def test_nodes_are_alive_while_they_are_played(system_name, request):
    folder = request.config.logs / "node-life"
    with KubeSystem(folder, None) as system:
        api = system.server.api
        system.children.append(
            controller_manager(
                system.server,
                folder / "node-lifecycle.log",
                "node-lifecycle-controller",
                "--node-monitor-period=1s",
                f"--node-monitor-grace-period={GRACE}s",
            )
        )
        at_first = ready_conditions(api)
        assert {status for status, _ in at_first.values()} == {"True"}
        time.sleep(2.5 * GRACE)
        assert ready_conditions(api) == at_first

        system.nodes.stop()
        eventually(
            lambda: {status for status, _ in ready_conditions(api).values()} == {"Unknown"},
            timeout=3 * GRACE,
        )
        system.nodes = Nodes(system.server, folder, *NODES).start()
        eventually(
            lambda: {status for status, _ in ready_conditions(api).values()} == {"True"},
            timeout=GRACE,
        )
