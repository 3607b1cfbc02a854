"""`ebb controller` beside another controller, which this test simulates: it acknowledges every
ReplicaSet by status.observedGeneration, as controllers do, and does nothing else.
"""

import contextlib
import threading
import time
import urllib.error
import urllib.request

import pytest
from support.api import MERGE_PATCH
from support.ebb import QUICK, EbbCluster, start_controller
from support.kube_api_server import free_port
from support.objects import replica_set
from support.process import eventually

pytestmark = [pytest.mark.ebb_only, pytest.mark.timeout(300)]

CANARIES = "/apis/apps/v1/namespaces/kube-system/replicasets"
SETS = "/apis/apps/v1/namespaces/default/replicasets"
PODS = "/api/v1/namespaces/default/pods"


@pytest.fixture(name="cluster")
def a_cluster_without_controllers(tmp_path):
    with EbbCluster(tmp_path / "up", "--controllers=garbage-collector", *QUICK) as cluster:
        yield cluster


class Guarded:
    """As it is by default, but for a shorter wait."""

    def __init__(self, cluster, folder, *flags):
        self.port = free_port()
        self.child = start_controller(
            cluster,
            folder,
            "--controllers=replicaset",
            "--take-over-wait=10s",
            "--kube-api-qps=0",
            f"--metrics-port={self.port}",
            *flags,
        )

    def readiness(self):
        assert self.child.running(), self.child.output()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as page:
                return page.status, page.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except OSError:
            return None, ""

    def wait(self, code, timeout=60):
        eventually(lambda: self.readiness()[0] == code, timeout=timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()


@contextlib.contextmanager
def another_controller(cluster):
    """Acknowledges what it sees, five times a second."""
    stopping = threading.Event()

    def work():
        while not stopping.wait(0.2):
            for thing in cluster.api.get(CANARIES)["items"]:
                generation = thing["metadata"]["generation"]
                if thing["status"].get("observedGeneration") != generation:
                    path = f"{CANARIES}/{thing['metadata']['name']}/status"
                    body = {"status": {"replicas": 0, "observedGeneration": generation}}
                    cluster.api.request("PATCH", path, body, content_type=MERGE_PATCH)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(10)


def active(cluster):
    pods = cluster.api.get(PODS)["items"]
    return sum("deletionTimestamp" not in pod["metadata"] for pod in pods)


def scale(cluster, replicas):
    cluster.api.patch(f"{SETS}/web/scale", {"spec": {"replicas": replicas}})


def test_it_acts_only_while_no_other_controller_does(cluster, tmp_path):
    cluster.api.create(SETS, replica_set("web", 4))
    with Guarded(cluster, tmp_path) as ours:
        with another_controller(cluster):
            ours.wait(503)
            time.sleep(20)  # twice the wait
            code, text = ours.readiness()
            assert code == 503
            assert "replicaset-controller does not act: another controller of replicasets" in text
            assert "kube-controller-manager with --controllers=*,-replicaset-controller" in text
            assert active(cluster) == 0
        ours.wait(200)
        eventually(lambda: active(cluster) == 4, timeout=30)
        with another_controller(cluster):
            ours.wait(503)
            scale(cluster, 1)
            time.sleep(8)
            assert active(cluster) == 4
        ours.wait(200)
        eventually(lambda: active(cluster) == 1, timeout=30)


def test_it_leaves_no_canary_of_its_own_behind(cluster, tmp_path):
    """Without a lease its canary is not shared, and would pile up with every start."""
    with Guarded(cluster, tmp_path, "--leader-elect=false") as ours:
        ours.wait(200)
        assert len(cluster.api.get(CANARIES)["items"]) == 1
        assert ours.child.stop() == 0
    assert cluster.api.get(CANARIES)["items"] == []


def test_ebb_up_needs_no_canary(tmp_path):
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        cluster.api.create(SETS, replica_set("web", 2))
        eventually(lambda: active(cluster) == 2, timeout=30)
        assert cluster.api.get(CANARIES)["items"] == []
