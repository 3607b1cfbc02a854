"""kubectl get -w, events."""

from support.objects import config_map, deployment, manifest, pod
from support.process import eventually


def test_watch_shows_what_is_there_and_then_what_changes(kubectl):
    kubectl.create(config_map("first", {"a": "1"}, {"app": "x"}))
    with kubectl.start("get", "cm", "-l", "app=x", "-w") as watching:
        assert watching.out.next().split() == ["NAME", "DATA", "AGE"]
        assert watching.out.next().split()[:2] == ["first", "1"]
        kubectl.create(config_map("second", {"a": "1", "b": "2"}, {"app": "x"}))
        assert watching.out.next().split()[:2] == ["second", "2"]
        kubectl("patch", "cm/first", "-p", '{"data":{"c":"3"}}')
        assert watching.out.next().split()[:2] == ["first", "2"]


def test_watch_only_shows_changes_alone(kubectl):
    kubectl.create(deployment("old", 1))
    with kubectl.start("get", "deploy", "--watch-only") as watching:
        # kubectl says nothing when it is ready: make changes until one is seen.
        def seen():
            kubectl(
                "annotate",
                "deploy/old",
                f"turn={len(watching.out.lines)}-{id(object())}",
                "--overwrite",
            )
            return len(watching.out.lines) >= 2

        eventually(seen, timeout=20, interval=0.3)
        assert watching.out.lines[0].split()[0] == "NAME"
        assert watching.out.lines[1].split()[:2] == ["old", "0/1"]


def test_watch_with_output_of_events(kubectl):
    kubectl.create(config_map("x", labels={"app": "x"}))
    with kubectl.start("get", "cm", "-l", "app=x", "-w", "--output-watch-events") as watching:
        watching.out.until(lambda line: line.startswith("ADDED"))
        kubectl("label", "cm/x", "more=yes")
        watching.out.until(lambda line: line.startswith("MODIFIED"))
        kubectl("delete", "cm", "x")
        assert watching.out.until(lambda line: line.startswith("DELETED")).split()[1] == "x"


def test_an_object_that_leaves_the_selection_shows_as_deleted(kubectl):
    kubectl.create(config_map("x", labels={"app": "x"}))
    with kubectl.start("get", "cm", "-l", "app=x", "-w", "--output-watch-events") as watching:
        watching.out.until(lambda line: line.startswith("ADDED"))
        kubectl("label", "cm/x", "app=y", "--overwrite")
        watching.out.until(lambda line: line.startswith("DELETED"))
        kubectl("label", "cm/x", "app=x", "--overwrite")
        watching.out.until(lambda line: line.startswith("ADDED"))


def test_watching_a_pod_through_its_life(kubectl):
    kubectl.create(pod("web"))
    with kubectl.start(
        "get", "pod", "web", "-w", "-o", "jsonpath={.status.phase}{'\\n'}"
    ) as watching:
        watching.out.until(lambda line: line == "Running", timeout=20)
        kubectl("delete pod web --wait=false")
        kubectl("wait pod/web --for=delete --timeout=20s")


def event(name, reason, kind="Pod", thing="web", type_="Normal"):
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name},
        "involvedObject": {"apiVersion": "v1", "kind": kind, "name": thing},
        "reason": reason,
        "message": f"{reason} happened",
        "type": type_,
        "count": 1,
        "source": {"component": "tester"},
        "firstTimestamp": "2026-01-01T00:00:00Z",
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }


def in_namespace(thing, namespace):
    thing["involvedObject"]["namespace"] = namespace
    return thing


def test_events(kubectl, namespace):
    kubectl.create(in_namespace(event("e1", "Started"), namespace))
    kubectl.create(in_namespace(event("e2", "Failed", thing="other", type_="Warning"), namespace))
    rows = kubectl("events").table()
    assert {(r["TYPE"], r["REASON"], r["OBJECT"]) for r in rows} >= {
        ("Normal", "Started", "Pod/web"),
        ("Warning", "Failed", "Pod/other"),
    }
    assert [r["REASON"] for r in kubectl("events --types=Warning").table()] == ["Failed"]
    assert [r["REASON"] for r in kubectl("events --for=pod/web").table()] == ["Started"]
    result = kubectl("get events --field-selector reason=Failed")
    assert [r["REASON"] for r in result.table()] == ["Failed"]
    assert list(result.table()[0]) == ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]


def test_an_event_about_another_namespace_is_refused(kubectl):
    result = kubectl.fails(
        "create", "-f", "-", stdin=manifest(in_namespace(event("e", "X"), "default"))
    )
    assert "does not match event.namespace" in result.err
