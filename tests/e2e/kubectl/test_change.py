"""kubectl scale, patch, label, annotate, edit and set: changes of existing objects."""

import json
import stat

import pytest
from support.objects import config_map, deployment, pod, replica_set


@pytest.fixture
def web(kubectl):
    kubectl.create(deployment("web", 2))
    return "deploy/web"


def stored(kubectl, what="deploy/web"):
    return kubectl.json("get", what)


def test_scale(kubectl, web):
    assert kubectl("scale", web, "--replicas=5").out == "deployment.apps/web scaled\n"
    assert stored(kubectl)["spec"]["replicas"] == 5
    kubectl("scale", web, "--replicas=0")
    assert stored(kubectl)["spec"]["replicas"] == 0


def test_scale_a_replica_set(kubectl):
    kubectl.create(replica_set("web", 1))
    assert kubectl("scale rs/web --replicas=3").out == "replicaset.apps/web scaled\n"
    assert stored(kubectl, "rs/web")["spec"]["replicas"] == 3


def test_scale_with_the_right_expectation(kubectl, web):
    kubectl("scale", web, "--current-replicas=2", "--replicas=4")
    assert stored(kubectl)["spec"]["replicas"] == 4


def test_scale_with_a_wrong_expectation_changes_nothing(kubectl, web):
    result = kubectl.fails("scale", web, "--current-replicas=7", "--replicas=4")
    assert "Expected replicas to be 7, was 2" in result.err
    assert stored(kubectl)["spec"]["replicas"] == 2


def test_scale_with_an_expected_version(kubectl, web):
    version = stored(kubectl)["metadata"]["resourceVersion"]
    kubectl("scale", web, f"--resource-version={version}", "--replicas=3")
    kubectl.fails("scale", web, f"--resource-version={version}", "--replicas=4")
    assert stored(kubectl)["spec"]["replicas"] == 3


def test_scale_of_nothing_is_not_found(kubectl):
    assert (
        'deployments.apps "ghost" not found' in kubectl.fails("scale deploy/ghost --replicas=1").err
    )


def test_the_scale_subresource(kubectl, web):
    scale = kubectl.json("get", web, "--subresource=scale")
    assert (scale["kind"], scale["apiVersion"]) == ("Scale", "autoscaling/v1")
    assert scale["spec"] == {"replicas": 2}
    assert scale["status"] == {"replicas": 0, "selector": "app=web"}


def test_strategic_patch_merges_containers_by_name(kubectl, web):
    patch = {
        "spec": {
            "template": {
                "spec": {
                    "containers": [
                        {"name": "main", "image": "registry.example/web:2"},
                        {"name": "side", "image": "registry.example/side:1"},
                    ]
                }
            }
        }
    }
    assert kubectl("patch", web, "-p", json.dumps(patch)).out == "deployment.apps/web patched\n"
    containers = stored(kubectl)["spec"]["template"]["spec"]["containers"]
    assert {c["name"]: c["image"] for c in containers} == {
        "main": "registry.example/web:2",
        "side": "registry.example/side:1",
    }


def test_strategic_patch_deletes_a_container_by_name(kubectl, web):
    add = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "x"}]}}}}
    kubectl("patch", web, "-p", json.dumps(add))
    drop = {"spec": {"template": {"spec": {"containers": [{"name": "side", "$patch": "delete"}]}}}}
    kubectl("patch", web, "-p", json.dumps(drop))
    assert [c["name"] for c in stored(kubectl)["spec"]["template"]["spec"]["containers"]] == [
        "main"
    ]


def test_merge_patch_replaces_lists_and_removes_nulls(kubectl, web):
    patch = {
        "metadata": {"labels": {"app": None, "new": "yes"}},
        "spec": {"template": {"spec": {"containers": [{"name": "only", "image": "y"}]}}},
    }
    kubectl("patch", web, "--type=merge", "-p", json.dumps(patch))
    result = stored(kubectl)
    assert result["metadata"]["labels"] == {"new": "yes"}
    assert [c["name"] for c in result["spec"]["template"]["spec"]["containers"]] == ["only"]


def test_json_patch(kubectl, web):
    operations = [
        {"op": "test", "path": "/spec/replicas", "value": 2},
        {"op": "replace", "path": "/spec/replicas", "value": 6},
        {"op": "add", "path": "/metadata/labels/a~1b", "value": "c"},
    ]
    kubectl("patch", web, "--type=json", "-p", json.dumps(operations))
    result = stored(kubectl)
    assert result["spec"]["replicas"] == 6
    assert result["metadata"]["labels"]["a/b"] == "c"


def test_json_patch_whose_test_fails_is_invalid(kubectl, web):
    operations = [
        {"op": "test", "path": "/spec/replicas", "value": 3},
        {"op": "replace", "path": "/spec/replicas", "value": 9},
    ]
    result = kubectl.fails("patch", web, "--type=json", "-p", json.dumps(operations))
    assert "The request is invalid" in result.err
    assert stored(kubectl)["spec"]["replicas"] == 2


def test_a_patch_that_changes_nothing_says_so(kubectl, web):
    before = stored(kubectl)["metadata"]["resourceVersion"]
    result = kubectl("patch", web, "-p", '{"spec":{"replicas":2}}')
    assert result.out == "deployment.apps/web patched (no change)\n"
    assert stored(kubectl)["metadata"]["resourceVersion"] == before


