"""controller-runtime: tests/cluster/programs/reconciler."""

import pytest
from support.our_kinds import serve_our_kinds
from support.programs import expect_told, run


@pytest.mark.parametrize("story", ["client", "manager"])
def test_controller_runtime(cluster, namespace, story):
    serve_our_kinds(cluster)
    expect_told(f"reconciler-{story}", run("reconciler", cluster, namespace, story), cluster)
