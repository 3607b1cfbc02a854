"""A tenant keeps the controllers' writes busy, by their number or with a webhook that delays
them. The Secrets of another tenant's picker are still read, and that picker is called.
"""

import threading

import pytest
from support.ebb import QUICK, EbbCluster, start_controller
from support.names import make_namespace
from support.objects import replica_set
from support.pickers import RecordingPicker
from support.process import eventually
from support.scaled import Workload
from support.webhooks import GROUP, WebhookServer, allow, configuration, rule, webhook

pytestmark = pytest.mark.ebb_only

SETS = "/apis/apps/v1/namespaces/default/replicasets"
PODS = "/api/v1/namespaces/default/pods"
VALIDATING = f"{GROUP}/validatingwebhookconfigurations"
TOKEN = "Bearer of-the-victim"
# For the Secret and the picker together.
PICKER_SECONDS = 3
# Pods of a ReplicaSet are created in batches; while one of them waits for its next, others are in
# line. At 20 requests a second this takes 22 s.
SETS_TO_CREATE, PODS_TO_CREATE = 3, 150
# Controllers keep 64 connections for writes, and give each write five seconds.
PODS_TO_DELETE = 200
HELD_SECONDS = 4.5


@pytest.fixture(name="picker")
def a_picker():
    with RecordingPicker() as picker:
        yield picker


class Victim(Workload):
    """A ReplicaSet: of a Deployment, a write would come before the picker."""

    def __init__(self, api, picker):
        super().__init__(api, make_namespace(api, "victim"))
        self.picker = picker
        self.add_secret("picker", authorization=TOKEN)
        api.create(f"{self.apps}/replicasets", replica_set(self.name, 4))
        source = {"secretKeyRef": {"name": "picker", "key": "authorization"}}
        header = {"name": "Authorization", "valueFrom": source}
        settings = {**picker.http(httpHeaders=[header]), "timeoutSeconds": PICKER_SECONDS}
        self.add_policy(self.name, settings, kind="ReplicaSet")
        self.before = self.wait(4)

    def expect_request(self):
        path = f"{self.apps}/replicasets/{self.name}/scale"
        self.api.patch(path, {"spec": {"replicas": 3}})
        eventually(lambda: self.picker.requests, timeout=PICKER_SECONDS + 1)
        assert self.picker.requests[0][0]["authorization"] == TOKEN

    def expect_choice(self):
        """As the picker said: the first by name. Deletes may have to wait for their turn."""
        assert self.wait(3, timeout=60) == self.before[1:]


def create_hostile(api, name, replicas):
    api.create(SETS, replica_set(name, replicas, labels={"app": name, "tenant": "hostile"}))


def hostile_pods(api):
    pods = api.get(PODS, labelSelector="tenant=hostile")["items"]
    return sum("deletionTimestamp" not in pod["metadata"] for pod in pods)


def test_many_writes_do_not_silence_the_picker_of_another_tenant(tmp_path, picker):
    with EbbCluster(tmp_path / "up", "--controllers=", *QUICK) as cluster:
        api = cluster.api
        controller = start_controller(
            cluster,
            tmp_path,
            "--controllers=replicaset",
            "--assume-sole-controller",
            "--leader-elect=false",
            "--start-wait=0s",
            "--metrics-port=0",
            "--picker-allow-cidr=127.0.0.0/8",
        )
        try:
            victim = Victim(api, picker)
            for number in range(SETS_TO_CREATE):
                create_hostile(api, f"many-{number}", PODS_TO_CREATE)
            eventually(lambda: hostile_pods(api) > 100, timeout=60)
            victim.expect_request()
            assert hostile_pods(api) < SETS_TO_CREATE * PODS_TO_CREATE, "writes were not busy"
            victim.expect_choice()
        finally:
            controller.kill()


@pytest.fixture(name="server")
def a_webhook_server(tmp_path):
    server = WebhookServer(tmp_path)
    yield server
    server.close()


def test_nor_do_writes_that_a_webhook_holds(tmp_path, picker, server):
    asked = threading.Event()

    def hold(_):
        asked.wait(HELD_SECONDS)
        return allow()

    server.behaviours["/v"] = hold
    hook = webhook(
        "v.example.com",
        server.client("/v"),
        rule("pods", operations=["DELETE"]),
        objectSelector={"matchLabels": {"tenant": "hostile"}},
        timeoutSeconds=30,
    )
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        victim = Victim(api, picker)
        create_hostile(api, "held", PODS_TO_DELETE)
        eventually(lambda: hostile_pods(api) == PODS_TO_DELETE, timeout=60)
        api.create(VALIDATING, configuration("Validating", "v", hook))
        api.patch(f"{SETS}/held/scale", {"spec": {"replicas": 0}})
        eventually(lambda: server.requests.get("/v"), timeout=10)
        victim.expect_request()
        asked.set()
        victim.expect_choice()
