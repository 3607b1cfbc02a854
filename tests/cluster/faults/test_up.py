"""`ebb up` with its controllers: it dies or is paused in the middle of a scale-down, and
continues from its data folder.
"""

import pytest
from rig.arena import Crowd
from rig.place import Place
from rig.systems import UpSystem
from support.names import make_namespace

pytestmark = [pytest.mark.own_system("faults"), pytest.mark.systems("up")]


class Inside:
    """The part of an arena that Crowd needs; here the controllers always run."""

    def make(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture
def crowd(system_name, request):
    folder = request.config.logs / f"inside-{request.node.name}"
    with UpSystem(folder) as system:
        place = Place(system, make_namespace(system.server.api, "crowd"))
        with Crowd(Inside(), place, 550) as crowd:
            yield crowd


def test_it_is_killed(crowd):
    surplus = crowd.begin_scale_down(50, least=1)
    crowd.place.system.server.restart()
    crowd.expect_only_the_surplus(surplus)


def test_it_hangs_for_ten_seconds(crowd):
    surplus = crowd.begin_scale_down(50, least=1)
    crowd.place.system.server.pause(10)
    crowd.expect_only_the_surplus(surplus)
