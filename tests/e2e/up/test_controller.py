"""`ebb controller` as a program: flags, signals, the lease, its output; and `ebb plan` on a live
cluster. Other tests cover what the controllers do.
"""

import base64
import json
import signal
import socket
import subprocess
import time
import urllib.request

import pytest
from support.ebb import BINARY, QUICK, EbbCluster, start_controller
from support.kube_api_server import free_port
from support.objects import deployment
from support.process import eventually

pytestmark = pytest.mark.ebb_only

POLICIES = "/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller"


@pytest.fixture(name="cluster")
def a_cluster_without_controllers(tmp_path):
    with EbbCluster(tmp_path / "up", "--controllers=", *QUICK) as cluster:
        yield cluster


class Controller:
    def __init__(self, cluster, folder, *flags):
        self.port = free_port()
        self.child = start_controller(
            cluster,
            folder,
            "--controllers=replicaset,deployment",
            "--assume-sole-controller",
            "--kube-api-qps=0",
            f"--metrics-port={self.port}",
            *flags,
        )

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def __enter__(self):
        eventually(self.ready, timeout=20)
        return self

    def ready(self):
        assert self.child.running(), self.child.output()
        try:
            return self.get("/readyz") == "ok"
        except OSError:
            return False

    def __exit__(self, *_):
        self.child.kill()


def scale(cluster, replicas):
    cluster.api.patch(f"{DEPLOYMENTS}/web/scale", {"spec": {"replicas": replicas}})
    eventually(lambda: ready(cluster) == replicas, timeout=20)


def ready(cluster):
    status = cluster.api.get(f"{DEPLOYMENTS}/web").get("status", {})
    return status.get("readyReplicas", 0) if "replicas" in status else -1


def holder(cluster):
    return cluster.api.get(LEASE)["spec"].get("holderIdentity")


