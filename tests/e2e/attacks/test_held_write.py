"""A webhook holds a delete until the controllers have given up on it, and then lets it pass. By
then the pod may be wanted again, or another process may lead, so the delete must not be
executed.
"""

import time

import pytest
from support.ebb import QUICK, EbbCluster
from support.objects import deployment
from support.process import eventually
from support.webhooks import GROUP, WebhookServer, allow, configuration, rule, webhook

pytestmark = pytest.mark.ebb_only

CORE = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
VALIDATING = f"{GROUP}/validatingwebhookconfigurations"
# Controllers give a write five seconds.
HELD_SECONDS = 8


@pytest.fixture
def server(tmp_path):
    made = WebhookServer(tmp_path)
    yield made
    made.close()


def names(api):
    pods = api.get(f"{CORE}/pods", labelSelector="app=web")["items"]
    return {p["metadata"]["name"] for p in pods if "deletionTimestamp" not in p["metadata"]}


def scale(api, replicas):
    api.patch(f"{DEPLOYMENTS}/web/scale", {"spec": {"replicas": replicas}})


def test_a_delete_that_was_given_up_is_not_carried_out_later(tmp_path, server):
    def hold(_):
        time.sleep(HELD_SECONDS)
        return allow()

    server.behaviours["/v"] = hold
    hook = webhook(
        "v.example.com",
        server.client("/v"),
        rule("pods", operations=["DELETE"]),
        timeoutSeconds=30,
    )
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        api.create(DEPLOYMENTS, deployment("web", 4))
        eventually(lambda: len(names(api)) == 4, timeout=30)
        before = names(api)
        api.create(VALIDATING, configuration("Validating", "v", hook))
        scale(api, 3)
        eventually(lambda: len(server.requests.get("/v", [])) == 1, timeout=10)
        scale(api, 4)
        time.sleep(HELD_SECONDS + 2)
        assert len(server.requests["/v"]) == 1, "it is not tried again: the pod is wanted"
        assert names(api) == before
