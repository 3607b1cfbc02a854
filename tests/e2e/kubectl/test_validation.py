"""The objects that the server refuses, and the messages."""

import json

import pytest
from support.objects import changed, config_map, deployment, manifest, pod, policy, replica_set

COST = "controller.kubernetes.io/pod-deletion-cost"


def with_unknown(thing):
    return changed(thing, spec={"colour": "red"})


def test_an_unknown_field_is_refused_by_default(kubectl):
    result = kubectl.fails("apply", "-f", "-", stdin=manifest(with_unknown(deployment("web"))))
    assert 'strict decoding error: unknown field "spec.colour"' in result.err
    assert "BadRequest" in result.err


def test_an_unknown_field_below_a_list_is_named_by_its_path(kubectl):
    thing = deployment("web")
    thing["spec"]["template"]["spec"]["containers"][0]["imagee"] = "x"
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert 'unknown field "spec.template.spec.containers[0].imagee"' in result.err


def test_a_duplicate_field_is_refused_by_default(api, apps):
    text = json.dumps(deployment("web", 1)).replace('"replicas": 1', '"replicas": 1, "replicas": 2')
    answer = api.request("POST", f"{apps}/deployments", text, fieldValidation="Strict")
    assert (answer.code, answer.json["reason"]) == (400, "BadRequest")
    assert 'duplicate field "spec.replicas"' in answer.json["message"]


def test_an_unknown_field_can_be_a_warning(kubectl):
    result = kubectl(
        "apply", "--validate=warn", "-f", "-", stdin=manifest(with_unknown(deployment("web")))
    )
    assert 'Warning: unknown field "spec.colour"' in result.err
    assert "colour" not in kubectl.json("get", "deploy", "web")["spec"]


def test_an_unknown_field_can_be_ignored(kubectl):
    result = kubectl(
        "create", "--validate=ignore", "-f", "-", stdin=manifest(with_unknown(deployment("web")))
    )
    assert "Warning" not in result.err
    assert "colour" not in kubectl.json("get", "deploy", "web")["spec"]


def test_warn_is_the_default_of_the_api(api, apps):
    answer = api.request("POST", f"{apps}/deployments", with_unknown(deployment("web")))
    assert answer.code == 201
    assert answer.warnings == ['299 - "unknown field \\"spec.colour\\""']


def test_an_unknown_validation_is_invalid(api, apps):
    answer = api.request("POST", f"{apps}/deployments", deployment("web"), fieldValidation="Severe")
    assert answer.code == 422
    assert (
        'fieldValidation: Invalid value: "Severe"' in answer.json["message"]
        or "fieldValidation: Unsupported value" in answer.json["message"]
    )


def test_a_value_of_a_wrong_type_is_a_bad_request(kubectl, api, apps):
    thing = changed(deployment("web"), spec={"replicas": "three"})
    answer = api.request("POST", f"{apps}/deployments", thing)
    assert (answer.code, answer.json["reason"]) == (400, "BadRequest")
    assert "replicas" in answer.json["message"]


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet"])
def test_negative_replicas_are_invalid(kubectl, kind):
    thing = deployment("web", -1) if kind == "Deployment" else replica_set("web", -1)
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert (
        f'The {kind} "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'
        in result.err
    )


def test_scale_to_a_negative_number_is_invalid(api, apps):
    api.create(f"{apps}/deployments", deployment("web", 1))
    answer = api.request(
        "PATCH",
        f"{apps}/deployments/web/scale",
        {"spec": {"replicas": -1}},
        content_type="application/merge-patch+json",
    )
    assert (answer.code, answer.json["reason"]) == (422, "Invalid")
    assert (
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0"
        in answer.json["message"]
    )