def test_it_scales_and_reports_decisions(cluster, tmp_path):
    decisions = tmp_path / "decisions.jsonl"
    with Controller(cluster, tmp_path, f"--decision-log={decisions}") as controller:
        cluster.api.create(DEPLOYMENTS, deployment("web", 5))
        scale(cluster, 5)
        scale(cluster, 3)
        record = eventually(lambda: json.loads(controller.get("/decisions")))[0]
        assert record["replicas"] == {"from": 5, "to": 3}
        assert [v["outcome"] for v in record["victims"]] == ["deleted", "deleted"]
        line = eventually(lambda: decisions.read_text(encoding="utf-8"))
        assert json.loads(line) == record
        metrics = controller.get("/metrics").splitlines()
        assert "ebb_decisions_total 1" in metrics
        assert 'leader_election_master_status{name="ebb-controller"} 1' in metrics
        assert "2 pods of default/web-" in controller.child.output()

        # Moved away, as a log rotation does.
        decisions.rename(tmp_path / "old")
        controller.child.process.send_signal(signal.SIGHUP)
        eventually(decisions.exists)
        scale(cluster, 2)
        eventually(lambda: decisions.read_text(encoding="utf-8").count("\n") == 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(cluster, tmp_path, number):
    with Controller(cluster, tmp_path) as controller:
        eventually(lambda: holder(cluster))
        controller.child.process.send_signal(number)
        assert controller.child.process.wait(20) == 0
    assert holder(cluster) in ("", None)


def test_a_signal_in_a_scale_down_leaves_its_events(cluster, tmp_path):
    """Events are sent after everything else, but they are sent."""

    def reasons():
        events = cluster.api.get("/api/v1/namespaces/default/events")["items"]
        return {event["reason"] for event in events}

    with Controller(cluster, tmp_path) as controller:
        cluster.api.create(DEPLOYMENTS, deployment("web", 300))
        eventually(lambda: ready(cluster) == 300, timeout=60)
        controller.child.stop()
    with Controller(cluster, tmp_path, "--kube-api-qps=30", "-v=2") as controller:
        cluster.api.patch(f"{DEPLOYMENTS}/web/scale", {"spec": {"replicas": 50}})
        time.sleep(2)
        assert "DownscaleDecision" not in reasons()
        controller.child.process.send_signal(signal.SIGTERM)
        assert controller.child.process.wait(30) == 0
    assert {"DownscaleDecision", "SuccessfulDelete"} <= reasons()
    assert "dropped an event" not in controller.child.output()


def test_it_ends_when_another_has_its_lease(cluster, tmp_path):
    with Controller(cluster, tmp_path) as controller:
        eventually(lambda: holder(cluster))
        cluster.api.patch(LEASE, {"spec": {"holderIdentity": "another"}})
        assert controller.child.process.wait(30) == 1
    assert "error: lost the lease kube-system/ebb-controller" in controller.child.output()
    assert holder(cluster) == "another"


def test_logs_can_be_json(cluster, tmp_path):
    with Controller(cluster, tmp_path, "--log-format=json", "-v=2") as controller:
        controller.child.stop()
    lines = [json.loads(line) for line in controller.child.output().splitlines()]
    assert all({"ts", "level", "msg"} <= line.keys() for line in lines)
    assert lines[-1]["msg"] == "stopped"


def test_logs_say_what_happened_and_no_secrets(cluster, tmp_path):
    """At the highest log level. The address of the picker is not allowed."""
    value = "Bearer only-in-the-secret"
    secret = {"metadata": {"name": "picker"}, "stringData": {"authorization": value}}
    cluster.api.create("/api/v1/namespaces/default/secrets", secret)
    source = {"secretKeyRef": {"name": "picker", "key": "authorization"}}
    headers = [{"name": "Authorization", "valueFrom": source}]
    picker = {"host": "127.0.0.1", "port": free_port(), "httpHeaders": headers}
    policy = {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "DownscalePolicy",
        "metadata": {"name": "web"},
        "spec": {
            "targetRef": {"kind": "Deployment", "name": "web"},
            "podPicker": {"http": picker},
        },
    }
    cluster.api.create(POLICIES, policy)
    cluster.api.create(DEPLOYMENTS, deployment("web", 3))
    with Controller(cluster, tmp_path, "--log-format=json", "-v=10") as controller:
        eventually(lambda: ready(cluster) == 3, timeout=20)
        scale(cluster, 2)
        controller.child.stop()
    text = controller.child.output()
    lines = [json.loads(line) for line in text.splitlines()]

    (decision,) = [line for line in lines if "decision" in line and "going" in line]
    assert decision["replicaSet"]["namespace"] == "default"
    assert (decision["from"], decision["to"], decision["going"]) == (3, 2, 1)
    assert (decision["owner"], decision["picker"]) == ("Deployment/web", "refused")
    (news,) = [line for line in lines if line["level"] == "warning" and "picker" in line]
    assert "refused: 127.0.0.1 is not allowed (--picker-allow-cidr)" in news["msg"]
    assert any(line.get("lease", {}).get("name") == "ebb-controller" for line in lines)

    requests = [line for line in lines if line["msg"] == "Response"]
    assert {"verb", "url", "status", "milliseconds"} <= requests[0].keys()
    assert {"GET", "POST", "PUT", "DELETE"} <= {line["verb"] for line in requests}
    (read,) = [line for line in requests if line["url"].endswith("/secrets/picker")]
    assert (read["verb"], read["status"]) == ("GET", "200 OK")

    encoded = base64.b64encode(value.encode()).decode()
    for hidden in (value, encoded, cluster.api.access.token, "Authorization"):
        assert hidden not in text
    # Tenants learn the outcome, and nothing about addresses.
    told = json.dumps(cluster.api.get("/api/v1/namespaces/default/events")["items"])
    assert "PickerFailed" in told and "--picker-allow-cidr" not in told
    status = cluster.api.get(f"{POLICIES}/web").get("status", {})
    assert "--picker-allow-cidr" not in json.dumps(status)


def test_a_port_that_is_taken_is_reported(cluster, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        flag = f"--metrics-port={taken.getsockname()[1]}"
        controller = Controller(cluster, tmp_path, flag)
        assert controller.child.process.wait(20) == 1
        assert "choose another port with --metrics-port" in controller.child.output()


def plan(cluster, *words):
    command = [BINARY, "plan", *words, f"--kubeconfig={cluster.kubeconfig}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_plan_of_the_live_cluster_comes_true(cluster, tmp_path):
    with Controller(cluster, tmp_path) as controller:
        cluster.api.create(DEPLOYMENTS, deployment("web", 6))
        scale(cluster, 6)
        # Without ages that pass meanwhile: the one that is preferred has to go.
        pods = cluster.api.get("/api/v1/namespaces/default/pods")["items"]
        chosen = sorted(p["metadata"]["name"] for p in pods)[:2]
        for name in chosen:
            cluster.api.patch(
                f"/api/v1/namespaces/default/pods/{name}",
                {"metadata": {"labels": {"kubernetes.io/prefer-for-scale-down": "true"}}},
            )
        done = plan(cluster, "deploy/web", "--replicas=4", "-o", "json")
        assert done.returncode == 0, done.stderr
        planned = [entry["name"] for entry in json.loads(done.stdout)["remove"]]
        scale(cluster, 4)
        record = eventually(lambda: json.loads(controller.get("/decisions")))[0]
        assert [victim["name"] for victim in record["victims"]] == planned
        assert sorted(planned) == chosen


def test_a_plan_looks_for_its_target_in_all_namespaces(cluster):
    api = cluster.api
    for name in ("here", "there"):
        api.create("/api/v1/namespaces", {"metadata": {"name": name}})
    api.create("/apis/apps/v1/namespaces/here/deployments", deployment("one", 1))
    for name in ("here", "there"):
        api.create(f"/apis/apps/v1/namespaces/{name}/deployments", deployment("two", 1))
    assert "here/one" in plan(cluster, "deploy/one", "--replicas=0", "-A").stderr
    several = plan(cluster, "deploy/two", "--replicas=0", "-A")
    assert several.returncode == 2
    assert "here, there" in several.stderr
    missing = plan(cluster, "deploy/three", "--replicas=0", "-n", "here")
    assert missing.returncode == 1
    assert missing.stderr == (
        'error: from server (NotFound): deployments.apps "three" not found\n'
    )
    elsewhere = plan(cluster, "deploy/one", "--replicas=0")
    assert elsewhere.returncode == 1
    assert elsewhere.stderr == (
        'error: from server (NotFound): deployments.apps "one" not found in namespace default; '
        "use -n for another namespace, -A for all\n"
    )


def test_a_plan_reads_all_pages(cluster):
    pods = "/api/v1/namespaces/default/pods"
    sets = "/apis/apps/v1/namespaces/default/replicasets"
    body = deployment("many", 700) | {"kind": "ReplicaSet"}
    body["spec"].pop("strategy", None)
    owner = cluster.api.create(sets, body)
    template = owner["spec"]["template"]
    for i in range(700):
        reference = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": "many",
            "uid": owner["metadata"]["uid"],
            "controller": True,
        }
        meta = {
            "name": f"many-{i}",
            "labels": template["metadata"]["labels"],
            "ownerReferences": [reference],
        }
        cluster.api.create(pods, {"metadata": meta, "spec": template["spec"]})
    done = plan(cluster, "rs/many", "--replicas=690")
    assert "700 active pods, 690 wanted: 10 to remove" in done.stdout, done.stderr
