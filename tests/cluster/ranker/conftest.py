"""A kube-apiserver with the unmodified stock controllers, and the ranker beside them."""

import tempfile

import pytest
from rig.controllers import OurRanker, StockControllers
from support.our_kinds import serve_our_kinds
from rig.systems import KubeSystem
from support.names import make_namespace
from support.process import eventually
from support.ranked import RankedWorkload


@pytest.fixture(scope="session")
def server(system_name, request):
    assert system_name == "ebb"
    folder = tempfile.mkdtemp(prefix="ranker-", dir=request.config.logs)
    with KubeSystem(folder, None) as system:
        serve_our_kinds(system.server)
        yield system.server


@pytest.fixture
def stock(server):
    with StockControllers(server, server.folder) as running:
        yield running


@pytest.fixture
def ranker(server):
    with OurRanker(server, server.folder) as running:
        eventually(running.ready, timeout=60)
        yield running


@pytest.fixture
def workload(server, request):
    workload = RankedWorkload(server.api, make_namespace(server.api, request.node.name))
    yield workload
    server.api.request("DELETE", f"/api/v1/namespaces/{workload.namespace}")
