"""On Debian's etcd kube-apiserver has no streaming lists; ours lists in pages then."""

import pytest
from rig.controllers import OurControllers
from rig.place import Place, by_hand
from rig.recorder import PodRecorder
from rig.systems import grant_what_is_deployed
from support.kube_api_server import KubeApiServer
from support.names import make_namespace

pytestmark = [pytest.mark.own_system("faults"), pytest.mark.systems("ebb")]


class System:
    def __init__(self, server):
        self.server = server


def test_controllers_do_without_streaming_lists(system_name, request):
    folder = request.config.logs / "old-store"
    with KubeApiServer(folder, etcd="debian") as server:
        grant_what_is_deployed(server.api)
        place = Place(System(server), make_namespace(server.api, "old-store"))
        with OurControllers(server, folder), PodRecorder(server.api, place.namespace) as recorder:
            place.deployment("web", 50, **by_hand({"app": "web"}))
            place.wait_status("deployments", "web", replicas=50)
            place.scale("deployments", "web", 20)
            place.wait_status("deployments", "web", replicas=20)
            recorder.expect_exactly(deleted=30, created=50)
        # And once more from the beginning, with pods already there.
        with OurControllers(server, folder), PodRecorder(server.api, place.namespace) as recorder:
            place.scale("deployments", "web", 5)
            recorder.expect_exactly(deleted=15, created=0)
