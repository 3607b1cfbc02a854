"""kubectl rollout: a Deployment moves from one template to the next, and back."""

import pytest
from support.objects import deployment
from support.process import eventually

WEB = "deployment/web"
CAUSE = "kubernetes.io/change-cause"
NOWHERE = '{"spec":{"template":{"spec":{"nodeSelector":{"example.com/none":"such"}}}}}'


@pytest.fixture
def web(kubectl):
    """Three pods of revision 1, all of them there."""
    body = deployment("web", 3)
    body["metadata"]["annotations"] = {CAUSE: "first"}
    kubectl.create(body)
    status(kubectl)
    return WEB


def status(kubectl, *more):
    return kubectl("rollout", "status", WEB, "--timeout=60s", *more)


def image(kubectl):
    return stored(kubectl)["spec"]["template"]["spec"]["containers"][0]["image"]


def stored(kubectl):
    return kubectl.json("get", WEB)


def change(kubectl, number, cause=None):
    """Revision `number`, with an image of its own, until it is rolled out."""
    kubectl("set", "image", WEB, f"main=registry.example/web:{number}")
    if cause:
        kubectl("annotate", WEB, f"{CAUSE}={cause}", "--overwrite")
    status(kubectl)


def history(kubectl):
    """The cause of each revision."""
    lines = kubectl("rollout", "history", WEB).lines
    assert lines[0].strip() == "deployment.apps/web"
    assert lines[1].split() == ["REVISION", "CHANGE-CAUSE"]
    return {int(line.split()[0]): line.split(maxsplit=1)[1] for line in lines[2:] if line}


def revisions(kubectl):
    """How many pods each ReplicaSet wants, by revision."""
    return {
        int(item["metadata"]["annotations"]["deployment.kubernetes.io/revision"]): item["spec"][
            "replicas"
        ]
        for item in kubectl.json("get", "replicasets")["items"]
    }


def test_status_waits_until_it_is_done(kubectl, web):
    kubectl("set", "image", web, "main=registry.example/web:2")
    lines = status(kubectl).lines
    assert lines[-1] == 'deployment "web" successfully rolled out'
    assert all(line.startswith("Waiting for deployment") for line in lines[:-1])
    found = stored(kubectl)["status"]
    assert (found["updatedReplicas"], found["availableReplicas"], found["replicas"]) == (3, 3, 3)


def test_status_knows_which_revision_is_meant(kubectl, web):
    assert "successfully rolled out" in status(kubectl, "--revision=1").out
    refused = kubectl.fails("rollout", "status", web, "--revision=7")
    assert refused.err.strip() == (
        "error: desired revision (7) is different from the running revision (1)"
    )


def test_status_says_how_far_it_has_come(kubectl, web):
    kubectl("patch", web, "-p", NOWHERE)

    def told():
        line = kubectl("rollout", "status", web, "--watch=false").out.strip()
        assert line == (
            'Waiting for deployment "web" rollout to finish: '
            "1 out of 3 new replicas have been updated..."
        )
        return True

    eventually(told)


def test_status_fails_at_the_deadline(kubectl, web):
    kubectl("patch", web, "-p", '{"spec":{"progressDeadlineSeconds":2}}')
    kubectl("patch", web, "-p", NOWHERE)
    refused = kubectl.fails("rollout", "status", web, "--timeout=60s")
    assert refused.err.strip() == 'error: deployment "web" exceeded its progress deadline'


def test_history_lists_revisions_and_their_causes(kubectl, web):
    change(kubectl, 2, "second")
    change(kubectl, 3, "third time, with a comma")
    assert history(kubectl) == {1: "first", 2: "second", 3: "third time, with a comma"}


def test_history_of_one_revision_shows_its_template(kubectl, web):
    change(kubectl, 2, "second")
    lines = kubectl("rollout", "history", web, "--revision=2").lines
    assert lines[0] == "deployment.apps/web with revision #2"
    words = [line.split() for line in lines]
    assert ["Image:", "registry.example/web:2"] in words
    assert ["Annotations:", f"{CAUSE}:", "second"] in words
    assert "pod-template-hash=" in "".join(lines)
    first = kubectl("rollout", "history", web, "--revision=1").out
    assert "registry.example/web:1" in first
    refused = kubectl.fails("rollout", "history", web, "--revision=9")
    assert refused.err.strip() == "error: unable to find the specified revision"


