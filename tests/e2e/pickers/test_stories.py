"""The stories of the proposal (KEP-3189), each with its example picker as a process."""

import json
import time
import urllib.request

import pytest
from support.pickers import AirflowDatabase, ExamplePicker

pytestmark = pytest.mark.ebb_only


def test_idle_airflow_workers_go_first(workload, pickers, tmp_path):
    database = AirflowDatabase(tmp_path)
    picker = pickers(ExamplePicker("python-airflow", tmp_path, AIRFLOW_DB=str(database.path)))
    workload.create(6, picker.http())
    idle, finished, light, equal, heavy, many = sorted(workload.pods())
    database.run_task(finished, 30, state="success")
    database.run_task(light, 10)
    database.run_task(equal, 20)
    database.run_task(heavy, 200)  # as much to lose as four short ones
    for _ in range(3):
        database.run_task(many, 1)

    # Early exit: as many do nothing as have to go.
    assert workload.scale(4) == {idle, finished}
    # Two have the least to lose and are tied.
    gone = workload.scale(3)
    assert len(gone) == 1 and gone < {light, equal}
    # One is left of them; of the rest, three young tasks are less than one of three hours.
    assert workload.scale(1) == ({light, equal} - gone) | {many}


def report(picker, shard, players, premium=0):
    request = urllib.request.Request(
        f"http://127.0.0.1:{picker.port}/shards/{shard}?players={players}&premium={premium}",
        method="PUT",
    )
    urllib.request.urlopen(request, timeout=10).close()


def test_shards_with_the_fewest_players_go_first(workload, pickers, tmp_path):
    picker = pickers(ExamplePicker("java-game-shards", tmp_path))
    workload.create(6, picker.http())
    empty, few, same, paying, full, silent = sorted(workload.pods())
    report(picker, empty, 0)
    report(picker, few, 5)
    report(picker, same, 5)
    report(picker, paying, 4, premium=4)
    report(picker, full, 50)

    assert workload.scale(5) == {empty}
    gone = workload.scale(4)
    assert len(gone) == 1 and gone < {few, same}
    # Four paying players count as twelve; a silent shard may have more.
    assert workload.scale(2) == ({few, same} - gone) | {paying}
    assert set(workload.pods()) == {full, silent}


def test_regions_keep_their_shares(workload, pickers, tmp_path):
    shares = {"zone-a": 4, "zone-b": 1, "zone-c": 1}
    picker = pickers(
        ExamplePicker("typescript-regions", tmp_path, REGION_SHARES=json.dumps(shares))
    )
    workload.create(9, {**picker.http(), "context": "full"})
    assert workload.zones() == {"zone-a": 3, "zone-b": 3, "zone-c": 3}
    workload.scale(5)
    assert workload.zones() == {"zone-a": 3, "zone-b": 1, "zone-c": 1}
    workload.scale(3)
    assert workload.zones() == {"zone-a": 1, "zone-b": 1, "zone-c": 1}
    workload.scale(1)
    assert workload.zones() == {"zone-a": 1}


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_the_worked_example(workload, pickers, tmp_path, protocol):
    """Loads [1, 2, 2, 2] and two to go: the first, and of the tied ones whom the normal order
    takes, which is the one that has been Ready for the shortest time."""
    if protocol == "grpc":
        picker = pickers(
            ExamplePicker("python-grpc", tmp_path, LOADS=str(tmp_path / "loads.json"))
        )
        settings = picker.grpc()
    else:
        picker = pickers(ExamplePicker("java-game-shards", tmp_path))
        settings = picker.http()
    old = workload.create(3)
    workload.add_policy("by-load", settings)
    workload.wait_condition("by-load", "Ready", "True")
    # Ages count by powers of two, so the young one must have less than half of the others' age
    # whatever takes its time from here on.
    time.sleep(20)
    workload.scale(4)
    (young,) = set(workload.pods()) - set(old)
    loads = {old[0]: 1, old[1]: 2, old[2]: 2, young: 2}
    if protocol == "grpc":
        (tmp_path / "loads.json").write_text(json.dumps(loads), encoding="utf-8")
    else:
        for pod, players in loads.items():
            report(picker, pod, players)
    assert workload.scale(2) == {old[0], young}
