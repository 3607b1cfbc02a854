"""Webhooks and kubectl."""

import pytest
import yaml
from support.webhooks import allow, configuration, deny, patch, rule, webhook

LABEL = patch({"op": "add", "path": "/metadata/labels/seen", "value": "yes"})


def test_a_denial_and_a_warning(kubectl, hooks):
    answer = {**deny(message="no cats"), "warnings": ["cats are old"]}
    hooks.validating("no", lambda _: answer, rule("configmaps"))
    result = kubectl.fails("create configmap cat")
    assert "Warning: cats are old" in result.err
    assert f'admission webhook "{hooks.name("no")}" denied the request: no cats' in result.err


def test_a_deployment_with_a_label_from_a_webhook(kubectl, hooks):
    hooks.mutating("label", lambda _: LABEL, rule("deployments", operations=["CREATE"]))
    kubectl("create deployment web --image=registry.example/web:1")
    shown = kubectl("get deployments -L seen").table()
    assert [(row["NAME"], row["SEEN"]) for row in shown] == [("web", "yes")]
    kubectl("scale deployment web --replicas=0")
    kubectl("delete deployment web")
    assert [r["operation"] for r in hooks.requests("label")] == ["CREATE"]


def test_configurations_like_anything_else(kubectl, hooks, namespace, tmp_path):
    hook = webhook(hooks.name("it"), hooks.server.client("/it"), rule("secrets"))
    hook["namespaceSelector"] = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
    hooks.server.behaviours["/it"] = lambda _: allow()
    name = f"it-{namespace}"
    file = tmp_path / "it.yaml"
    file.write_text(yaml.safe_dump(configuration("Validating", name, hook)))
    kubectl(f"apply -f {file}")
    try:
        (row,) = kubectl(f"get validatingwebhookconfigurations {name}").table()
        assert (row["NAME"], row["WEBHOOKS"]) == (name, "1")
        kubectl(f"apply --server-side --force-conflicts -f {file}")
        described = kubectl(f"describe validatingwebhookconfigurations {name}").out
        assert "Failure Policy:" in described
        assert "timeoutSeconds" in kubectl("explain validatingwebhookconfiguration.webhooks").out
    finally:
        kubectl(f"delete validatingwebhookconfigurations {name}")


@pytest.mark.parametrize("kind", ["mutating", "validating"])
def test_discovery_knows_them(kubectl, kind):
    rows = kubectl("api-resources --api-group=admissionregistration.k8s.io -o wide").table()
    (row,) = [row for row in rows if row["NAME"] == f"{kind}webhookconfigurations"]
    assert row["SHORTNAMES"] == ""
    assert row["NAMESPACED"] == "false"
    assert row["CATEGORIES"] == "api-extensions"
