"""A disk of a few megabytes that a test can fill: a tmpfs, which only root can mount."""

import contextlib
import pathlib
import subprocess


@contextlib.contextmanager
def small_disk(folder, megabytes):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "ebb-test", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert mounted.returncode == 0, (
        "a test of a full disk has to mount a tmpfs, as root and with CAP_SYS_ADMIN: "
        + mounted.stderr
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
