"""A webhook denies writes with messages that would mean something else if the API server sent
them. It costs the workload that it admits a few retries, and nothing else.
"""

import pytest
from support.denials import BROKEN, GONE, LATER, OTHER_UID, TERMINATING, denies
from support.ebb import QUICK, EbbCluster
from support.objects import deployment
from support.process import eventually
from support.webhooks import GROUP, WebhookServer, configuration, deny, rule, webhook

pytestmark = pytest.mark.ebb_only

CORE = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
VALIDATING = f"{GROUP}/validatingwebhookconfigurations"


@pytest.fixture
def server(tmp_path):
    made = WebhookServer(tmp_path)
    yield made
    made.close()


def running(api, app):
    pods = api.get(f"{CORE}/pods", labelSelector=f"app={app}")["items"]
    return [p for p in pods if "deletionTimestamp" not in p["metadata"]]


def reasons(api):
    return {event["reason"] for event in api.get(f"{CORE}/events")["items"]}


def scale(api, name, replicas):
    api.patch(f"{DEPLOYMENTS}/{name}/scale", {"spec": {"replicas": replicas}})


@pytest.mark.parametrize(
    "status", [GONE, OTHER_UID, LATER, BROKEN], ids=["gone", "other-uid", "later", "broken"]
)
def test_a_denied_delete_is_tried_again_soon(tmp_path, server, status):
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        api.create(DEPLOYMENTS, deployment("web", 6))
        eventually(lambda: len(running(api, "web")) == 6, timeout=30)
        api.create(VALIDATING, denies(server, status, "DELETE"))
        scale(api, "web", 2)
        # A pause of five minutes, or of a minute for each denial, would be seen here.
        eventually(lambda: len(running(api, "web")) == 2, timeout=30)
        eventually(lambda: "FailedDelete" in reasons(api), timeout=30)
        assert len(running(api, "web")) == 2


@pytest.mark.parametrize("status", [TERMINATING, BROKEN], ids=["terminating", "broken"])
def test_a_denied_create_is_tried_again_soon(tmp_path, server, status):
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        api.create(VALIDATING, denies(server, status, "CREATE"))
        api.create(DEPLOYMENTS, deployment("web", 4))
        eventually(lambda: len(running(api, "web")) == 4, timeout=30)
        eventually(lambda: "FailedCreate" in reasons(api), timeout=30)
        assert len(running(api, "web")) == 4


def test_a_webhook_that_always_says_later_does_not_delay_other_work(tmp_path, server):
    server.behaviours["/v"] = lambda _: deny(**LATER)
    hook = webhook(
        "v.example.com",
        server.client("/v"),
        rule("pods", operations=["DELETE"]),
        objectSelector={"matchLabels": {"app": "hostile"}},
    )
    with EbbCluster(tmp_path / "up", *QUICK) as cluster:
        api = cluster.api
        # More than the controller has in hand at a time.
        api.create(DEPLOYMENTS, deployment("hostile", 600))
        api.create(DEPLOYMENTS, deployment("web", 6))
        eventually(
            lambda: len(running(api, "hostile")) == 600 and len(running(api, "web")) == 6,
            timeout=120,
        )
        api.create(VALIDATING, configuration("Validating", "v", hook))
        scale(api, "hostile", 0)
        eventually(lambda: len(server.requests.get("/v", [])) > 100, timeout=60)
        scale(api, "web", 2)
        eventually(lambda: len(running(api, "web")) == 2, timeout=30)
        assert len(running(api, "hostile")) == 600
