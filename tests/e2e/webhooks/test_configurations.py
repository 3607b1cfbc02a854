"""Webhook configurations: defaults, validation, and which requests they match."""

import pytest
from support.webhooks import GROUP, configuration, deny, rule, webhook


def test_configurations_are_not_sent_to_webhooks(api, namespace, hooks):
    everything = {"clientConfig": hooks.server.client("/it"), "namespaceSelector": {}}
    hooks.validating(
        "it",
        lambda _: deny(),
        rule("*", groups=["admissionregistration.k8s.io"]),
        **everything,
    )
    path = f"{GROUP}/validatingwebhookconfigurations/it-{namespace}"
    api.patch(path, {"metadata": {"labels": {"a": "b"}}})
    api.delete(path)
    assert hooks.requests("it") == []


def test_defaults(api, hooks):
    hook = webhook("some.example.com", {"url": "https://127.0.0.1/x"}, rule("pods"))
    hooks.register("Mutating", "bare", hook)
    stored = api.get(hooks.made[0])
    assert stored["metadata"]["generation"] == 1
    assert stored["webhooks"] == [
        {
            **hook,
            "rules": [rule("pods", scope="*")],
            "failurePolicy": "Fail",
            "matchPolicy": "Equivalent",
            "namespaceSelector": {},
            "objectSelector": {},
            "timeoutSeconds": 10,
            "reinvocationPolicy": "Never",
        }
    ]


GOOD = {"url": "https://127.0.0.1/x"}
FORM = "; desired format: https://host[/path]"
WRONG = {
    "short name": (
        {"name": "example.com"},
        'webhooks[0].name: Invalid value: "example.com": should be a domain with at least three '
        "segments separated by dots",
    ),
    "no name": ({"name": ""}, "webhooks[0].name: Required value"),
    "no side effects": (
        {"sideEffects": None},
        "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
    ),
    "side effects": (
        {"sideEffects": "Some"},
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", '
        '"NoneOnDryRun"',
    ),
    "timeout": (
        {"timeoutSeconds": 31},
        "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 "
        "seconds",
    ),
    "no versions": (
        {"admissionReviewVersions": []},
        "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
    ),
    "unknown versions": (
        {"admissionReviewVersions": ["v7"]},
        'webhooks[0].admissionReviewVersions: Invalid value: ["v7"]: must include at least one of '
        "v1, v1beta1",
    ),
    "policy": (
        {"failurePolicy": "Maybe"},
        'webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ),
    "nowhere": (
        {"clientConfig": {}},
        "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    ),
    "http": (
        {"clientConfig": {"url": "http://127.0.0.1/x"}},
        "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL "
        f"scheme{FORM}",
    ),
    "query": (
        {"clientConfig": {"url": "https://127.0.0.1/x?a=b"}},
        'webhooks[0].clientConfig.url: Invalid value: "a=b": query parameters are not permitted in '
        "the URL",
    ),
    "user": (
        {"clientConfig": {"url": "https://me@127.0.0.1/x"}},
        'webhooks[0].clientConfig.url: Invalid value: "me": user information is not permitted in '
        "the URL",
    ),
    "fragment": (
        {"clientConfig": {"url": "https://127.0.0.1/x#y"}},
        'webhooks[0].clientConfig.url: Invalid value: "y": fragments are not permitted in the URL',
    ),
    "service path": (
        {"clientConfig": {"service": {"name": "s", "namespace": "n", "path": "x"}}},
        "[webhooks[0].clientConfig.service.path: Invalid value: \"x\": must start with a '/', "
        'webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty]',
    ),
    "service port": (
        {"clientConfig": {"service": {"name": "s", "namespace": "n", "port": 0}}},
        "webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be "
        "between 1 and 65535, inclusive",
    ),
    "no operations": (
        {"rules": [rule("pods", operations=[])]},
        "webhooks[0].rules[0].operations: Required value",
    ),
    "operation": (
        {"rules": [rule("pods", operations=["READ"])]},
        'webhooks[0].rules[0].operations[0]: Unsupported value: "READ": supported values: "*", '
        '"CONNECT", "CREATE", "DELETE", "UPDATE"',
    ),
    "all groups and one": (
        {"rules": [rule("pods", groups=["*", "apps"])]},
        "webhooks[0].rules[0].apiGroups: Invalid value: "
        "[\"*\",\"apps\"]: if '*' is present, must not specify other API groups",
    ),
    "all resources and one": (
        {"rules": [rule("*", "pods")]},
        "webhooks[0].rules[0].resources: Invalid value: [\"*\",\"pods\"]: if '*' is present, must "
        "not specify other resources without subresources",
    ),
    "all subresources and one": (
        {"rules": [rule("pods/*", "pods/status")]},
        "webhooks[0].rules[0].resources[1]: Invalid value: \"pods/status\": if 'pods/*' is "
        "present, must not specify pods/status",
    ),
    "scope": (
        {"rules": [rule("pods", scope="World")]},
        'webhooks[0].rules[0].scope: Unsupported value: "World": supported values: "*", "Cluster", '
        '"Namespaced"',
    ),
}


@pytest.mark.parametrize("kind", ["Mutating", "Validating"])
@pytest.mark.parametrize("name", WRONG)
def test_a_configuration_that_is_wrong(api, namespace, kind, name):
    change, why = WRONG[name]
    hook = {**webhook("some.example.com", GOOD, rule("pods")), **change}
    body = configuration(kind, f"wrong-{namespace}", hook)
    path = f"{GROUP}/{kind.lower()}webhookconfigurations"
    answer = api.request("POST", path, body, dryRun="All")
    assert answer.code == 422
    assert answer.json["message"] == (
        f'{kind}WebhookConfiguration.admissionregistration.k8s.io "wrong-{namespace}" is '
        f"invalid: {why}"
    )


def test_names_are_unique_within_a_configuration(api, namespace):
    hook = webhook("some.example.com", GOOD, rule("pods"))
    body = configuration("Mutating", f"wrong-{namespace}", hook, hook)
    answer = api.request("POST", f"{GROUP}/mutatingwebhookconfigurations", body, dryRun="All")
    assert answer.code == 422
    assert answer.json["message"].endswith(
        'webhooks[1].name: Duplicate value: "some.example.com"'
    )


@pytest.mark.ebb_only
@pytest.mark.parametrize("field", ["name", "namespace"])
def test_a_service_needs_both_its_names(api, namespace, field):
    # Kubernetes 1.36 says so, too, but takes the one for the other.
    service = {"name": "a", "namespace": "b", field: ""}
    hook = webhook("some.example.com", {"service": service}, rule("pods"))
    body = configuration("Mutating", f"wrong-{namespace}", hook)
    answer = api.request("POST", f"{GROUP}/mutatingwebhookconfigurations", body)
    assert answer.code == 422
    assert f"clientConfig.service.{field}: Required value" in answer.json["message"]


@pytest.mark.ebb_only
def test_conditions_in_cel_are_refused(api, namespace):
    conditions = [{"name": "some", "expression": "true"}]
    hook = webhook("some.example.com", GOOD, rule("pods"), matchConditions=conditions)
    body = configuration("Mutating", f"wrong-{namespace}", hook)
    answer = api.request("POST", f"{GROUP}/mutatingwebhookconfigurations", body)
    assert answer.code == 422
    assert "webhooks[0].matchConditions: Forbidden: CEL expressions" in answer.json["message"]
