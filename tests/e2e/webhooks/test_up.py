"""Webhooks and the rest of `ebb up`: its controllers, its log, its shutdown and its next start."""

import threading
import time

import pytest
from support.ebb import QUICK, EbbCluster
from support.objects import config_map, deployment
from support.process import eventually
from support.webhooks import GROUP, WebhookServer, allow, configuration, patch, rule, webhook

pytestmark = pytest.mark.ebb_only

CORE = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
VALIDATING = f"{GROUP}/validatingwebhookconfigurations"
MUTATING = f"{GROUP}/mutatingwebhookconfigurations"
UNREACHABLE = {"url": "https://127.0.0.1:1/x"}


@pytest.fixture
def server(tmp_path):
    made = WebhookServer(tmp_path)
    yield made
    made.close()


def everything(client, **more):
    return webhook("all.example.com", client, rule("*/*"), **more)


def test_pods_of_our_controllers_pass_through_webhooks(tmp_path, server):
    label = patch({"op": "add", "path": "/metadata/labels/seen", "value": "yes"})
    server.behaviours["/label"] = lambda _: label
    hook = webhook(
        "label.example.com", server.client("/label"), rule("pods", operations=["CREATE"])
    )
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        api.create(MUTATING, configuration("Mutating", "label", hook))
        api.create(DEPLOYMENTS, deployment("web", 3))

        def seen():
            pods = api.get(f"{CORE}/pods", labelSelector="seen=yes")["items"]
            return [p["status"]["phase"] for p in pods] == ["Running"] * 3

        eventually(seen, timeout=20)
        assert {r["operation"] for r in server.requests["/label"]} == {"CREATE"}
        assert all("name" not in r for r in server.requests["/label"])


def test_an_unreachable_webhook_does_not_keep_it_from_starting(tmp_path):
    cluster = EbbCluster(tmp_path / "up", *QUICK, data_dir=tmp_path / "data")
    with cluster:
        cluster.api.create(VALIDATING, configuration("Validating", "all", everything(UNREACHABLE)))
    with cluster:
        api = cluster.api
        assert api.request("POST", f"{CORE}/configmaps", config_map("a")).code == 500
        api.delete(f"{VALIDATING}/all")
        api.create(f"{CORE}/configmaps", config_map("a"))
        api.create(DEPLOYMENTS, deployment("web", 2))

        def running():
            pods = api.get(f"{CORE}/pods")["items"]
            return [p["status"]["phase"] for p in pods] == ["Running"] * 2

        eventually(running, timeout=30)


def test_failing_and_slow_webhooks_are_reported(tmp_path, server):
    delay = [0.0]

    def behave(_):
        time.sleep(delay[0])
        return allow()

    server.behaviours["/v"] = behave
    with EbbCluster(tmp_path / "up", "--controllers=", *QUICK) as cluster:
        api = cluster.api
        hook = webhook("v.example.com", UNREACHABLE, rule("configmaps"), failurePolicy="Ignore")
        api.create(VALIDATING, configuration("Validating", "v", hook))
        api.create(f"{CORE}/configmaps", config_map("a"))
        api.create(f"{CORE}/configmaps", config_map("b"))
        place = {"path": "/webhooks/0/clientConfig", "value": server.client("/v")}
        change = [{"op": "replace", **place}]
        api.patch(f"{VALIDATING}/v", change, content_type="application/json-patch+json")
        api.create(f"{CORE}/configmaps", config_map("c"))
        delay[0] = 1.2
        api.create(f"{CORE}/configmaps", config_map("d"))
        lines = [line for line in cluster.child.output().splitlines() if "v.example.com" in line]
        assert len(lines) == 3, lines
        about = 'webhook "v.example.com" of validatingwebhookconfigurations/v '
        assert lines[0].startswith(about + "fails; requests proceed without it: failed to call")
        assert lines[1] == about + "works again"
        assert lines[2].startswith(about + "is slow: a response took 1.")


def test_it_stops_while_a_webhook_hangs(tmp_path, server):
    go_on = threading.Event()
    server.behaviours["/v"] = lambda _: go_on.wait(30) and allow()
    cluster = EbbCluster(tmp_path / "up", "--controllers=", *QUICK).start()
    hook = webhook("v.example.com", server.client("/v"), rule("configmaps"), timeoutSeconds=30)
    cluster.api.create(VALIDATING, configuration("Validating", "v", hook))

    answers = []

    def ask():
        answer = cluster.api.request("POST", f"{CORE}/configmaps", config_map("a"))
        answers.append((answer.code, answer.json["message"]))

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    eventually(lambda: len(server.requests.get("/v", [])) == len(threads), timeout=10)
    started = time.monotonic()
    cluster.stop()
    assert time.monotonic() - started < 10
    go_on.set()
    for thread in threads:
        thread.join(10)
    # Every request gets an answer.
    stopping = (500, "Internal error occurred: the server is stopping")
    assert answers == [stopping] * len(threads)
