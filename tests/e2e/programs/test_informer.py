"""client-go: tests/cluster/programs/informer."""

import pytest
from support.ebb import EbbCluster
from support.kube_api_server import KubeApiServer
from support.names import make_namespace
from support.objects import pod
from support.programs import Conversation, command, expect_told, run


def test_informers_see_every_kind_of_change(cluster, namespace):
    expect_told("informer-changes", run("informer", cluster, namespace, "changes"), cluster)


class EbbThatComesBack(EbbCluster):
    """Stopped as with Ctrl-C, or killed, and started again on the same port."""

    def __init__(self, folder, kill):
        super().__init__(folder / "up", "--controllers=", data_dir=folder / "data")
        self.end = self.kill if kill else self.stop

    def restart(self):
        self.end()
        self.start()


@pytest.fixture(params=["stopped", "killed"])
def restartable(request, tmp_path, cluster):
    """A server of the test's own. Real Kubernetes is killed in both cases."""
    if cluster.real:
        server = KubeApiServer(tmp_path, etcd="module")
    else:
        server = EbbThatComesBack(tmp_path, kill=request.param == "killed")
    with server:
        yield server


def test_informers_survive_a_restart_of_the_server(restartable):
    server = restartable
    namespace = make_namespace(server.api, "restart")
    pods = f"/api/v1/namespaces/{namespace}/pods"
    deployments = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    with Conversation(command("informer", server.kubeconfig, namespace, "restart")) as program:
        program.until("Restart the server now")
        server.restart()
        # One write an object: whether the informers see them one by one or find them in a new
        # list, they tell the same.
        server.api.create(pods, pod("comes", schedulerName="nobody"))
        server.api.patch(f"{pods}/changes", {"metadata": {"labels": {"seen": "no"}}})
        server.api.delete(f"{deployments}/goes")
        program.answer()
        told = program.finish()
    before, how = told.split("\nHow they came back\n")
    how, after = how.split("\nIn the end\n")
    expect_told("informer-restart", before + "\nIn the end\n" + after, server)
    if not server.real:
        # ebb keeps its history on disk, so that they go on where they were.
        protobuf = "200 application/vnd.kubernetes.protobuf;stream=watch"
        assert how.split("\n") == [
            f"  deployments: watch, {protobuf}",
            f"  pods: watch, {protobuf}",
            "",
        ]
