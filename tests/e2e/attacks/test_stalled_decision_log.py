"""A decision log that cannot be written to: a pipe without a reader. Scale-downs continue, the
lease is kept, and the shutdown does not wait for a reader.
"""

import fcntl
import json
import os
import pathlib
import time

import pytest
from support.ebb import QUICK, EbbCluster, start_controller
from support.objects import deployment
from support.process import eventually

pytestmark = pytest.mark.ebb_only

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller"
MANY, FEW = 30, 2
ROUNDS = 4
# A stalled end waits 2 s for the log; everything else takes moments.
SECONDS_TO_STOP = 15


class Pipe:
    """A named pipe of the smallest size: one decision about thirty pods is more than it holds."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "decisions"
        os.mkfifo(self.path)
        self.reader = None

    def open(self):
        self.reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self.reader, fcntl.F_SETPIPE_SZ, 4096)

    def read_lines(self, count, timeout=20.0):
        text = b""
        deadline = time.monotonic() + timeout
        while text.count(b"\n") < count:
            assert time.monotonic() < deadline, text
            try:
                text += os.read(self.reader, 1 << 20)
            except BlockingIOError:
                time.sleep(0.01)
        return text.decode().splitlines()

    def close(self):
        if self.reader is not None:
            os.close(self.reader)


@pytest.fixture(name="pipe")
def a_pipe(tmp_path):
    pipe = Pipe(tmp_path)
    yield pipe
    pipe.close()


def scale(cluster, replicas):
    cluster.api.patch(f"{DEPLOYMENTS}/web/scale", {"spec": {"replicas": replicas}})

    def reached():
        status = cluster.api.get(f"{DEPLOYMENTS}/web").get("status", {})
        return status.get("replicas") == status.get("readyReplicas") == replicas

    eventually(reached, timeout=30)


def scale_down_often(cluster):
    cluster.api.create(DEPLOYMENTS, deployment("web", MANY))
    for _ in range(ROUNDS):
        scale(cluster, MANY)
        scale(cluster, FEW)


@pytest.fixture(name="up", params=["a pipe that is not read", "a pipe without a reader"])
def up_with_a_stalled_log(request, tmp_path, pipe):
    if request.param == "a pipe that is not read":
        pipe.open()
    with EbbCluster(tmp_path / "up", f"--decision-log={pipe.path}", *QUICK) as cluster:
        yield cluster


def test_up_scales_on(up):
    scale_down_often(up)
    begin = time.monotonic()
    assert up.child.stop(SECONDS_TO_STOP) == 0
    assert time.monotonic() - begin < SECONDS_TO_STOP
    assert "dropped decision records" in up.child.output()


def test_records_come_once_the_pipe_is_read(tmp_path, pipe):
    pipe.open()
    with EbbCluster(tmp_path / "up", f"--decision-log={pipe.path}", *QUICK) as cluster:
        scale_down_often(cluster)
        records = [json.loads(line) for line in pipe.read_lines(ROUNDS)]
        assert [record["replicas"]["to"] for record in records] == [FEW] * ROUNDS


def test_a_controller_keeps_its_lease(tmp_path, pipe):
    pipe.open()
    with EbbCluster(tmp_path / "up", "--controllers=", *QUICK) as cluster:
        controller = start_controller(
            cluster,
            tmp_path,
            "--controllers=replicaset,deployment",
            "--assume-sole-controller",
            "--kube-api-qps=0",
            "--metrics-port=0",
            f"--decision-log={pipe.path}",
        )
        try:
            scale_down_often(cluster)
            before = cluster.api.get(LEASE)["spec"]["renewTime"]
            eventually(lambda: cluster.api.get(LEASE)["spec"]["renewTime"] != before)
            assert controller.stop(SECONDS_TO_STOP) == 0, controller.output()
        finally:
            controller.kill()
        assert not cluster.api.get(LEASE)["spec"].get("holderIdentity")
