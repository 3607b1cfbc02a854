"""A webhook denies writes with statuses that would mean something else if the API server sent them.
ebb tells them apart by the words that the API server puts before the webhook's message, because the
webhook chooses everything else (src/control/core/json_document.cc).
"""

import uuid

import pytest
from rig.recorder import PodRecorder
from support.denials import BROKEN, GONE, LATER, NAME, OTHER_UID, TERMINATING, denies, lies
from support.objects import pod
from support.process import eventually
from support.webhooks import GROUP, WebhookServer

pytestmark = pytest.mark.systems("ebb", "up")

VALIDATING = f"{GROUP}/validatingwebhookconfigurations"
# What ebb goes by.
PREFIX = f'admission webhook "{NAME}" denied the request'
NEVER_ENDS = 1000

DELETES = pytest.mark.parametrize(
    "status", [GONE, OTHER_UID, LATER, BROKEN], ids=["gone", "other-uid", "later", "broken"]
)


@pytest.fixture
def install(place, tmp_path):
    """Installs such a webhook, for the namespace of the test alone."""
    server = WebhookServer(tmp_path)
    name = f"lies-{uuid.uuid4().hex[:8]}"

    def install(status, operation, **more):
        here = {"matchLabels": {"kubernetes.io/metadata.name": place.namespace}}
        made = denies(server, status, operation, name=name, namespaceSelector=here, **more)
        place.api.create(VALIDATING, made)
        return server

    yield install
    place.api.request("DELETE", f"{VALIDATING}/{name}")
    server.close()


def wait_until_asked(server, request):
    """The API server learns of a new webhook with a delay."""

    def check():
        answer = request()
        assert server.requests.get("/v"), answer.body
        return answer

    return eventually(check, timeout=30)


def create_one(place):
    name = f"p-{uuid.uuid4().hex[:8]}"
    return name, place.api.request("POST", place.pods_path, pod(name, {"app": "probe"}))


def delete_one(place):
    name, created = create_one(place)
    assert created.code == 201, created.body
    return place.api.request("DELETE", f"{place.pods_path}/{name}", {"gracePeriodSeconds": 0})


def check_denial(answer, status):
    said = answer.json
    assert said["message"].startswith(PREFIX), said
    assert answer.code == said["code"] == status["code"]
    assert said["reason"] == status["reason"]


@DELETES
def test_a_denied_delete_is_known_by_its_message_and_tried_again_soon(place, install, status):
    place.replica_set("web", 6)
    place.wait_ready(6)
    server = install(status, "DELETE", seconds=NEVER_ENDS)
    check_denial(wait_until_asked(server, lambda: delete_one(place)), status)
    server.behaviours["/v"] = lies(status)
    with PodRecorder(place.api, place.namespace) as recorder:
        place.scale("replicasets", "web", 2)
        # A pause of five minutes, or of a minute for each denial, would be seen here.
        recorder.expect_exactly(deleted=4, timeout=40)
    eventually(lambda: place.events("FailedDelete"), timeout=30)


def test_a_denied_create_is_known_by_its_message_and_tried_again_soon(place, install):
    server = install(TERMINATING, "CREATE", seconds=NEVER_ENDS)
    check_denial(wait_until_asked(server, lambda: create_one(place)[1]), TERMINATING)
    server.behaviours["/v"] = lies(TERMINATING)
    place.replica_set("web", 4)
    place.wait_ready(4, "app=web", timeout=40)
    eventually(lambda: place.events("FailedCreate"), timeout=30)
