"""Shows how the marker is used."""

import pytest


@pytest.mark.rig("impact", "gyroscope")
def test_impact_is_detected():
    """Runs only if impact detection runs and a gyroscope delivers."""


@pytest.mark.rig("driving.deviceDiscovery", degraded=False)
def test_devices_are_discovered():
    """A degraded service is not enough here."""


def test_the_receiver_is_the_pinned_one(rig):
    """The whole report is available too."""
    location = next(line for line in rig["requirements"] if line["id"] == "location")
    if location["standing"] != "met":
        pytest.skip(location["detail"])
    assert location["decidedBy"]


def test_without_a_rig():
    """A test without the marker runs anywhere, and on its own causes no probe."""
