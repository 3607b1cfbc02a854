"""A kube-apiserver with the unmodified stock controllers, and shadow mode beside them."""

import tempfile

import pytest
from rig.controllers import OurShadow, StockControllers
from rig.place import Place
from rig.systems import KubeSystem
from support.names import make_namespace
from support.our_kinds import serve_our_kinds
from support.process import eventually


@pytest.fixture(scope="session")
def watched_system(system_name, request):
    assert system_name == "ebb"
    folder = tempfile.mkdtemp(prefix="shadow-", dir=request.config.logs)
    with KubeSystem(folder, None) as system:
        serve_our_kinds(system.server)
        yield system


@pytest.fixture
def no_kubelets(watched_system):
    """Pods may stay on nodes that do not exist: hollow kubelets delete them after five seconds."""
    watched_system.nodes.stop()
    yield
    watched_system.nodes.start()


@pytest.fixture
def stock(watched_system):
    with StockControllers(watched_system.server, watched_system.folder) as running:
        yield running


@pytest.fixture
def start_shadow(watched_system):
    """A function that starts shadow mode with these gates."""
    started = []

    def start(gates=None):
        running = OurShadow(watched_system.server, watched_system.folder, gates=gates).start()
        started.append(running)
        eventually(running.ready, timeout=60)
        return running

    yield start
    for running in started:
        running.kill()


@pytest.fixture
def place(watched_system, request):
    place = Place(watched_system, make_namespace(watched_system.server.api, request.node.name))
    yield place
    place.api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")
