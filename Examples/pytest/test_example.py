"""What the marker looks like in use."""

import pytest


@pytest.mark.rig("impact", "gyroscope")
def test_impact_is_detected():
    """Runs only where impact detection does, and a gyroscope delivers."""


@pytest.mark.rig("driving.deviceDiscovery", degraded=False)
def test_devices_are_discovered():
    """A degraded service is not good enough here."""


def test_the_receiver_is_the_pinned_one(rig):
    """The whole report is at hand too."""
    location = next(line for line in rig["requirements"] if line["id"] == "location")
    if location["standing"] != "met":
        pytest.skip(location["detail"])
    assert location["decidedBy"]


def test_without_a_rig():
    """A test without the marker runs anywhere, and alone it probes nothing."""
