"""Attacks on the health port of `ebb controller`: connections that are held open to block probes,
and web pages that try to read decisions.
"""


import pytest
from support.ebb import QUICK, EbbCluster, start_controller
from support.health_port import HealthPort, HeldConnections, expect_probes
from support.kube_api_server import free_port
from support.process import eventually

pytestmark = pytest.mark.ebb_only

# The ranker needs nothing of the cluster's ReplicaSets, and has the same port as all controllers.
ADDRESSES = {"loopback": "127.0.0.1", "tls": "0.0.0.0"}


class Controller:
    def __init__(self, cluster, folder, address):
        self.health = HealthPort(free_port(), tls=address != "127.0.0.1")
        self.child = start_controller(
            cluster,
            folder,
            "--controllers=ranker",
            "--leader-elect=false",
            f"--bind-address={address}",
            f"--metrics-port={self.health.port}",
        )

    def __enter__(self):
        eventually(self._serves, timeout=20)
        return self

    def _serves(self):
        assert self.child.running(), self.child.output()
        return self.health.answers()

    def __exit__(self, *_):
        self.child.kill()


@pytest.fixture(name="cluster", scope="module")
def a_cluster_without_controllers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacks")
    with EbbCluster(folder / "up", "--controllers=", *QUICK) as cluster:
        yield cluster


@pytest.fixture(name="controller", params=ADDRESSES)
def a_controller(request, cluster, tmp_path):
    with Controller(cluster, tmp_path, ADDRESSES[request.param]) as controller:
        yield controller


@pytest.fixture(name="on_loopback")
def a_controller_on_loopback(cluster, tmp_path):
    with Controller(cluster, tmp_path, ADDRESSES["loopback"]) as controller:
        yield controller


@pytest.fixture(name="reachable")
def a_controller_that_others_can_reach(cluster, tmp_path):
    with Controller(cluster, tmp_path, ADDRESSES["tls"]) as controller:
        yield controller


@pytest.mark.parametrize("source", ["127.0.0.2", "127.0.0.1"])
def test_held_connections_cost_no_probe(controller, source):
    """Also not where the attacker and the prober have the same address, as pods on the host's
    network have."""
    with HeldConnections(controller.health, 400, source):
        expect_probes(controller.health)


def test_connections_that_are_opened_again_cost_no_probe(controller):
    with HeldConnections(controller.health, 400, "127.0.0.2", again=True) as held:
        expect_probes(controller.health, 100)
        eventually(lambda: held.opened > 800, timeout=30)


def test_connections_of_many_peers_cost_no_probe(controller):
    health = controller.health
    with (
        HeldConnections(health, 100, "127.0.0.2"),
        HeldConnections(health, 100, "127.0.0.3"),
        HeldConnections(health, 100, "127.0.0.4"),
        HeldConnections(health, 100, "127.0.0.5"),
        HeldConnections(health, 100, "127.0.0.6"),
    ):
        expect_probes(health)


@pytest.mark.parametrize("path", ["/decisions", "/metrics", "/livez"])
def test_a_rebound_name_reads_nothing(on_loopback, path):
    health = on_loopback.health
    code, body = health.get(path, headers={"Host": f"rebound.example:{health.port}"})
    assert code == 403
    assert body == "the Host header must be localhost, 127.0.0.1 or [::1], with any port\n"
    for host in ("localhost", f"127.0.0.1:{health.port}", "[::1]:1"):
        assert health.get(path, headers={"Host": host})[0] == 200


def test_without_reviews_nothing_is_shown(reachable):
    """`ebb up` knows no TokenReviews: what cannot be found out is refused."""
    health = reachable.health
    for path in ("/metrics", "/decisions"):
        assert health.get(path)[0] == 401
        code, body = health.get(path, token="made-up-token")
        assert code == 500
        assert body == (
            f'Internal Server Error: "{path}": the API server could not be asked for '
            "authorization\n"
        )
    for path in ("/healthz", "/livez", "/readyz"):
        # Ready takes a moment; what matters is that a token is not looked at.
        eventually(lambda path=path: health.get(path, token="made-up-token")[0] == 200, timeout=30)
    log = reachable.child.output()
    assert log.count("cannot authorize requests for metrics and decisions") == 1
    assert "made-up-token" not in log
