"""A kube-apiserver for picker tests, which install and remove custom kinds."""

import contextlib
import tempfile

import pytest
from rig.controllers import OurControllers
from support.our_kinds import serve_our_kinds, take_our_kinds_away
from rig.systems import KubeSystem
from support.names import make_namespace
from support.scaled import Workload

# Where the pickers of tests are; a cluster's would be at a private address.
FLAGS = ("--picker-allow-cidr=127.0.0.0/8",)


@pytest.fixture(scope="session")
def server(system_name, request):
    assert system_name == "ebb"
    folder = tempfile.mkdtemp(prefix="pickers-", dir=request.config.logs)
    with KubeSystem(folder, None) as system:
        yield system.server


@pytest.fixture
def controllers(server):
    """Running ones, with our kinds installed before they start."""
    serve_our_kinds(server)
    with OurControllers(server, server.folder, flags=FLAGS) as running:
        yield running


@pytest.fixture
def controllers_without_our_kinds(server):
    take_our_kinds_away(server)
    with OurControllers(server, server.folder, flags=FLAGS) as running:
        yield running


@pytest.fixture
def workload(server, request):
    workload = Workload(server.api, make_namespace(server.api, request.node.name))
    yield workload
    server.api.request("DELETE", f"/api/v1/namespaces/{workload.namespace}")


@pytest.fixture
def pickers():
    """Pickers that end with the test."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context