def test_history_as_json_is_the_replica_set(kubectl, web):
    change(kubectl, 2)
    found = kubectl.json("rollout", "history", web, "--revision=1")
    assert found["kind"] == "ReplicaSet"
    assert found["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "1"


def test_without_a_cause_there_is_none(kubectl):
    kubectl.create(deployment("web", 1))
    status(kubectl)
    assert history(kubectl) == {1: "<none>"}


def test_undo_goes_back_by_one(kubectl, web):
    change(kubectl, 2, "second")
    assert kubectl("rollout", "undo", web).out.strip() == "deployment.apps/web rolled back"
    status(kubectl)
    assert image(kubectl) == "registry.example/web:1"
    # The revision that was restored becomes the newest one.
    assert set(history(kubectl)) == {2, 3}
    eventually(lambda: revisions(kubectl) == {2: 0, 3: 3})


def test_undo_to_a_revision(kubectl, web):
    change(kubectl, 2)
    change(kubectl, 3)
    kubectl("rollout", "undo", web, "--to-revision=1")
    status(kubectl)
    assert image(kubectl) == "registry.example/web:1"
    assert set(history(kubectl)) == {2, 3, 4}
    missing = kubectl.fails("rollout", "undo", web, "--to-revision=1")
    assert missing.err.strip() == "error: unable to find specified revision 1 in history"


def test_undo_to_what_is_there_already_is_skipped(kubectl, web):
    skipped = kubectl("rollout", "undo", web, "--to-revision=1")
    assert skipped.out.strip() == (
        "deployment.apps/web skipped rollback (current template already matches revision 1)"
    )
    alone = kubectl.fails("rollout", "undo", web)
    assert alone.err.strip() == 'error: no rollout history found for deployment "web"'


def test_undo_can_be_tried(kubectl, web):
    change(kubectl, 2)
    tried = kubectl("rollout", "undo", web, "--dry-run=server")
    assert tried.out.strip() == "deployment.apps/web rolled back (server dry run)"
    shown = kubectl("rollout", "undo", web, "--dry-run=client").out
    assert "registry.example/web:1" in shown
    assert image(kubectl) == "registry.example/web:2"


def test_restart_replaces_all_pods(kubectl, web):
    before = {p["metadata"]["uid"] for p in kubectl.json("get", "pods")["items"]}
    assert kubectl("rollout", "restart", web).out.strip() == "deployment.apps/web restarted"
    status(kubectl)

    def replaced():
        pods = kubectl.json("get", "pods")["items"]
        return len(pods) == 3 and not before & {p["metadata"]["uid"] for p in pods}

    eventually(replaced)
    assert set(history(kubectl)) == {1, 2}


def test_pause_holds_changes_back_until_resume(kubectl, web):
    assert kubectl("rollout", "pause", web).out.strip() == "deployment.apps/web paused"
    again = kubectl.fails("rollout", "pause", web)
    assert again.err.strip() == 'error: deployments.apps "web" is already paused'
    kubectl("set", "image", web, "main=registry.example/web:2")
    kubectl("set", "env", web, "MODE=new")
    observed = stored(kubectl)["metadata"]["generation"]
    eventually(lambda: stored(kubectl)["status"]["observedGeneration"] == observed)
    assert revisions(kubectl) == {1: 3}
    assert kubectl.fails("rollout", "restart", web).err.strip() == (
        'error: deployments.apps "web" can\'t restart paused deployment (run rollout resume first)'
    )
    assert kubectl.fails("rollout", "undo", web, "--to-revision=1").err.strip() == (
        "error: you cannot rollback a paused deployment; resume it first with "
        "'kubectl rollout resume' and try again"
    )
    # Scaling does not wait.
    kubectl("scale", web, "--replicas=4")
    eventually(lambda: revisions(kubectl) == {1: 4})

    assert kubectl("rollout", "resume", web).out.strip() == "deployment.apps/web resumed"
    status(kubectl)
    # Both changes are one revision.
    assert set(history(kubectl)) == {1, 2}
    again = kubectl.fails("rollout", "resume", web)
    assert again.err.strip() == 'error: deployments.apps "web" is not paused'


def test_only_so_many_revisions_are_kept(kubectl, web):
    kubectl("patch", web, "-p", '{"spec":{"revisionHistoryLimit":1}}')
    for number in (2, 3, 4):
        change(kubectl, number)
    eventually(lambda: set(history(kubectl)) == {3, 4})


def test_a_selector_of_several_deployments(kubectl, web):
    kubectl.create(deployment("api", 1))
    kubectl("label", "deployment", "web", "api", "tier=front")
    restarted = kubectl("rollout", "restart", "deployment", "--selector=tier=front").lines
    assert sorted(restarted) == ["deployment.apps/api restarted", "deployment.apps/web restarted"]
    status(kubectl)


def test_a_replica_set_has_no_rollout_status(kubectl, web):
    name = kubectl.json("get", "replicasets")["items"][0]["metadata"]["name"]
    refused = kubectl.fails("rollout", "status", f"replicaset/{name}")
    assert refused.err.strip() == "error: no status viewer has been implemented for ReplicaSet.apps"
