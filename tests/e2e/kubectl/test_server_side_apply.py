"""kubectl apply --server-side and its options."""

import json

from support.objects import config_map, deployment


def one(thing):
    return json.dumps(thing)


def managers(kubectl, kind, name):
    found = kubectl.json("get", kind, name, "--show-managed-fields")
    return {
        (entry["manager"], entry["operation"]) for entry in found["metadata"]["managedFields"]
    }


def apply(kubectl, thing, *options):
    return kubectl.run("apply", "--server-side", "-f", "-", *options, stdin=one(thing))


def test_it_creates_and_says_so(kubectl):
    result = apply(kubectl, config_map("x", {"a": "1"}))
    assert (result.code, result.out) == (0, "configmap/x serverside-applied\n"), str(result)
    assert managers(kubectl, "cm", "x") == {("kubectl", "Apply")}
    hidden = kubectl.json("get", "cm", "x")
    assert "managedFields" not in hidden["metadata"]


def test_the_field_manager_can_be_named(kubectl):
    apply(kubectl, config_map("x"), "--field-manager=me")
    apply(kubectl, config_map("x", {"a": "1"}), "--field-manager=me")
    assert managers(kubectl, "cm", "x") == {("me", "Apply")}


def test_it_refuses_conflicts_unless_forced(kubectl):
    apply(kubectl, deployment("web", 1), "--field-manager=first")
    refused = apply(kubectl, deployment("web", 2), "--field-manager=second")
    assert refused.code == 1
    assert (
        'Apply failed with 1 conflict: conflict with "first": .spec.replicas' in refused.err
    ), str(refused)
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 1
    forced = apply(
        kubectl, deployment("web", 2), "--field-manager=second", "--force-conflicts"
    )
    assert forced.code == 0, str(forced)
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 2


def test_scaling_takes_the_replicas(kubectl):
    apply(kubectl, deployment("web", 1))
    kubectl("scale", "deploy/web", "--replicas=3")
    refused = apply(kubectl, deployment("web", 1))
    assert 'conflict with "kubectl" with subresource "scale" using apps/v1' in refused.err


def test_what_was_applied_on_the_client_can_be_applied_on_the_server(kubectl):
    kubectl.apply(deployment("web", 1))
    result = apply(kubectl, deployment("web", 2))
    assert result.code == 0, str(result)
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 2
    # kubectl keeps the annotation that client-side apply left under a name of its own.
    assert managers(kubectl, "deploy", "web") == {
        ("kubectl", "Apply"),
        ("kubectl-last-applied", "Apply"),
    }
    # ... and what is left out goes, as it would have on the client.
    less = deployment("web", 2)
    del less["metadata"]["labels"]
    assert apply(kubectl, less).code == 0
    assert "labels" not in kubectl.json("get", "deploy", "web")["metadata"]


def test_a_dry_run_stores_nothing(kubectl):
    result = apply(kubectl, config_map("x"), "--dry-run=server")
    assert result.out == "configmap/x serverside-applied (server dry run)\n", str(result)
    kubectl.fails("get", "cm", "x")


def test_diff_on_the_server_shows_what_would_change(kubectl):
    apply(kubectl, deployment("web", 1))
    same = kubectl.run("diff", "--server-side", "-f", "-", stdin=one(deployment("web", 1)))
    assert (same.code, same.out) == (0, ""), str(same)
    other = kubectl.run("diff", "--server-side", "-f", "-", stdin=one(deployment("web", 4)))
    assert other.code == 1, str(other)
    assert "-  replicas: 1" in other.lines and "+  replicas: 4" in other.lines


def test_edits_by_other_commands_are_kept_track_of(kubectl):
    kubectl("create", "deployment", "web", "--image=registry.example/web:1")
    kubectl("label", "deploy/web", "a=b")
    kubectl("set", "image", "deploy/web", "web=registry.example/web:2")
    assert managers(kubectl, "deploy", "web") == {
        ("kubectl-create", "Update"),
        ("kubectl-label", "Update"),
        ("kubectl-set", "Update"),
    }


def test_unknown_fields_are_refused(kubectl):
    thing = deployment("web", 1)
    thing["spec"]["foo"] = 1
    refused = apply(kubectl, thing, "--validate=false")
    assert refused.code == 1
    assert ".spec.foo: field not declared in schema" in refused.err
