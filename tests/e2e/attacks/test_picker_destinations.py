"""A tenant aims a picker at addresses that the controller can reach and the tenant cannot: the
control plane and other namespaces. Nothing is sent there, and the pods go in the default
order.
"""

import contextlib
import socket
import threading

import pytest
from support.ebb import QUICK, EbbCluster
from support.pickers import RecordingPicker
from support.scaled import Workload

pytestmark = pytest.mark.ebb_only

CONTROL_PLANE_PORTS = (2379, 2380, 6443, 10250, 10255, 10256, 10257, 10259)


class Listener:
    """Counts connections, whatever is said on them."""

    def __init__(self, port):
        self.port = port
        self.connections = 0
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.socket.bind(("127.0.0.1", port))
        except OSError:
            pytest.skip(f"another program on this machine has port {port}")
        self.socket.listen()
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                self.connections += 1
                connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Closing alone would leave the thread, and so the port, waiting for a connection.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.socket.close()


def running(folder, *flags):
    return EbbCluster(folder, "--nodes=3x2", *QUICK, *flags)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running(tmp_path_factory.mktemp("destinations")) as cluster:
        yield cluster


@pytest.mark.parametrize("port", CONTROL_PLANE_PORTS)
def test_ports_of_the_control_plane_are_out_of_reach(cluster, namespace, port):
    workload = Workload(cluster.api, namespace)
    workload.create(3)
    with Listener(port) as listener:
        settings = {"http": {"host": "127.0.0.1", "port": port, "path": "/pods"}}
        workload.add_policy("web", settings)
        workload.wait_condition("web", "Ready", "True")
        assert len(workload.scale(2)) == 1
        workload.wait_event("PickerFailed", "refused")
        assert listener.connections == 0


def test_a_port_of_the_control_plane_can_be_allowed(tmp_path):
    with running(tmp_path, "--picker-allow-port=10259") as cluster, Listener(10259) as listener:
        workload = Workload(cluster.api, "default")
        workload.create(2)
        workload.add_policy("web", {"http": {"host": "127.0.0.1", "port": 10259}})
        workload.wait_condition("web", "Ready", "True")
        assert len(workload.scale(1)) == 1
        assert listener.connections > 0


def test_hosts_are_services_of_the_namespace_if_that_is_asked_for(tmp_path):
    with running(tmp_path, "--picker-egress=namespace") as cluster, RecordingPicker() as picker:
        workload = Workload(cluster.api, "default")
        hosts = ("127.0.0.1", "picker.other.svc", "kubernetes.kube-system.svc")
        workload.create(1 + len(hosts))
        for left, host in zip(range(len(hosts), 0, -1), hosts):
            workload.add_policy(f"to-{left}", picker.http(host=host))
            workload.wait_condition(f"to-{left}", "Ready", "True")
            assert len(workload.scale(left)) == 1
            workload.wait_condition(f"to-{left}", "PickerReachable", "False")
            workload.api.delete(f"{workload.policies}/to-{left}")
        workload.wait_event("PickerFailed", "refused")
        assert picker.requests == []
