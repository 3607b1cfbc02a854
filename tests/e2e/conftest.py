"""The fixtures of the end-to-end tests: a server, a namespace for each test, kubectl."""

import os
import pathlib
import random
import re
import shutil
import subprocess

import pytest
from support.ebb import QUICK, EbbCluster
from support.kube import KubeCluster
from support.kubectl import Kubectl
from support.names import make_namespace
from support.process import eventually

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
AGAINST = os.environ.get("EBB_E2E_AGAINST", "ebb")


def kubectl_version(binary):
    text = subprocess.run(
        [binary, "version", "--client"], capture_output=True, text=True, check=False
    ).stdout
    found = re.search(r"v1\.(\d+)", text)
    return int(found.group(1)) if found else 0


def find_kubectls():
    """The kubectl that we build, and the system's own if it is new enough to be of interest."""
    found = {}
    for binary in (str(REPOSITORY / "build" / "kube" / "kubectl"), shutil.which("kubectl")):
        if binary and os.path.exists(binary):
            minor = kubectl_version(binary)
            if minor >= 32:
                found.setdefault(minor, binary)
    return sorted(found.items())


KUBECTLS = find_kubectls()


def pytest_configure(config):
    config.addinivalue_line("markers", "ebb_only: about ebb, not about Kubernetes")
    config.addinivalue_line(
        "markers", "kubectl(minor): needs this minor version of kubectl or newer"
    )


def pytest_report_header():
    names = ", ".join(f"1.{minor} ({binary})" for minor, binary in KUBECTLS)
    return f"against {AGAINST}; kubectl {names or 'none'}"


def pytest_collection_modifyitems(items):
    for item in items:
        if AGAINST != "ebb" and item.get_closest_marker("ebb_only"):
            item.add_marker(pytest.mark.skip(reason="about ebb, not about Kubernetes"))


def pytest_generate_tests(metafunc):
    if "kubectl_choice" in metafunc.fixturenames:
        wanted = metafunc.definition.get_closest_marker("kubectl")
        least = wanted.args[0] if wanted else 0
        choices = [(minor, binary) for minor, binary in KUBECTLS if minor >= least]
        assert KUBECTLS, "no kubectl of 1.32 or newer; scripts/kube-tools kubectl builds one"
        metafunc.parametrize(
            "kubectl_choice", choices, ids=[f"kubectl-1.{minor}" for minor, _ in choices]
        )


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """The server that most tests share; each has a namespace of its own in it."""
    folder = tmp_path_factory.mktemp("cluster")
    shared = EbbCluster(folder, "--nodes=3x2", "--controllers=garbage-collector", *QUICK)
    if AGAINST == "kube":
        shared = KubeCluster(folder)
    with shared:
        yield shared


@pytest.fixture
def api(cluster):
    return cluster.api


@pytest.fixture
def namespace(request, api):
    name = make_namespace(api, request.node.name)
    yield name
    api.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def core(namespace):
    """The path of the namespace's core resources."""
    return f"/api/v1/namespaces/{namespace}"


@pytest.fixture
def apps(namespace):
    return f"/apis/apps/v1/namespaces/{namespace}"


@pytest.fixture(scope="session")
def kubectl_caches(tmp_path_factory):
    """Discovery is cached between the runs of one kubectl, as for a user."""
    return {minor: tmp_path_factory.mktemp(f"kubectl-{minor}") for minor, _ in KUBECTLS}


@pytest.fixture
def kubectl(cluster, kubectl_choice, kubectl_caches, namespace):
    minor, binary = kubectl_choice
    return Kubectl(binary, minor, cluster.kubeconfig, kubectl_caches[minor], namespace)


@pytest.fixture
def seed():
    """Of a test that chooses at random; EBB_E2E_SEED repeats a run's choices."""
    chosen = int(os.environ.get("EBB_E2E_SEED") or random.SystemRandom().getrandbits(32))
    print(f"EBB_E2E_SEED={chosen}")
    return chosen


@pytest.fixture
def ready_pods(api, core):
    """Waits until so many pods of the namespace are Ready and returns them."""

    def wait(count, selector=None):
        def check():
            pods = api.get(f"{core}/pods", labelSelector=selector)["items"]
            ready = [p for p in pods if is_ready(p)]
            assert len(ready) == count, f"{len(ready)} of {len(pods)} pods are ready"
            return ready

        return eventually(check, timeout=20)

    return wait


def is_ready(pod):
    return any(
        c["type"] == "Ready" and c["status"] == "True" for c in pod["status"].get("conditions", [])
    )
