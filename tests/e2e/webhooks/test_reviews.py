"""The requests that webhooks get, and the effect of their answers."""

import threading
import time

import pytest
from support.api import APPLY_PATCH, MERGE_PATCH
from support.objects import config_map, deployment, pod
from support.webhooks import allow, deny, patch, rule

LABEL = patch({"op": "add", "path": "/metadata/labels", "value": {"seen": "yes"}})


def shortened(request, *dropped):
    """A request without the fields that differ between servers."""
    request = {k: v for k, v in request.items() if k not in ("uid", "userInfo", *dropped)}
    for field in ("object", "oldObject"):
        if request.get(field):
            request[field] = request[field]["kind"]
    return request


def gvk(group, version, kind):
    return {"group": group, "version": version, "kind": kind}


def gvr(group, version, resource):
    return {"group": group, "version": version, "resource": resource}


MAP = {
    "kind": gvk("", "v1", "ConfigMap"),
    "resource": gvr("", "v1", "configmaps"),
    "requestKind": gvk("", "v1", "ConfigMap"),
    "requestResource": gvr("", "v1", "configmaps"),
}


def test_a_mutating_webhook_adds_a_label(api, core, hooks):
    hooks.mutating("label", lambda _: LABEL, rule("configmaps"))
    made = api.create(f"{core}/configmaps", config_map("a", {"k": "v"}), fieldManager="me")
    assert made["metadata"]["labels"] == {"seen": "yes"}
    assert api.get(f"{core}/configmaps/a")["metadata"]["labels"] == {"seen": "yes"}
    (entry,) = made["metadata"]["managedFields"]
    assert entry["manager"] == "me"
    assert entry["fieldsV1"] == {"f:data": {".": {}, "f:k": {}}}


def test_a_creation_is_reviewed_in_full(api, core, namespace, hooks):
    hooks.mutating("m", lambda _: allow(), rule("configmaps"))
    hooks.validating("v", lambda _: allow(), rule("configmaps"))
    made = api.create(
        f"{core}/configmaps", config_map("a", {"k": "v"}), fieldManager="me", fieldValidation="Warn"
    )
    for word in ("m", "v"):
        (request,) = hooks.requests(word)
        assert shortened(request) == {
            **MAP,
            "name": "a",
            "namespace": namespace,
            "operation": "CREATE",
            "object": "ConfigMap",
            "oldObject": None,
            "dryRun": False,
            "options": {
                "kind": "CreateOptions",
                "apiVersion": "meta.k8s.io/v1",
                "fieldManager": "me",
                "fieldValidation": "Warn",
            },
        }
        assert set(request["userInfo"]) >= {"username", "groups"}
    before, after = (hooks.requests(word)[0]["object"]["metadata"] for word in ("m", "v"))
    assert "uid" not in before
    assert before["managedFields"] == made["metadata"]["managedFields"]
    assert after["uid"] == made["metadata"]["uid"]
    assert after["creationTimestamp"] == made["metadata"]["creationTimestamp"]
    assert "resourceVersion" not in after


