"""Revisions that have left a server's history."""

from support.objects import config_map

# More than ebb keeps of the past (64 MiB) in versions of one object.
CHUNK = "x" * 900_000
VERSIONS = 90


def push_out_of_memory(cluster, collection):
    """Afterwards a revision that was current before is too old to watch or continue from, and
    is returned. (Real Kubernetes forgets by time alone.)"""
    path = f"{collection}/configmaps"
    before = int(cluster.api.create(path, config_map("filler"))["metadata"]["resourceVersion"])
    for version in range(VERSIONS):
        cluster.api.update(f"{path}/filler", config_map("filler", {"a": f"{version}{CHUNK}"}))
    cluster.api.delete(f"{path}/filler")
    return before
