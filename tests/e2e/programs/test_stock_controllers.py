"""An unmodified kube-controller-manager on `ebb up` without controllers: leader election,
protobuf, scaling, rollouts and garbage collection, which only it performs here.
"""

import re

import pytest
from support.api import STRATEGIC_PATCH
from support.ebb import QUICK, EbbCluster
from support.kube_api_server import TOOLS, free_port
from support.names import make_namespace
from support.process import Child, eventually
from support.scaled import Workload

pytestmark = [pytest.mark.ebb_only, pytest.mark.timeout(300)]
CONTROLLERS = "replicaset-controller,deployment-controller,garbage-collector-controller"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager"
PROTOBUF = "application/vnd.kubernetes.protobuf"


class PatientWorkload(Workload):
    patience = 90  # its client asks the server at most 20 times a second

    def things(self):
        """All objects of the Deployment, including terminating ones."""
        paths = (f"{self.apps}/deployments", f"{self.apps}/replicasets", f"{self.core}/pods")
        return [thing for path in paths for thing in self.api.get(path)["items"]]

    def delete(self, policy):
        self.api.delete(f"{self.apps}/deployments/{self.name}", propagationPolicy=policy)

    def set_image(self, image):
        containers = [{"name": "main", "image": image}]
        body = {"spec": {"template": {"spec": {"containers": containers}}}}
        path = f"{self.apps}/deployments/{self.name}"
        self.api.patch(path, body, content_type=STRATEGIC_PATCH)

    def wait_rolled_out(self, image, replicas):
        def check():
            found = self.api.get(f"{self.apps}/deployments/{self.name}")
            status = found["status"]
            assert status["observedGeneration"] == found["metadata"]["generation"]
            counts = [status.get(f"{c}Replicas") for c in ("updated", "ready", "available")]
            assert [status.get("replicas"), *counts] == [replicas] * 4, status
            images = {p["spec"]["containers"][0]["image"] for p, _ in self.pods().values()}
            assert images == {image}
            return True

        eventually(check, timeout=self.patience)


@pytest.fixture(scope="module", name="stock")
def a_cluster_with_the_stock_controllers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stock")
    with EbbCluster(folder / "up", "--nodes=3x4", "--controllers=", *QUICK) as cluster:
        manager = Child(
            [
                str(TOOLS / "kube-controller-manager"),
                f"--kubeconfig={cluster.kubeconfig}",
                f"--controllers={CONTROLLERS}",
                # Tests run in parallel, so each process has its own port.
                "--bind-address=127.0.0.1",
                f"--secure-port={free_port()}",
                f"--cert-dir={folder / 'certificates'}",
                # It logs the headers of its requests.
                "-v=7",
            ],
            folder / "kube-controller-manager.log",
        )
        try:
            yield cluster, manager
            assert manager.running(), manager.output()[-3000:]
        finally:
            manager.kill()


@pytest.fixture(name="web")
def a_deployment_of_nothing(stock, request):
    cluster, _ = stock
    web = PatientWorkload(cluster.api, make_namespace(cluster.api, request.node.name))
    web.create(0)
    return web


def test_it_is_elected(stock):
    cluster, manager = stock

    def holder():
        answer = cluster.api.request("GET", LEASE)
        assert answer.code == 200, manager.output()[-3000:]
        return answer.json["spec"].get("holderIdentity")

    assert eventually(holder, timeout=60)


def test_it_scales_and_rolls_out_and_deletes_in_the_foreground(stock, web):
    web.scale(50)
    web.set_image("registry.example/web:2")
    web.wait_rolled_out("registry.example/web:2", 50)
    assert len(web.scale(5)) == 45
    web.wait_rolled_out("registry.example/web:2", 5)
    web.delete("Foreground")
    eventually(lambda: not web.things(), timeout=60)

    _, manager = stock
    requests = re.findall(r'verb="POST" url="[^"]*/pods" headers=<(.*?) >', manager.output(), re.S)
    assert len(requests) >= 100
    for headers in requests:
        assert f"Accept: {PROTOBUF}" in headers and f"Content-Type: {PROTOBUF}" in headers


def test_it_collects_what_has_lost_its_owner(web):
    web.scale(3)
    web.delete("Background")
    eventually(lambda: not web.things(), timeout=60)


def test_it_leaves_orphans(web):
    web.scale(3)
    pods = sorted(pod["metadata"]["uid"] for pod, _ in web.pods().values())
    for kind in ("deployments", "replicasets"):
        (thing,) = web.api.get(f"{web.apps}/{kind}")["items"]
        path = f"{web.apps}/{kind}/{thing['metadata']['name']}"
        web.api.delete(path, propagationPolicy="Orphan")
        eventually(lambda path=path: web.api.request("GET", path).code == 404, timeout=60)
    left = web.things()
    assert sorted(thing["metadata"]["uid"] for thing in left) == pods
    for pod in left:
        assert "ownerReferences" not in pod["metadata"]
        assert "deletionTimestamp" not in pod["metadata"]
