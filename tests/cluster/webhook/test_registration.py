"""The ValidatingWebhookConfiguration that two replicas keep up to date, on a real kube-apiserver: it
accepts the CEL expressions, and the Secret is shared.
"""

import base64
import time

import pytest
from rig.webhook import CONFIGURATION
from support.names import make_namespace
from support.pickers import RecordingPicker
from support.process import eventually
from support.scaled import Workload

pytestmark = [pytest.mark.own_system("webhook"), pytest.mark.systems("ebb")]

SECRET = "/api/v1/namespaces/ebb-system/secrets/ebb-webhook-tls"


def test_namespaces_with_policies_are_selected(webhook, server, workload, pickers):
    picker = pickers(RecordingPicker())
    other = Workload(server.api, make_namespace(server.api, "another"))
    workload.add_policy("web", picker.http())
    other.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    webhook.wait_registered(other.namespace)
    configuration = webhook.configuration()
    scale_down, fence = configuration["webhooks"]
    assert scale_down["rules"][0]["resources"] == ["replicasets", "replicasets/scale"]
    assert fence["rules"][0]["operations"] == ["DELETE"]
    for one in (scale_down, fence):
        assert one["failurePolicy"] == "Ignore"
        assert len(one["matchConditions"]) == 1

    # Two replicas that agree write nothing, once the policies of earlier tests are gone.
    def stays():
        version = webhook.configuration()["metadata"]["resourceVersion"]
        time.sleep(3)
        return webhook.configuration()["metadata"]["resourceVersion"] == version

    eventually(stays, timeout=30)
    other.api.delete(f"{other.policies}/web")

    def left_out():
        values = webhook.configuration()["webhooks"][0]["namespaceSelector"]["matchExpressions"]
        assert other.namespace not in values[-1]["values"]
        return True

    eventually(left_out, timeout=30)
    server.api.request("DELETE", f"/api/v1/namespaces/{other.namespace}")


def test_replicas_share_one_authority(webhook, server, workload, pickers):
    picker = pickers(RecordingPicker())
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    data = server.api.get(SECRET)["data"]
    certificate = base64.b64decode(data["ca.crt"])
    bundle = webhook.configuration()["webhooks"][0]["clientConfig"]["caBundle"]
    assert base64.b64decode(bundle) == certificate
    assert webhook.splitter.port
    for replica in webhook.replicas:
        assert replica.ready()


def test_other_requests_are_not_sent(webhook, workload, pickers, server):
    """Scale-ups, other namespaces, and deletes by people."""
    picker = pickers(RecordingPicker())
    workload.create(4)
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    before = webhook.metric("ebb_webhook_reviews_total")
    workload.scale(6)
    workload.api.delete(f"{workload.core}/pods/{workload.wait(6)[0]}")
    workload.wait(6)
    assert webhook.metric("ebb_webhook_reviews_total") == before
    workload.scale(5)
    assert webhook.metric("ebb_webhook_reviews_total") > before


def test_an_edited_configuration_is_kept_in_part(webhook, server, workload, pickers):
    """Match expressions of others stay, as AKS adds them."""
    picker = pickers(RecordingPicker())
    workload.add_policy("web", picker.http())
    webhook.wait_registered(workload.namespace)
    configuration = webhook.configuration()
    foreign = {"key": "control-plane", "operator": "DoesNotExist"}
    for one in configuration["webhooks"]:
        one["namespaceSelector"]["matchExpressions"].insert(0, foreign)
    server.api.update(CONFIGURATION, configuration)
    workload.add_policy("second", picker.http(), target="other")
    again = Workload(server.api, make_namespace(server.api, "again"))
    again.add_policy("web", picker.http())
    webhook.wait_registered(again.namespace)
    for one in webhook.configuration()["webhooks"]:
        assert foreign in one["namespaceSelector"]["matchExpressions"]
    server.api.request("DELETE", f"/api/v1/namespaces/{again.namespace}")