def test_updates_patches_and_applies_are_updates(api, core, namespace, hooks):
    path = f"{core}/configmaps/a"
    made = api.create(f"{core}/configmaps", config_map("a", {"k": "1"}))
    hooks.mutating("m", lambda _: allow(), rule("configmaps"))
    hooks.validating("v", lambda _: allow(), rule("configmaps"))
    api.update(path, config_map("a", {"k": "2"}))
    api.patch(path, {"data": {"k": "3"}}, fieldManager="me")
    api.patch(
        path,
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {"z": "4"}},
        content_type=APPLY_PATCH,
        fieldManager="you",
    )
    for word in ("m", "v"):
        # A server that worked on a state from its cache asks once more; the last time counts.
        last = {str(r["object"]["data"]): r for r in hooks.requests(word)}
        update, patched, applied = last.values()
        for request, options in (
            (update, {}),
            (patched, {"fieldManager": "me"}),
            (applied, {"fieldManager": "you"}),
        ):
            assert shortened(request) == {
                **MAP,
                "name": "a",
                "namespace": namespace,
                "operation": "UPDATE",
                "object": "ConfigMap",
                "oldObject": "ConfigMap",
                "dryRun": False,
                "options": {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1", **options},
            }
        assert patched["oldObject"]["data"] == {"k": "2"}
        assert patched["object"]["data"] == {"k": "3"}
        assert applied["object"]["data"] == {"k": "3", "z": "4"}
        assert patched["object"]["metadata"]["uid"] == made["metadata"]["uid"]


def test_an_apply_of_something_new_is_a_creation(api, core, hooks):
    hooks.mutating("m", lambda _: LABEL, rule("configmaps"))
    made = api.patch(
        f"{core}/configmaps/a",
        config_map("a", {"z": "4"}),
        content_type=APPLY_PATCH,
        fieldManager="you",
    )
    assert made["metadata"]["labels"] == {"seen": "yes"}
    (request,) = hooks.requests("m")
    assert (request["operation"], request["name"]) == ("CREATE", "a")
    assert request["options"]["kind"] == "CreateOptions"


@pytest.mark.parametrize("kind", ["mutating", "validating"])
@pytest.mark.parametrize(
    "status, code, reason, text",
    [
        ({}, 400, None, " without explanation"),
        ({"message": "no cats"}, 400, None, ": no cats"),
        ({"message": "no cats", "code": 200}, 400, None, ": no cats"),
        ({"message": "no cats", "code": 403, "reason": "Forbidden"}, 403, "Forbidden", ": no cats"),
        ({"reason": "Gone", "code": 410}, 410, "Gone", ": Gone"),
    ],
    ids=["nothing", "message", "good code", "forbidden", "reason"],
)
def test_a_denial_is_returned_with_its_code(api, core, hooks, kind, status, code, reason, text):
    getattr(hooks, kind)("no", lambda _: deny(**status), rule("configmaps"))
    answer = api.request("POST", f"{core}/configmaps", config_map("a", {}))
    assert answer.code == code
    assert answer.json["status"] == "Failure"
    assert answer.json.get("reason") == reason
    denied = f'admission webhook "{hooks.name("no")}" denied the request'
    assert answer.json["message"] == denied + text
    assert api.request("GET", f"{core}/configmaps/a").code == 404


@pytest.mark.parametrize(
    "field, value, made",
    [
        (
            "name",
            None,
            'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is '
            "required",
        ),
        ("name", "b", None),
        ("uid", "123", None),
    ],
)
def test_names_are_checked_after_webhooks(api, core, hooks, field, value, made):
    api.create(f"{core}/configmaps", config_map("a", {}))
    operation = "remove" if value is None else "replace"
    change = patch({"op": operation, "path": f"/metadata/{field}", "value": value})
    hooks.mutating("it", lambda _: change, rule("configmaps"))
    answer = api.request("POST", f"{core}/configmaps", config_map("c", {}))
    assert answer.json.get("message") == made
    answer = api.request(
        "PATCH", f"{core}/configmaps/a", {"data": {"k": "w"}}, content_type=MERGE_PATCH
    )
    assert answer.code == 422
    why = f'metadata.{field}: Invalid value: "{value or ""}": field is immutable'
    assert why in answer.json["message"]


def test_warnings_come_in_the_head_of_the_answer(api, core, hooks):
    hooks.mutating("m", lambda _: allow(warnings=["one", 'a "quoted" one']), rule("configmaps"))
    hooks.validating("v", lambda _: allow(warnings=["one", "two"]), rule("configmaps"))
    answer = api.request("POST", f"{core}/configmaps", config_map("a", {}))
    assert answer.code == 201
    assert answer.warnings == ['299 - "one"', '299 - "a \\"quoted\\" one"', '299 - "two"']


def test_a_dry_run_is_marked_in_the_review_and_stores_nothing(api, core, hooks):
    hooks.mutating("m", lambda _: LABEL, rule("configmaps"), sideEffects="NoneOnDryRun")
    shown = api.create(f"{core}/configmaps", config_map("a", {}), dryRun="All")
    assert shown["metadata"]["labels"] == {"seen": "yes"}
    (request,) = hooks.requests("m")
    assert request["dryRun"] is True
    assert request["options"]["dryRun"] == ["All"]
    assert api.request("GET", f"{core}/configmaps/a").code == 404


def test_deletions_are_asked_about(api, core, namespace, hooks):
    api.create(f"{core}/configmaps", config_map("a", {"k": "v"}))
    hooks.validating("v", lambda _: deny(message="keep it"), rule("configmaps"))
    hooks.mutating("m", lambda _: allow(), rule("configmaps"))
    answer = api.request("DELETE", f"{core}/configmaps/a", {"propagationPolicy": "Background"})
    assert answer.code == 400
    assert answer.json["message"].endswith("denied the request: keep it")
    for word in ("m", "v"):
        (request,) = hooks.requests(word)
        assert request["oldObject"]["data"] == {"k": "v"}
        assert shortened(request) == {
            **MAP,
            "name": "a",
            "namespace": namespace,
            "operation": "DELETE",
            "object": None,
            "oldObject": "ConfigMap",
            "dryRun": False,
            "options": {
                "kind": "DeleteOptions",
                "apiVersion": "meta.k8s.io/v1",
                "propagationPolicy": "Background",
            },
        }
    assert api.get(f"{core}/configmaps/a")


def test_a_deletion_cannot_be_changed(api, core, hooks):
    api.create(f"{core}/configmaps", config_map("a", {}))
    hooks.mutating("m", lambda _: LABEL, rule("configmaps", operations=["DELETE"]))
    answer = api.request("DELETE", f"{core}/configmaps/a")
    assert answer.code == 500
    assert answer.json["message"] == (
        f'Internal error occurred: admission webhook "{hooks.name("m")}" attempted to modify the '
        "object, which is not supported for this operation"
    )


def test_each_object_of_a_collection_is_asked_about(api, core, hooks):
    for name in ("a", "b"):
        api.create(f"{core}/configmaps", config_map(name, {}, {"mine": "yes"}))
    hooks.validating("v", lambda _: allow(), rule("configmaps", operations=["DELETE"]))
    api.delete(f"{core}/configmaps", labelSelector="mine=yes")
    requests = hooks.requests("v")
    assert sorted(r["oldObject"]["metadata"]["name"] for r in requests) == ["a", "b"]
    assert not any("name" in r for r in requests)


def test_a_generated_name_is_known_to_validating_webhooks_only(api, core, hooks):
    hooks.mutating("m", lambda _: LABEL, rule("configmaps"))
    hooks.validating("v", lambda _: allow(), rule("configmaps"))
    body = config_map("", {})
    body["metadata"] = {"generateName": "some-"}
    made = api.create(f"{core}/configmaps", body)
    (before,), (after,) = hooks.requests("m"), hooks.requests("v")
    assert "name" not in before
    assert "name" not in before["object"]["metadata"]
    assert after["name"] == after["object"]["metadata"]["name"] == made["metadata"]["name"]
    assert made["metadata"]["name"].startswith("some-")


def test_namespaces_are_selected_by_their_labels(api, core, namespace, hooks):
    selector = {"matchExpressions": [{"key": "guarded", "operator": "Exists"}]}
    hooks.validating("v", lambda _: deny(), rule("configmaps"), namespaceSelector=selector)
    api.create(f"{core}/configmaps", config_map("a", {}))
    api.patch(f"/api/v1/namespaces/{namespace}", {"metadata": {"labels": {"guarded": "yes"}}})
    time.sleep(1)
    assert api.request("POST", f"{core}/configmaps", config_map("b", {})).code == 400


def test_objects_are_selected_by_old_or_new_labels(api, core, hooks):
    hooks.validating(
        "v",
        lambda _: allow(),
        rule("configmaps"),
        objectSelector={"matchLabels": {"watched": "yes"}},
    )
    path = f"{core}/configmaps/a"
    api.create(f"{core}/configmaps", config_map("a", {}))
    assert hooks.requests("v") == []
    api.patch(path, {"metadata": {"labels": {"watched": "yes"}}})
    api.patch(path, {"metadata": {"labels": {"watched": None}}})
    assert len(hooks.requests("v")) == 2
    api.patch(path, {"data": {"x": "y"}})
    assert len(hooks.requests("v")) == 2


def test_a_scale_is_asked_about_as_a_scale(api, apps, hooks):
    api.create(f"{apps}/deployments", deployment("web", 1))
    more = patch({"op": "replace", "path": "/spec/replicas", "value": 3})
    hooks.mutating("m", lambda _: more, rule("*/scale"))
    hooks.validating("v", lambda _: allow(), rule("deployments/scale"))
    hooks.validating("other", lambda _: deny(), rule("deployments"))
    scale = api.patch(f"{apps}/deployments/web/scale", {"spec": {"replicas": 2}})
    assert scale["spec"]["replicas"] == 3
    assert api.get(f"{apps}/deployments/web")["spec"]["replicas"] == 3
    for word, replicas in (("m", 2), ("v", 3)):
        (request,) = hooks.requests(word)
        assert request["object"]["spec"]["replicas"] == replicas
        assert request["oldObject"]["spec"]["replicas"] == 1
        assert shortened(request, "namespace") == {
            "kind": gvk("autoscaling", "v1", "Scale"),
            "resource": gvr("apps", "v1", "deployments"),
            "subResource": "scale",
            "requestKind": gvk("autoscaling", "v1", "Scale"),
            "requestResource": gvr("apps", "v1", "deployments"),
            "requestSubResource": "scale",
            "name": "web",
            "operation": "UPDATE",
            "object": "Scale",
            "oldObject": "Scale",
            "dryRun": False,
            "options": {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1"},
        }
    assert hooks.requests("other") == []


def test_status_and_evictions_are_asked_about(api, core, hooks):
    api.create(f"{core}/pods", pod("p"))
    hooks.validating("v", lambda _: allow(), rule("pods/eviction"))
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
    api.create(f"{core}/pods/p/eviction", body)
    (request,) = hooks.requests("v")
    assert shortened(request, "namespace") == {
        "kind": gvk("policy", "v1", "Eviction"),
        "resource": gvr("", "v1", "pods"),
        "subResource": "eviction",
        "requestKind": gvk("policy", "v1", "Eviction"),
        "requestResource": gvr("", "v1", "pods"),
        "requestSubResource": "eviction",
        "name": "p",
        "operation": "CREATE",
        "object": "Eviction",
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
    }


def test_webhooks_are_asked_in_the_order_of_their_configurations(api, core, hooks):
    def add(letter):
        def behave(request):
            seen = request["object"]["data"].get("seen", "")
            return patch({"op": "add", "path": "/data/seen", "value": seen + letter})

        return behave

    hooks.mutating("b", add("b"), rule("configmaps"))
    hooks.mutating("a", add("a"), rule("configmaps"), reinvocationPolicy="IfNeeded")
    hooks.mutating("c", lambda _: allow(), rule("configmaps"), reinvocationPolicy="IfNeeded")
    made = api.create(f"{core}/configmaps", config_map("x", {"k": "v"}))
    assert made["data"]["seen"] == "aba"
    # Changed in the second walk, after the first: c wants to know, too.
    assert [r["object"]["data"]["seen"] for r in hooks.requests("c")] == ["ab", "aba"]


def test_a_webhook_that_hangs_does_not_delay_other_requests(api, core, hooks):
    go_on = threading.Event()

    def hang(_):
        go_on.wait(20)
        return allow()

    hooks.validating("slow", hang, rule("configmaps"), timeoutSeconds=25)
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(
            api.request("POST", f"{core}/configmaps", config_map("a", {})).code
        )
    )
    thread.start()
    started = time.monotonic()
    for i in range(5):
        api.create(f"{core}/secrets", {"metadata": {"name": f"s{i}"}})
    assert time.monotonic() - started < 5
    assert answers == []
    go_on.set()
    thread.join(20)
    assert answers == [201]
