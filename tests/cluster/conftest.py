"""The fixtures of the tests: a system, a namespace in it, a recorder of pods.

The process in which pytest was started starts the systems that tests share; with pytest-xdist,
the workers get their addresses. A test that damages a system has its own, and is in a group whose
tests run one after the other.
"""

import os
import pathlib
import shutil
import tempfile

import pytest
from rig.arena import Arena
from rig.place import Place, by_hand
from rig.recorder import PodRecorder
from rig.systems import make_system
from support.api import Access, Api
from support.kube_api_server import TOOLS
from support.kubectl import Kubectl
from support.names import make_namespace
from support.process import eventually

SYSTEMS = ("stock", "ebb", "up")
CHOSEN = tuple(filter(None, os.environ.get("EBB_CLUSTER_SYSTEMS", "ebb,up").split(",")))


class Shared:
    """A system that another process started: its server, and nothing else of it."""

    class Server:
        def __init__(self, kubeconfig, real):
            self.kubeconfig = kubeconfig
            self.real = real
            self.api = Api(Access.from_kubeconfig(kubeconfig))

    def __init__(self, kubeconfig, real):
        self.server = Shared.Server(pathlib.Path(kubeconfig), real)


def pytest_addoption(parser):
    parser.addoption("--keep-logs", help="folder that the logs of all processes go to")


def pytest_configure(config):
    config.addinivalue_line("markers", "systems(*names): runs against these systems only")
    config.addinivalue_line("markers", "own_system(group): has its own system, runs alone on it")
    if hasattr(config, "workerinput"):
        config.shared = {
            name: Shared(kubeconfig, real)
            for name, (kubeconfig, real) in config.workerinput["shared"].items()
        }
        config.logs = pathlib.Path(config.workerinput["logs"])
        return
    chosen = config.getoption("--keep-logs")
    config.logs = pathlib.Path(chosen or tempfile.mkdtemp(prefix="ebb-cluster-"))
    config.logs.mkdir(parents=True, exist_ok=True)
    if any(config.logs.iterdir()):
        pytest.exit(f"--keep-logs: {config.logs} is not empty", returncode=2)
    config.shared = {}


def pytest_sessionstart(session):
    config = session.config
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    for name in CHOSEN:
        config.shared[name] = make_system(name, config.logs / name).start()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["logs"] = str(node.config.logs)
    node.workerinput["shared"] = {
        name: (str(system.server.kubeconfig), system.server.real)
        for name, system in node.config.shared.items()
    }


def pytest_sessionfinish(session, exitstatus):
    config = session.config
    if hasattr(config, "workerinput"):
        return
    for system in config.shared.values():
        system.stop()
    if exitstatus and not config.option.collectonly:
        print(f"\nlogs of all processes: {config.logs}")
    elif not config.getoption("--keep-logs"):
        shutil.rmtree(config.logs, ignore_errors=True)


@pytest.fixture
def figure(record_property, system_name):
    """A function that adds a line to the figures that are printed after all tests."""
    return lambda text: record_property("figure", f"{system_name}: {text}")


def pytest_terminal_summary(terminalreporter):
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.getreports(kind)]
    texts = [t for r in reports if r.when == "call" for n, t in r.user_properties if n == "figure"]
    if texts:
        terminalreporter.section("figures")
    for text in sorted(texts):
        terminalreporter.line(text)


def pytest_report_header():
    return f"systems: {', '.join(CHOSEN)}"


def pytest_generate_tests(metafunc):
    if "system_name" in metafunc.fixturenames:
        wanted = metafunc.definition.get_closest_marker("systems")
        names = [n for n in CHOSEN if n in (wanted.args if wanted else SYSTEMS)]
        metafunc.parametrize("system_name", names, scope="session")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for groups
def pytest_collection_modifyitems(items):
    for item in items:
        own = item.get_closest_marker("own_system")
        if own and hasattr(item, "callspec"):
            name = item.callspec.params.get("system_name", "")
            item.add_marker(pytest.mark.xdist_group(f"{own.args[0]}-{name}"))
    # The longest tests, which cannot be split, come first.
    items.sort(key=lambda item: item.get_closest_marker("own_system") is None)


@pytest.fixture
def system(system_name, request):
    return request.config.shared[system_name]


@pytest.fixture
def place(system, request):
    place = Place(system, make_namespace(system.server.api, request.node.name))
    yield place
    place.release_pods()
    place.api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")


@pytest.fixture
def caches_catch_up(system, request):
    """A function that waits until the controllers have seen all changes of ReplicaSets and pods so
    far. Watches deliver changes in order, so it changes something that only a controller mends, in
    a namespace of its own, and waits for that. Watches of different kinds are not ordered among
    each other: a controller may see a new ReplicaSet before older changes of pods."""
    barrier = Place(system, make_namespace(system.server.api, f"{request.node.name}-barrier"))
    barrier.deployment("barrier", 1, **by_hand({"app": "barrier"}))

    def replaced(kind, items):
        """Deletes the only one, and waits for another."""
        old = eventually(items, timeout=60)[0]["metadata"]
        barrier.api.delete(barrier.path(kind, old["name"]))
        eventually(lambda: {i["metadata"]["uid"] for i in items()} - {old["uid"]}, timeout=60)

    def catch_up():
        replaced("replicasets", lambda: barrier.replica_sets("barrier"))
        replaced("pods", lambda: barrier.owned(barrier.only_replica_set("barrier")))

    yield catch_up
    barrier.api.request("DELETE", f"/api/v1/namespaces/{barrier.namespace}")


@pytest.fixture
def api(place):
    return place.api


@pytest.fixture
def recorder(place):
    """Counts pods of the place from now on."""
    with PodRecorder(place.api, place.namespace) as running:
        yield running


@pytest.fixture
def kubectl(place, tmp_path):
    binary = str(TOOLS / "kubectl")
    return Kubectl(binary, 36, place.system.server.kubeconfig, tmp_path, place.namespace)


@pytest.fixture(scope="session")
def arena(system_name, request):
    """The worker's own system, which tests may damage; at first without controllers."""
    folder = tempfile.mkdtemp(prefix=f"arena-{system_name}-", dir=request.config.logs)
    arena = Arena(system_name, pathlib.Path(folder))
    with arena.system:
        yield arena


@pytest.fixture
def arena_place(arena, request):
    with arena.place(request.node.name) as place:
        yield place