@pytest.mark.parametrize("kind", ["deployments", "replicasets"])
def test_the_selector_cannot_change(kubectl, api, apps, kind):
    make = deployment if kind == "deployments" else replica_set
    stored = api.create(f"{apps}/{kind}", make("web"))
    labels = {"app": "web", "more": "yes"}
    changes = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}}
    answer = api.request("PUT", f"{apps}/{kind}/web", changed(stored, spec=changes))
    assert (answer.code, answer.json["reason"]) == (422, "Invalid")
    cause = answer.json["details"]["causes"][0]
    assert cause["field"] == "spec.selector"
    assert cause["reason"] == "FieldValueInvalid"
    assert cause["message"].endswith("field is immutable")


def test_the_selector_must_match_the_template(kubectl):
    thing = deployment("web")
    thing["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert "spec.template.metadata.labels: Invalid value: " in result.err
    assert "`selector` does not match template `labels`" in result.err


def test_a_selector_is_required(kubectl):
    thing = deployment("web")
    del thing["spec"]["selector"]
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert "spec.selector: Required value" in result.err


def test_a_template_needs_containers(kubectl):
    thing = deployment("web")
    thing["spec"]["template"]["spec"]["containers"] = []
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert "spec.template.spec.containers: Required value" in result.err


def test_several_mistakes_are_reported_at_once(api, apps):
    thing = deployment("Web_1", -1)
    answer = api.request("POST", f"{apps}/deployments", thing)
    assert answer.code == 422
    assert {c["field"] for c in answer.json["details"]["causes"]} >= {
        "metadata.name",
        "spec.replicas",
    }
    assert answer.json["details"] | {"causes": None} == {
        "name": "Web_1",
        "group": "apps",
        "kind": "Deployment",
        "causes": None,
    }


@pytest.mark.parametrize("name", ["Web", "web_1", "-web", "web-", "a" * 254])
def test_a_name_that_is_not_one_is_invalid(api, core, name):
    answer = api.request("POST", f"{core}/pods", pod(name))
    assert (answer.code, answer.json["reason"]) == (422, "Invalid")
    assert answer.json["details"]["causes"][0]["field"] == "metadata.name"


def test_a_name_is_required(api, core):
    thing = pod("x")
    del thing["metadata"]["name"]
    answer = api.request("POST", f"{core}/pods", thing)
    assert answer.code == 422
    assert (
        "metadata.name: Required value: name or generateName is required" in answer.json["message"]
    )


@pytest.mark.parametrize("value", ["", "00", "+10", "1e3", " 1", "2147483648", "0x1", "abc"])
def test_a_deletion_cost_that_is_not_a_number_is_invalid(api, core, value):
    answer = api.request("POST", f"{core}/pods", pod("web", annotations={COST: value}))
    assert answer.code == 422
    cause = answer.json["details"]["causes"][0]
    assert cause["field"] == f"metadata.annotations[{COST}]"
    assert cause["message"].endswith("must be a 32bit integer")


@pytest.mark.parametrize("value", ["0", "-0", "-008", "5", "-5", "2147483647", "-2147483648"])
def test_a_deletion_cost_that_is_a_number_is_taken(api, core, value):
    api.create(f"{core}/pods", pod("web", annotations={COST: value}))


def test_a_deletion_cost_in_a_template_is_checked(api, apps):
    thing = deployment("web")
    thing["spec"]["template"]["metadata"]["annotations"] = {COST: "much"}
    answer = api.request("POST", f"{apps}/deployments", thing)
    assert answer.code == 422
    assert answer.json["details"]["causes"][0]["field"] == f"spec.template.annotations[{COST}]"


def test_kubectl_annotate_with_a_wrong_cost_is_refused(kubectl):
    kubectl.create(pod("web"))
    result = kubectl.fails("annotate", "pod", "web", f"{COST}=much")
    assert (
        f'metadata.annotations[{COST}]: Invalid value: "much": must be a 32bit integer'
        in result.err
    )
    kubectl("annotate", "pod", "web", f"{COST}=7")


def test_most_of_a_pod_cannot_change(kubectl):
    kubectl.create(pod("web"))
    result = kubectl.fails(
        "patch",
        "pod",
        "web",
        "-p",
        '{"spec":{"terminationGracePeriodSeconds":3,"restartPolicy":"Never"}}',
    )
    assert "Forbidden: pod updates may not change fields other than" in result.err
    kubectl("set", "image", "pod/web", "main=registry.example/web:9")


def test_the_uid_cannot_change(api, core):
    api.create(f"{core}/configmaps", config_map("x"))
    other = {"metadata": {"uid": "99999999-8888-7777-6666-555555555555"}}
    answer = api.request(
        "PATCH", f"{core}/configmaps/x", other, content_type="application/merge-patch+json"
    )
    assert answer.code in (409, 422)
    put = changed(config_map("x"), **other)
    assert api.request("PUT", f"{core}/configmaps/x", put).code == 409


def test_a_quantity_that_is_none_is_refused(api, core):
    thing = pod("web")
    thing["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "much"}}
    answer = api.request("POST", f"{core}/pods", thing)
    assert answer.code == 400
    assert "quantities must match the regular expression" in answer.json["message"]


def test_requests_above_limits_are_invalid(api, core):
    thing = pod("web")
    thing["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}
    answer = api.request("POST", f"{core}/pods", thing)
    assert answer.code == 422
    assert "spec.containers[0].resources.requests" in answer.json["details"]["causes"][0]["field"]


PICKERS = [
    ({}, "spec.downscalePodPicker"),
    ({"http": {"host": "p", "path": "/", "port": 70000}}, "spec.downscalePodPicker.http.port"),
    ({"http": {"host": "p", "path": "/", "port": "http"}}, "spec.downscalePodPicker.http.port"),
    ({"http": {"host": "p", "path": "/", "scheme": "ftp"}}, "spec.downscalePodPicker.http.scheme"),
    ({"http": {"host": "p", "path": "pick"}}, "spec.downscalePodPicker.http.path"),
    ({"http": {"host": "p", "path": "/"}, "maxRetries": -1}, "spec.downscalePodPicker.maxRetries"),
    (
        {"http": {"host": "p", "path": "/"}, "timeoutSeconds": 0},
        "spec.downscalePodPicker.timeoutSeconds",
    ),
    (
        {"http": {"host": "p", "path": "/"}, "timeoutSeconds": 31},
        "spec.downscalePodPicker.timeoutSeconds",
    ),
    (
        {
            "http": {
                "host": "p",
                "path": "/",
                "httpHeaders": [
                    {
                        "name": "a",
                        "value": "b",
                        "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}},
                    }
                ],
            }
        },
        "spec.downscalePodPicker.http.httpHeaders[0].valueFrom",
    ),
]


@pytest.mark.ebb_only
@pytest.mark.parametrize(
    ("picker", "field"),
    PICKERS,
    ids=[field.split(".", 2)[-1] + str(i) for i, (_, field) in enumerate(PICKERS)],
)
def test_a_wrong_picker_is_invalid(api, apps, picker, field):
    answer = api.request(
        "POST",
        f"{apps}/deployments",
        changed(deployment("web"), spec={"downscalePodPicker": picker}),
    )
    assert answer.code == 422, answer.body
    assert any(c["field"].startswith(field) for c in answer.json["details"]["causes"]), answer.body


@pytest.mark.ebb_only
def test_a_right_picker_gets_its_defaults(api, apps):
    picker = {"http": {"host": "p", "path": "/pick", "port": "8080"}}
    stored = api.create(
        f"{apps}/replicasets", changed(replica_set("web"), spec={"downscalePodPicker": picker})
    )
    assert stored["spec"]["downscalePodPicker"]["maxRetries"] == 3
    assert stored["spec"]["downscalePodPicker"]["timeoutSeconds"] == 1


@pytest.mark.ebb_only
def test_a_policy_needs_a_target(kubectl):
    thing = policy("slow")
    del thing["spec"]["targetRef"]
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert "spec.targetRef" in result.err


@pytest.mark.ebb_only
@pytest.mark.parametrize(
    "field, value, words",
    [
        ("apiVersion", "apps/v1/x", "an API version must be GROUP/VERSION"),
        ("kind", "Roll out", "a kind must consist of alphanumeric characters"),
    ],
)
def test_a_malformed_target_is_refused_by_its_field(kubectl, field, value, words):
    thing = policy("slow")
    thing["spec"]["targetRef"][field] = value
    result = kubectl.fails("create", "-f", "-", stdin=manifest(thing))
    assert f'spec.targetRef.{field}: Invalid value: "{value}": {words}' in result.err


def test_a_body_that_is_too_large_is_refused(api, core):
    answer = api.request(
        "POST", f"{core}/configmaps", config_map("big", {"a": "x" * (3 * 1024 * 1024 + 10)})
    )
    assert answer.code == 413
    assert answer.json["reason"] == "RequestEntityTooLarge"


@pytest.mark.parametrize("text", ["{", "[]", "", "not json"])
def test_a_body_that_is_not_an_object_is_a_bad_request(api, core, text):
    answer = api.request("POST", f"{core}/configmaps", text, content_type="application/json")
    assert answer.code == 400


def test_a_body_of_another_kind_is_a_bad_request(api, core):
    answer = api.request("POST", f"{core}/configmaps", pod("x"))
    assert answer.code == 400


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_an_unknown_content_type_is_unsupported(api, core, method):
    path = f"{core}/configmaps" + ("/x" if method == "PUT" else "")
    answer = api.request(method, path, "a: b", content_type="application/x-nothing")
    assert (answer.code, answer.json["reason"]) == (415, "UnsupportedMediaType")


def test_an_unknown_patch_type_is_unsupported(api, core):
    api.create(f"{core}/configmaps", config_map("x"))
    answer = api.request("PATCH", f"{core}/configmaps/x", "{}", content_type="application/json")
    assert (answer.code, answer.json["reason"]) == (415, "UnsupportedMediaType")


@pytest.mark.ebb_only
def test_strategic_patches_of_custom_kinds_are_unsupported(api, namespace):
    path = f"/apis/ebb.dev/v1alpha1/namespaces/{namespace}/downscalepolicies"
    api.create(path, policy("slow"))
    answer = api.request(
        "PATCH", f"{path}/slow", "{}", content_type="application/strategic-merge-patch+json"
    )
    assert answer.code == 415


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/pods"), ("POST", "/pods/web"), ("PATCH", "/pods")]
)
def test_a_method_that_a_path_does_not_have(api, core, method, path):
    answer = api.request(
        method,
        core + path,
        {},
        content_type="application/merge-patch+json" if method == "PATCH" else None,
    )
    assert (answer.code, answer.json["reason"]) == (405, "MethodNotAllowed")


def test_a_list_is_checked_before_anything_is_sent(kubectl):
    """kubectl checks it against OpenAPI v2; the server never sees a List."""
    wrong = deployment("web", 1)
    wrong["spec"]["replcas"] = 3
    wrong["spec"]["strategy"] = {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}}
    other = pod("other")
    other["spec"]["containers"][0]["ports"] = [{"containerPort": "eighty"}]
    other["spec"]["containers"][0]["resources"] = {"limits": {"cpu": 1, "memory": "1Gi"}}
    listed = {"apiVersion": "v1", "kind": "List", "items": [wrong, other]}
    refused = kubectl.fails("create", "-f", "-", stdin=json.dumps(listed))
    assert refused.err.strip() == (
        'error: error validating "STDIN": error validating data: '
        '[ValidationError(Deployment.spec): unknown field "replcas" in '
        "io.k8s.api.apps.v1.DeploymentSpec, "
        "ValidationError(Pod.spec.containers[0].ports[0].containerPort): invalid type for "
        'io.k8s.api.core.v1.ContainerPort.containerPort: got "string", expected "integer"]; '
        "if you choose to ignore these errors, turn validation off with --validate=false"
    )
    assert kubectl("get", "deployments,pods").out == ""
