"""Skips tests that this rig cannot run, with the reason: @pytest.mark.rig("impact", "gyroscope").

Copy it next to your tests, or into your own conftest.py. RIGREADY names the program and its arguments
(default: rigready), such as RIGREADY="rigready --config bench.yaml --wait-fix 30".
"""

import json
import os
import shlex
import subprocess

import pytest

# The short names; a service's own id, and the last part of it, are accepted too.
SHORT = {
    "dfd": "driving.distractionFreeDriving", "behaviour": "driving.drivingBehaviour",
    "discovery": "driving.deviceDiscovery", "poi": "pointsOfInterest", "impact": "impactDetection",
    "assistance": "assistanceCall",
}


def pytest_addoption(parser):
    parser.addoption(
        "--rig-required", action="store_true",
        help="fail, rather than skip, the tests that this rig cannot run")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "rig(*names): needs these services (impact, driving.deviceDiscovery) or requirements "
        "(gyroscope, bluetooth) of the rig; degraded=False also refuses a degraded service")


@pytest.fixture(scope="session")
def rig(request):
    """The report of this rig, as rigready --format json prints it; the rig is probed once per session."""
    return _report(request.config)


def pytest_runtest_setup(item):
    reasons = []
    for mark in item.iter_markers("rig"):
        if not mark.args or set(mark.kwargs) - {"degraded"}:
            pytest.fail("rig() takes names of services or requirements, and degraded=False", pytrace=False)
        report = _report(item.config)
        for name in mark.args:
            reasons += _reasons(report, name, mark.kwargs.get("degraded", True))
    if not reasons:
        return
    # A requirement that a service already reports is not repeated.
    text = "; ".join(one for one in dict.fromkeys(reasons) if not any(one in other for other in reasons if other != one))
    if item.config.getoption("--rig-required"):
        pytest.fail(text, pytrace=False)
    pytest.skip(text)


def _report(config):
    """Runs the program once per session; ends the session if there is no report, since no skip would be justified."""
    if not hasattr(config, "_rig_report"):
        command = shlex.split(os.environ.get("RIGREADY", "rigready")) + ["--format", "json"]
        try:
            # Status 1 and 2 have a report too: something fails, or is unknown.
            run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
            if run.returncode not in (0, 1, 2):
                pytest.exit(f"{shlex.join(command)}: status {run.returncode}: {run.stderr.strip()}", 3)
            report = json.loads(run.stdout)
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            pytest.exit(f"{shlex.join(command)}: {error}", 3)
        if report.get("schema") != "rigready.report/1":
            pytest.exit(f"{shlex.join(command)}: not a rigready.report/1: {report.get('schema')}", 3)
        config._rig_report = report
    return config._rig_report


def _reasons(report, name, degraded):
    """Why the rig does not provide the named service or requirement; empty if it does."""
    requirements = {line["id"]: line for line in report["requirements"]}
    services = {line["id"]: line for line in report["services"]}
    if name in requirements:
        return [] if requirements[name]["standing"] == "met" else [_told(requirements[name])]
    found = [i for i in services if name in (i, i.rpartition(".")[2]) or SHORT.get(name) == i]
    if len(found) != 1:
        # A mistyped name must not skip a test permanently.
        pytest.fail(f"the report has no service or requirement {name!r}; it has "
                    + ", ".join([*services, *requirements]), pytrace=False)
    service = services[found[0]]
    verdict = service["verdict"]
    if verdict == "runs" or verdict == "degraded" and degraded:
        return []
    told = [service]
    if verdict in ("blocked", "undetermined"):
        told += [line for i, line in services.items() if i == found[0].rpartition(".")[0]]
    if service["blockedBy"] == "session":
        told += [line for line in services.values() if line["verdict"] == "fails"]
    keys = ("warnings",) if verdict == "degraded" else ("failures", "unknown")
    ids = dict.fromkeys(i for line in told for key in keys for i in line[key])
    why = "; ".join(_told(requirements[i]) for i in ids) or {
        "unauthorized": "not in the licence", "blocked": f"{service['blockedBy']} does not run"}.get(verdict, "")
    return [f"{found[0]} {verdict}" + (f": {why}" if why else "")]


def _told(requirement):
    """Returns a requirement's cause, detail and remedy in one line."""
    text = f"{requirement['id']}: {requirement['cause'] or requirement['standing']}"
    if requirement["detail"]:
        text += f" ({requirement['detail']})"
    return text + (f" -> {requirement['remedy']}" if requirement["remedy"] else "")
