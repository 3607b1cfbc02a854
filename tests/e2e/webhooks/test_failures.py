"""Webhooks that do not answer, answer nonsense, or are registered wrongly."""

import base64
import json
import socket
import time

import pytest
from support.objects import config_map
from support.webhooks import GROUP, allow, configuration, deny, rule, webhook


def create(api, core):
    return api.request("POST", f"{core}/configmaps", config_map("a", {"k": "v"}))


def review(request, response=None, **more):
    body = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", **more}
    if response is not None:
        body["response"] = {"uid": request["uid"], **response}
    return json.dumps(body).encode()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def message(hooks, why):
    return f'Internal error occurred: failed calling webhook "{hooks.name("it")}": {why}'


PATCH = base64.b64encode(b'[{"op":"add","path":"/data/x","value":"y"}]').decode()

# kind, answer, what is said about it
NONSENSE = {
    "no review": (
        "validating",
        review,
        "received invalid webhook response: webhook response was absent",
    ),
    "another version": (
        "validating",
        lambda r: review(r, {"allowed": True}, apiVersion="admission.k8s.io/v1beta1"),
        "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): "
        "unknown conversion",
    ),
    "another kind": (
        "validating",
        lambda r: review(r, {"allowed": True}, kind="Other"),
        'failed to call webhook: no kind "Other" is registered for version "admission.k8s.io/v1"',
    ),
    "another group": (
        "validating",
        lambda r: review(r, {"allowed": True}, apiVersion="example.com/v1"),
        'failed to call webhook: no kind "AdmissionReview" is registered for version '
        '"example.com/v1"',
    ),
    "no kind": (
        "validating",
        lambda r: json.dumps({"response": {"uid": r["uid"], "allowed": True}}).encode(),
        "received invalid webhook response: expected webhook response of admission.k8s.io/v1, "
        "Kind=AdmissionReview, got /, Kind=",
    ),
    "no JSON": (
        "validating",
        lambda r: b"{",
        "failed to call webhook: couldn't get version/kind; json parse error: ",
    ),
    "no object": (
        "validating",
        lambda r: b"[]",
        "failed to call webhook: couldn't get version/kind; json parse error: json: cannot "
        "unmarshal array into Go value of type struct { APIVersion string "
        '"json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ),
    "null": (
        "validating",
        lambda r: b"null",
        "received invalid webhook response: webhook response was absent",
    ),
    "a patch that is no JSON": (
        "mutating",
        lambda r: allow(patchType="JSONPatch", patch=base64.b64encode(b"{").decode()),
        "received undecodable patch in webhook response: ",
    ),
    "a patch that is no list": (
        "mutating",
        lambda r: allow(patchType="JSONPatch", patch=base64.b64encode(b"{}").decode()),
        "received undecodable patch in webhook response: json: cannot unmarshal object into Go "
        "value of type jsonpatch.Patch",
    ),
    "nothing": (
        "validating",
        lambda r: b"",
        "failed to call webhook: 0-length response with status code: 200 and content type: "
        "application/json",
    ),
    "allowed by a text": (
        "validating",
        lambda r: review(r, {"allowed": "yes"}),
        "failed to call webhook: json: cannot unmarshal string into Go struct field "
        "AdmissionResponse.response.allowed of type bool",
    ),
    "a patch that is no base64": (
        "mutating",
        lambda r: review(r, {"allowed": True, "patch": "!", "patchType": "JSONPatch"}),
        "failed to call webhook: illegal base64 data at input byte 0",
    ),
    "forbidden": ("validating", lambda r: (403, b"no\n"), "failed to call webhook: no"),
    "a teapot": (
        "validating",
        lambda r: (418, b"no\n"),
        "failed to call webhook: the server responded with the status code 418 but did not return "
        "more information",
    ),
    "moved": (
        "validating",
        lambda r: (302, b"no\n"),
        "failed to call webhook: the server responded with the status code 302 but did not return "
        "more information",
    ),
    "patch without type": (
        "mutating",
        lambda r: review(r, {"allowed": True, "patch": PATCH}),
        "received invalid webhook response: webhook returned response.patch but not "
        "response.patchType",
    ),
    "type without patch": (
        "mutating",
        lambda r: review(r, {"allowed": True, "patchType": "JSONPatch"}),
        "received invalid webhook response: webhook returned response.patchType but not "
        "response.patch",
    ),
    "unknown type": (
        "mutating",
        lambda r: review(r, {"allowed": True, "patch": PATCH, "patchType": "Other"}),
        'unsupported patch type "Other"',
    ),
    "patch from a validating one": (
        "validating",
        lambda r: review(r, {"allowed": True, "patch": PATCH, "patchType": "JSONPatch"}),
        "received invalid webhook response: validating webhook may not return response.patch",
    ),
    "not found": (
        "validating",
        lambda r: (404, b"what?"),
        "failed to call webhook: the server could not find the requested resource",
    ),
    "an error": (
        "validating",
        lambda r: (500, b"oh dear\n"),
        'failed to call webhook: an error on the server ("oh dear") has prevented the request '
        "from succeeding",
    ),
    "bad request": (
        "validating",
        lambda r: (400, b"oh dear\n"),
        "failed to call webhook: the server rejected our request for an unknown reason",
    ),
    "unavailable": (
        "validating",
        lambda r: (503, b"oh dear\n"),
        "failed to call webhook: the server is currently unable to handle the request",
    ),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_told_as_kubernetes_does(api, core, hooks, name):
    kind, answer, why = NONSENSE[name]
    getattr(hooks, kind)("it", answer, rule("configmaps"))
    refused = create(api, core)
    assert refused.code == 500
    assert refused.json["reason"] == "InternalError"
    # Go adds where in its own source a kind is missing, and what exactly is no JSON.
    assert refused.json["message"].startswith(message(hooks, why))


def test_another_uid_is_no_answer(api, core, hooks):
    hooks.validating(
        "it", lambda r: review(r, {"allowed": True, "uid": "other"}), rule("configmaps")
    )
    refused = create(api, core)
    (request,) = hooks.requests("it")
    why = (
        "received invalid webhook response: expected "
        f'response.uid="{request["uid"]}", got "other"'
    )
    assert refused.json["message"] == message(hooks, why)


@pytest.mark.parametrize("kind", ["mutating", "validating"])
def test_nonsense_is_ignored_by_those_who_say_so(api, core, hooks, kind):
    getattr(hooks, kind)("it", lambda r: b"{", rule("configmaps"), failurePolicy="Ignore")
    assert create(api, core).code == 201
    assert len(hooks.requests("it")) == 1


def test_a_patch_that_cannot_be_applied_is_an_error_whatever_the_policy(api, core, hooks):
    nonsense = base64.b64encode(b'[{"op":"remove","path":"/data/nothing"}]').decode()
    hooks.mutating(
        "it",
        lambda _: allow(patch=nonsense, patchType="JSONPatch"),
        rule("configmaps"),
        failurePolicy="Ignore",
    )
    refused = create(api, core)
    assert refused.code == 500
    assert refused.json["message"].startswith("Internal error occurred: ")


@pytest.mark.parametrize("policy, code", [("Fail", 500), ("Ignore", 201)])
def test_nobody_there(api, core, hooks, policy, code):
    port = free_port()
    client = {"url": f"https://127.0.0.1:{port}/x", "caBundle": hooks.server.ca_bundle}
    hooks.validating("it", None, rule("configmaps"), clientConfig=client, failurePolicy=policy)
    answer = create(api, core)
    assert answer.code == code
    if code == 500:
        assert answer.json["message"] == message(
            hooks,
            f'failed to call webhook: Post "https://127.0.0.1:{port}/x?timeout=10s": dial tcp '
            f"127.0.0.1:{port}: connect: connection refused",
        )


@pytest.mark.parametrize("policy, code", [("Fail", 500), ("Ignore", 201)])
def test_no_answer_in_time(api, core, hooks, policy, code):
    def hang(_):
        time.sleep(4)
        return allow()

    hooks.validating("it", hang, rule("configmaps"), timeoutSeconds=1, failurePolicy=policy)
    started = time.monotonic()
    answer = create(api, core)
    assert 0.9 < time.monotonic() - started < 3.5
    assert answer.code == code
    if code == 500:
        assert answer.json["message"] == message(
            hooks,
            f'failed to call webhook: Post "https://127.0.0.1:{hooks.server.port}/it?timeout=1s": '
            "context deadline exceeded",
        )


@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
@pytest.mark.parametrize("kind", ["mutating", "validating"])
def test_a_request_may_set_a_limit_to_all_of_them_together(api, core, hooks, kind, policy):
    def hang(_):
        time.sleep(1.5)
        return allow()

    for word in ("it", "other") if kind == "mutating" else ("it",):
        getattr(hooks, kind)(word, hang, rule("configmaps"), failurePolicy=policy)
    started = time.monotonic()
    limit = {"timeout": "2s" if kind == "mutating" else "500ms"}
    answer = api.request("POST", f"{core}/configmaps", config_map("a", {"k": "v"}), **limit)
    assert 0.4 < time.monotonic() - started < 2.6
    assert answer.code == 504
    assert answer.json["reason"] == "Timeout"
    assert answer.json["message"] == (
        "Timeout: request did not complete within the allotted timeout"
    )
    assert api.request("GET", f"{core}/configmaps/a").code == 404


@pytest.mark.parametrize(
    "limit, why",
    [
        ("0s", None),
        ("1h", None),
        ("1m0.5s", None),
        ("-1s", None),
        ("soon", 'invalid duration "soon"'),
        ("1e3s", 'unknown unit "e" in duration "1e3s"'),
        ("5", 'missing unit in duration "5"'),
        (".s", 'invalid duration ".s"'),
        ("9999999999h", 'invalid duration "9999999999h"'),
    ],
)
def test_limits_of_requests_are_go_durations(api, core, limit, why):
    answer = api.request("DELETE", f"{core}/configmaps/nothing", timeout=limit)
    assert answer.code == (404 if why is None else 400)
    if why is not None:
        words = f"invalid timeout specified in the request URL - time: {why}"
        assert answer.json["message"] == words


def test_a_patch_of_null_changes_nothing(api, core, hooks):
    nothing = base64.b64encode(b"null").decode()
    hooks.mutating(
        "it", lambda _: allow(patch=nothing, patchType="JSONPatch"), rule("configmaps")
    )
    assert create(api, core).code == 201


def test_a_certificate_that_nobody_vouches_for(api, core, hooks):
    client = {"url": hooks.server.client("/it")["url"]}
    hooks.validating("it", None, rule("configmaps"), clientConfig=client)
    answer = create(api, core)
    assert answer.code == 500
    assert answer.json["message"] == message(
        hooks,
        f'failed to call webhook: Post "https://127.0.0.1:{hooks.server.port}/it?timeout=10s": '
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    )


def test_a_service_that_is_not_there(api, core, namespace, hooks):
    client = {"service": {"namespace": namespace, "name": "hook", "path": "/it"}}
    hooks.validating("it", None, rule("configmaps"), clientConfig=client)
    assert create(api, core).json["message"] == message(
        hooks,
        f'failed to call webhook: Post "https://hook.{namespace}.svc:443/it?timeout=10s": '
        'service "hook" not found',
    )


def test_a_service_by_an_external_name(api, core, namespace, hooks):
    spec = {"type": "ExternalName", "externalName": "localhost"}
    api.create(f"{core}/services", {"metadata": {"name": "hook"}, "spec": spec})
    service = {
        "namespace": namespace,
        "name": "hook",
        "path": "/it",
        "port": hooks.server.port,
    }
    client = {"service": service, "caBundle": hooks.server.ca_bundle}
    say_no = deny(message="it is me")
    hooks.validating("it", lambda _: say_no, rule("configmaps"), clientConfig=client)
    assert create(api, core).json["message"].endswith(": it is me")


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
