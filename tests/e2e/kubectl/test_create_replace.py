"""kubectl create -f and replace."""

import json

import pytest
from support.objects import changed, config_map, deployment, manifest, pod


def test_create_says_created_and_a_second_time_that_it_exists(kubectl):
    assert kubectl.create(deployment("web")).out == "deployment.apps/web created\n"
    result = kubectl.fails("create", "-f", "-", stdin=manifest(deployment("web")))
    assert (
        'Error from server (AlreadyExists): error when creating "STDIN": deployments.apps "web" already exists'
        in result.err
    )


def test_create_fills_in_defaults(kubectl):
    web = deployment("web")
    del web["spec"]["replicas"]
    kubectl.create(web)
    spec = kubectl.json("get", "deploy", "web")["spec"]
    assert spec["replicas"] == 1
    assert spec["progressDeadlineSeconds"] == 600
    assert spec["revisionHistoryLimit"] == 10
    assert spec["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"},
    }
    template = spec["template"]["spec"]
    assert template["restartPolicy"] == "Always"
    assert template["terminationGracePeriodSeconds"] == 30
    assert template["dnsPolicy"] == "ClusterFirst"
    assert template["schedulerName"] == "default-scheduler"
    assert template["securityContext"] == {}
    container = template["containers"][0]
    assert container["imagePullPolicy"] == "IfNotPresent"
    assert container["terminationMessagePath"] == "/dev/termination-log"
    assert container["terminationMessagePolicy"] == "File"
    assert container["resources"] == {}


def test_create_ignores_what_only_the_server_may_set(kubectl):
    web = changed(
        deployment("web"),
        metadata={
            "uid": "11111111-2222-3333-4444-555555555555",
            "generation": 7,
            "creationTimestamp": "2001-01-01T00:00:00Z",
        },
        status={"replicas": 5},
    )
    kubectl.create(web)
    stored = kubectl.json("get", "deploy", "web")
    assert stored["metadata"]["generation"] == 1
    assert stored["metadata"]["uid"] != "11111111-2222-3333-4444-555555555555"
    assert not stored["metadata"]["creationTimestamp"].startswith("2001")
    assert "replicas" not in stored["status"]


def test_create_with_a_generated_name(kubectl):
    thing = pod("ignored")
    thing["metadata"] = {"generateName": "web-"}
    names = {kubectl.create(thing, "-o", "name").out.strip() for _ in range(3)}
    assert len(names) == 3
    assert all(name.startswith("pod/web-") and len(name) == len("pod/web-") + 5 for name in names)


def test_create_in_a_missing_namespace_is_not_found(kubectl):
    result = kubectl.within("no-such-namespace").fails(
        "create", "-f", "-", stdin=manifest(pod("web"))
    )
    assert (
        'Error from server (NotFound): error when creating "STDIN": namespaces "no-such-namespace" not found'
        in result.err
    )


def test_create_refuses_a_namespace_other_than_the_path_says(api, core):
    thing = pod("web")
    thing["metadata"]["namespace"] = "default"
    answer = api.request("POST", f"{core}/pods", thing)
    assert answer.code == 400
    assert (
        answer.json["message"]
        == "the namespace of the provided object does not match the namespace sent on the request"
    )


def test_create_dry_run_on_the_server_answers_but_stores_nothing(kubectl):
    answer = json.loads(kubectl.create(deployment("web"), "--dry-run=server", "-o", "json").out)
    assert answer["spec"]["progressDeadlineSeconds"] == 600
    kubectl.fails("get", "deploy", "web")


def test_create_with_save_config_can_be_applied(kubectl):
    kubectl.create(deployment("web"), "--save-config")
    assert kubectl.apply(deployment("web")).out == "deployment.apps/web unchanged\n"


def test_replace_replaces_all_of_it(kubectl):
    kubectl.create(config_map("x", {"a": "1", "b": "2"}, {"old": "yes"}))
    assert (
        kubectl("replace", "-f", "-", stdin=manifest(config_map("x", {"c": "3"}))).out
        == "configmap/x replaced\n"
    )
    stored = kubectl.json("get", "cm", "x")
    assert stored["data"] == {"c": "3"}
    assert "labels" not in stored["metadata"]


def test_replace_with_a_stale_version_is_a_conflict(kubectl):
    kubectl.create(deployment("web"))
    stale = kubectl.json("get", "deploy", "web")
    kubectl("scale", "deploy/web", "--replicas=2")
    result = kubectl.fails("replace", "-f", "-", stdin=manifest(stale))
    assert (
        'Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on '
        'deployments.apps "web": the object has been modified; please apply your changes to the latest '
        "version and try again"
    ) in result.err


def test_replace_of_nothing_is_not_found(kubectl):
    result = kubectl.fails("replace", "-f", "-", stdin=manifest(deployment("web")))
    assert 'deployments.apps "web" not found' in result.err


def test_replace_force_makes_a_new_object(kubectl):
    kubectl.create(pod("web"))
    uid = kubectl.json("get", "pod", "web")["metadata"]["uid"]
    result = kubectl(
        "replace", "--force", "-f", "-", stdin=manifest(pod("web", image="registry.example/web:2"))
    )
    assert result.lines[-1] == "pod/web replaced"
    assert kubectl.json("get", "pod", "web")["metadata"]["uid"] != uid


def test_generation_grows_with_the_spec_only(kubectl):
    kubectl.create(deployment("web"))
    kubectl("label", "deploy/web", "a=b")
    assert kubectl.json("get", "deploy", "web")["metadata"]["generation"] == 1
    kubectl("scale", "deploy/web", "--replicas=1")
    assert kubectl.json("get", "deploy", "web")["metadata"]["generation"] == 2
