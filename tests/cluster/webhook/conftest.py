"""A kube-apiserver, or the API server of `ebb up`, with the unchanged stock controllers, for
`ebb webhook` beside them.
"""

import contextlib
import pathlib
import tempfile

import pytest
from rig.systems import KubeSystem, UpSystem
from rig.webhook import CommonAccount, RealAccounts, Webhooks, deploy
from support.kube_api_server import TOOLS
from support.kubectl import Kubectl
from support.names import make_namespace
from support.our_kinds import serve_our_kinds
from support.scaled import Workload


@pytest.fixture(scope="session")
def server(system_name, request):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="webhook-", dir=request.config.logs))
    real = system_name == "ebb"
    with KubeSystem(folder, None) if real else UpSystem(folder, "garbage-collector") as system:
        serve_our_kinds(system.server)
        for manifest in ("webhook.yaml", "pod-guard.yaml"):
            deploy(system.server, manifest)
        with (RealAccounts if real else CommonAccount)(system.server, folder):
            yield system.server


@pytest.fixture(scope="session")
def webhooks(server):
    running = Webhooks(server)
    yield running
    running.stop()


@pytest.fixture
def webhook(webhooks):
    """The one that most tests share, with its defaults."""
    return webhooks.shared()


@pytest.fixture
def workload(server, request):
    workload = Workload(server.api, make_namespace(server.api, request.node.name))
    yield workload
    server.api.request("DELETE", f"/api/v1/namespaces/{workload.namespace}")


@pytest.fixture
def kubectl(server, workload, tmp_path):
    return Kubectl(str(TOOLS / "kubectl"), 36, server.kubeconfig, tmp_path, workload.namespace)


@pytest.fixture
def pickers():
    """Pickers that end with the test."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context
