"""kube-apiserver has streaming lists on an etcd of today, and none on Debian's, on which all
other scenarios run: ours lists in pages then. Here both are seen to be what they are."""

import contextlib

import pytest
from rig.controllers import OurControllers
from rig.place import Place
from rig.recorder import PodRecorder
from rig.systems import KubeSystem
from support.names import make_namespace
from support.process import eventually

pytestmark = [pytest.mark.own_system("faults"), pytest.mark.systems("ebb")]

REFUSED = "no streaming lists here"


@contextlib.contextmanager
def ready_controllers(system):
    with OurControllers(system.server, system.folder) as controllers:
        eventually(controllers.ready, timeout=60)
        yield controllers


@pytest.mark.parametrize("etcd", ["debian", "module"])
def test_controllers_and_nodes_list_as_the_store_allows(etcd, system_name, request):
    folder = request.config.logs / f"lists-{etcd}"
    with KubeSystem(folder, None, etcd=etcd) as system:
        place = Place(system, make_namespace(system.server.api, "lists"))
        with ready_controllers(system) as controllers:
            place.deployment("web", 50)
            place.wait_complete("web", 50)
            with PodRecorder(place.api, place.namespace) as recorder:
                place.scale("deployments", "web", 20)
                recorder.expect_exactly(deleted=30, created=0)
        assert (REFUSED in controllers.log.read_text()) == (etcd == "debian")
        # And once more from the beginning, with pods already there.
        with (
            ready_controllers(system),
            PodRecorder(place.api, place.namespace) as recorder,
        ):
            place.scale("deployments", "web", 5)
            recorder.expect_exactly(deleted=15, created=0)
