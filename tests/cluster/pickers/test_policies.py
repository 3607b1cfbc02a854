"""Pickers on a real kube-apiserver, which does not have spec.downscalePodPicker: a
DownscalePolicy configures them, if its CRD is installed.
"""

import json

import pytest
from support.our_kinds import serve_our_kinds, take_our_kinds_away
from support.objects import deployment
from support.pickers import AirflowDatabase, ExamplePicker, RecordingPicker
from support.process import eventually

pytestmark = [pytest.mark.own_system("pickers"), pytest.mark.systems("ebb")]

# A kind that is not there is looked for again after 30 s, and then after a minute.
UNTIL_KINDS_ARE_NOTICED = 120


def records(controllers):
    text = controllers.log.with_suffix(".decisions").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def wait_records(controllers, workload, count):
    def check():
        mine = [
            r
            for r in records(controllers)
            if r["replicaSet"]["namespace"] == workload.namespace
        ]
        assert len(mine) == count, f"{len(mine)} records, want {count}"
        return mine

    return eventually(check)


def test_without_the_kinds_everything_else_works(controllers_without_our_kinds, workload):
    eventually(controllers_without_our_kinds.ready, timeout=60)
    workload.create(4)
    assert len(workload.scale(2)) == 2
    (record,) = wait_records(controllers_without_our_kinds, workload, 1)
    assert "picker" not in record
    assert controllers_without_our_kinds.child.running()


def test_kinds_installed_later_are_noticed(controllers_without_our_kinds, server, workload, pickers):
    picker = pickers(RecordingPicker())
    names = workload.create(4)
    serve_our_kinds(server)
    workload.add_policy("web", picker.http())
    workload.wait_condition("web", "Ready", "True", timeout=UNTIL_KINDS_ARE_NOTICED)
    assert workload.scale(3) == {names[0]}
    assert len(picker.requests) == 1
    # And taken away again, with the policies.
    take_our_kinds_away(server)

    def not_asked_any_more():
        picker.requests.clear()
        workload.scale(4)
        workload.scale(3)
        return picker.requests == []

    eventually(not_asked_any_more, timeout=UNTIL_KINDS_ARE_NOTICED, interval=2)


def test_idle_airflow_workers_go_first(controllers, workload, pickers, tmp_path):
    database = AirflowDatabase(tmp_path)
    picker = pickers(
        ExamplePicker(
            "python-airflow",
            tmp_path,
            AIRFLOW_DB=str(database.path),
            PICKER_AUTHORIZATION="Bearer only-in-the-secret",
        )
    )
    workload.add_secret("airflow-picker", authorization="Bearer only-in-the-secret")
    source = {"secretKeyRef": {"name": "airflow-picker", "key": "authorization"}}
    headers = [{"name": "Authorization", "valueFrom": source}]
    workload.add_policy("workers", picker.http(httpHeaders=headers))
    idle, busy, *others = workload.create(5)
    for worker in (busy, *others):
        database.run_task(worker, minutes=130)
    database.run_task(busy, minutes=5)
    workload.wait_condition("workers", "Ready", "True")

    assert workload.scale(4) == {idle}
    assert busy not in workload.scale(2)
    first, second = wait_records(controllers, workload, 2)
    assert (first["picker"]["outcome"], first["picker"]["chosen"]) == ("answered", 1)
    assert (second["picker"]["chosen"], second["picker"]["tied"]) == (0, 3)
    assert [v["decidedBy"] for v in first["victims"]] == ["PickerRank"]
    workload.wait_condition("workers", "PickerReachable", "True")
    status = workload.api.get(f"{workload.policies}/workers")["status"]
    assert status["lastDecision"]
    for text in (json.dumps([first, second]), json.dumps(status), controllers.child.output()):
        assert "only-in-the-secret" not in text


def test_regions_keep_their_shares(controllers, workload, pickers, tmp_path):
    shares = {"zone-a": 4, "zone-b": 1, "zone-c": 1}
    picker = pickers(
        ExamplePicker("typescript-regions", tmp_path, REGION_SHARES=json.dumps(shares))
    )
    workload.add_policy("web", {**picker.http(), "context": "full"})
    workload.create(9)
    assert workload.zones() == {"zone-a": 3, "zone-b": 3, "zone-c": 3}
    workload.wait_condition("web", "Ready", "True")
    workload.scale(5)
    assert workload.zones() == {"zone-a": 3, "zone-b": 1, "zone-c": 1}


def test_a_policy_says_how_its_picker_is(controllers, workload, pickers):
    picker = pickers(RecordingPicker())
    workload.add_policy("web", {**picker.http(), "timeoutSeconds": 2})
    names = workload.create(5)
    workload.wait_condition("web", "Ready", "True")
    assert workload.scale(4) == {names[0]}
    workload.wait_condition("web", "PickerReachable", "True")
    picker.answer = lambda _: (500, {})
    workload.scale(3)
    workload.wait_condition("web", "PickerReachable", "False")
    workload.wait_event("PickerFailed", "status code")
    policy = workload.api.get(f"{workload.policies}/web")
    assert policy["status"]["observedGeneration"] == policy["metadata"]["generation"]


def test_of_two_policies_the_older_counts(controllers, workload, pickers):
    older, younger = pickers(RecordingPicker()), pickers(RecordingPicker())
    workload.create(5)
    # Made in the same second, the name decides.
    workload.add_policy("a", older.http())
    workload.add_policy("b", younger.http())
    assert "a" in workload.wait_condition("b", "Conflicting", "True")["message"]
    workload.scale(4)
    assert (len(older.requests), len(younger.requests)) == (1, 0)
    workload.api.delete(f"{workload.policies}/a")
    workload.wait_condition("b", "Conflicting", "False")
    workload.scale(3)
    assert (len(older.requests), len(younger.requests)) == (1, 1)


def test_the_field_is_unknown_here(workload):
    """As docs/writing-a-picker.md says: hence the policies."""
    body = deployment("web", 1)
    body["spec"]["downscalePodPicker"] = {"http": {"host": "picker.shop.svc"}}
    path = f"{workload.apps}/deployments"
    refused = workload.api.request("POST", path, body, fieldValidation="Strict")
    assert refused.code == 400
    made = workload.api.request("POST", path, body, fieldValidation="Warn")
    assert made.code == 201
    assert any("downscalePodPicker" in text for text in made.warnings)
    assert "downscalePodPicker" not in made.json["spec"]