def test_patch_of_the_status_subresource(kubectl, web):
    kubectl(
        "patch",
        web,
        "--subresource=status",
        "--type=merge",
        "-p",
        '{"status":{"replicas":4},"spec":{"replicas":9}}',
    )
    result = stored(kubectl)
    assert result["status"]["replicas"] == 4
    assert result["spec"]["replicas"] == 2


def test_patch_leaves_the_status_alone(kubectl, web):
    kubectl("patch", web, "--type=merge", "-p", '{"status":{"replicas":4},"spec":{"replicas":9}}')
    result = stored(kubectl)
    assert "replicas" not in result["status"]
    assert result["spec"]["replicas"] == 9


def test_label_and_remove_and_refuse_to_overwrite(kubectl, web):
    assert kubectl("label", web, "team=a").out == "deployment.apps/web labeled\n"
    result = kubectl.fails("label", web, "team=b")
    assert "'team' already has a value (a), and --overwrite is false" in result.err
    kubectl("label", web, "team=b", "--overwrite")
    assert stored(kubectl)["metadata"]["labels"]["team"] == "b"
    assert kubectl("label", web, "team-").out == "deployment.apps/web unlabeled\n"
    assert "team" not in stored(kubectl)["metadata"]["labels"]
    assert (
        kubectl("label", web, "team-").out
        == 'label "team" not found.\ndeployment.apps/web not labeled\n'
    )


def test_label_by_selector_and_all(kubectl, api, core):
    for name in ("one", "two"):
        api.create(f"{core}/pods", pod(name, {"app": name}))
    assert kubectl("label pods -l app=one picked=yes").out == "pod/one labeled\n"
    assert kubectl("label pods --all every=yes").lines == ["pod/one labeled", "pod/two labeled"]
    assert kubectl("get pods -l picked=yes -o name").lines == ["pod/one"]


def test_a_label_that_is_not_valid_is_refused(kubectl, web):
    kubectl.fails("label", web, "team=not a label")
    patch = json.dumps({"metadata": {"labels": {"team": "not a label"}}})
    result = kubectl.fails("patch", web, "-p", patch)
    assert "metadata.labels: Invalid value" in result.err


def test_annotate_and_remove_and_refuse_to_overwrite(kubectl, web):
    assert (
        kubectl("annotate", web, "note=some words, and more").out
        == "deployment.apps/web annotated\n"
    )
    result = kubectl.fails("annotate", web, "note=other")
    assert (
        "--overwrite is false but found the following declared annotation(s): 'note' already has a value"
        in result.err
    )
    kubectl("annotate", web, "note=other", "--overwrite")
    assert stored(kubectl)["metadata"]["annotations"]["note"] == "other"
    kubectl("annotate", web, "note-")
    assert "note" not in stored(kubectl)["metadata"].get("annotations", {})


@pytest.fixture
def editor(tmp_path):
    """An EDITOR that runs sed on the file it is given."""

    def make(expression):
        script = tmp_path / "editor"
        script.write_text(f"#!/bin/sh\nexec sed -i '{expression}' \"$1\"\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return {"KUBE_EDITOR": str(script)}

    return make


def test_edit(kubectl, web, editor):
    result = kubectl("edit", web, env=editor("s/replicas: 2/replicas: 8/"))
    assert result.out == "deployment.apps/web edited\n"
    assert stored(kubectl)["spec"]["replicas"] == 8


def test_edit_without_a_change_is_cancelled(kubectl, web, editor):
    result = kubectl("edit", web, env=editor("s/nothing/nothing/"))
    assert "Edit cancelled, no changes made." in result.err + result.out


def test_edit_into_something_invalid_is_refused(kubectl, web, editor):
    # kubectl opens the editor again; a save without a further change makes it give up.
    result = kubectl.fails("edit", web, env=editor("s/replicas: 2/replicas: -8/"))
    assert 'deployments.apps "web" is invalid' in result.err
    assert stored(kubectl)["spec"]["replicas"] == 2


def test_edit_a_label_away(kubectl, editor):
    kubectl.create(config_map("x", {"a": "1"}, {"gone": "soon"}))
    kubectl("edit", "cm/x", env=editor("/gone: soon/d"))
    assert "labels" not in kubectl.json("get", "cm", "x")["metadata"]


def test_set_image(kubectl, web):
    assert (
        kubectl("set", "image", web, "main=registry.example/web:3").out
        == "deployment.apps/web image updated\n"
    )
    assert (
        stored(kubectl)["spec"]["template"]["spec"]["containers"][0]["image"]
        == "registry.example/web:3"
    )
    assert stored(kubectl)["metadata"]["generation"] == 2


def test_set_env_and_resources(kubectl, web):
    kubectl("set", "env", web, "COLOR=red")
    kubectl("set", "resources", web, "--requests=cpu=100m,memory=64Mi")
    container = stored(kubectl)["spec"]["template"]["spec"]["containers"][0]
    assert container["env"] == [{"name": "COLOR", "value": "red"}]
    assert container["resources"] == {"requests": {"cpu": "100m", "memory": "64Mi"}}


def test_rollout_pause_resume_and_restart_are_patches(kubectl, web):
    kubectl("rollout", "pause", web)
    assert stored(kubectl)["spec"]["paused"] is True
    kubectl("rollout", "resume", web)
    assert "paused" not in stored(kubectl)["spec"]
    kubectl("rollout", "restart", web)
    annotations = stored(kubectl)["spec"]["template"]["metadata"]["annotations"]
    assert "kubectl.kubernetes.io/restartedAt" in annotations
