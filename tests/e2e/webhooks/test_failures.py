"""Webhooks that do not answer, or give invalid answers."""

import base64
import json
import socket
import time

import pytest
from support.objects import config_map
from support.webhooks import allow, deny, rule


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
def test_invalid_responses_are_reported_as_kubernetes_does(api, core, hooks, name):
    kind, answer, why = NONSENSE[name]
    getattr(hooks, kind)("it", answer, rule("configmaps"))
    refused = create(api, core)
    assert refused.code == 500
    assert refused.json["reason"] == "InternalError"
    # Go adds where in its own source a kind is missing, and what exactly is no JSON.
    assert refused.json["message"].startswith(message(hooks, why))


def test_a_response_with_another_uid_is_invalid(api, core, hooks):
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
def test_invalid_responses_are_ignored_with_failure_policy_ignore(api, core, hooks, kind):
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
def test_no_webhook_listens(api, core, hooks, policy, code):
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


def test_a_certificate_of_an_unknown_authority(api, core, hooks):
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
