"""The signals of mocked motion sensors: read while somebody looks, and not otherwise."""

import json
import shutil
import subprocess
import time

import pytest
from conftest import PROGRAM, eventually

if not shutil.which("umockdev-wrapper"):
    pytest.skip("needs umockdev", allow_module_level=True)

ACCELEROMETER, GYROSCOPE = ("accelerometer 0000:00:1f.4/0068", "gyroscope 0000:00:1f.4/0068")


def motion(events):
    """The sensors of the next event with samples, by id."""
    while True:
        found = json.loads(events.next("signal")["data"])["motion"]
        if found:
            return {one["id"]: one for one in found}


def samples(events, sensor, count):
    found = []
    while len(found) < count:
        found += motion(events).get(sensor, {"samples": []})["samples"]
    return found


def test_a_viewer_gets_the_samples_of_both_sensors(start):
    board = start(mocked=["mpu6050"])
    events = board.events()
    assert "mpu6050" in events.next("report")["data"]
    both = {}
    while len(both) < 2:
        both.update(motion(events))
    assert set(both) == {ACCELEROMETER, GYROSCOPE}
    assert both[ACCELEROMETER]["unit"] == "m/s^2" and both[GYROSCOPE]["unit"] == "rad/s"
    assert both[ACCELEROMETER]["name"] == "mpu6050"
    time_, *axes = both[ACCELEROMETER]["samples"][0]
    assert axes == [0.0718, -0.0478, 9.8072]
    board.change("set 0 in_accel_x_raw 1000")
    while samples(events, ACCELEROMETER, 1)[-1][1] != 0.598:
        pass
    # No faster than fifty times a second, however long it takes.
    times = [sample[0] for sample in samples(events, ACCELEROMETER, 100)]
    assert times == sorted(times)
    assert (times[-1] - times[0]) / (len(times) - 1) >= 19.9


def test_without_a_viewer_nothing_is_read_and_no_thread_wakes(start):
    board = start(mocked=["mpu6050", "bmi160"])
    board.ask("/")

    def is_quiet():
        before = board.wakes()
        time.sleep(2)
        return board.wakes() == before

    eventually("it is quiet before the first viewer", is_quiet)
    events = board.events()
    samples(events, ACCELEROMETER, 3)
    before = board.wakes()[1]
    samples(events, ACCELEROMETER, 3)
    assert board.wakes()[1] > before
    events.close()
    eventually("it is quiet after the last viewer", is_quiet)


def test_ten_viewers_cost_little(start, folder):
    if "/debug/" in PROGRAM:
        pytest.skip("a build for debugging costs more")
    board = start(mocked=["mpu6050", "bmi160"])
    board.ask("/")
    idle = board.memory()
    taken = [folder / f"events-{number}" for number in range(10)]
    viewers = [subprocess.Popen(["curl", "-sN", "-o", file, f"http://127.0.0.1:{board.port}/events"]) for file in taken]
    time.sleep(2)
    before, begin = board.work(), time.monotonic()
    time.sleep(10)
    share = (board.work() - before) / (time.monotonic() - begin)
    for viewer in viewers:
        viewer.kill()
        viewer.wait()
    assert min(file.read_text().count("event: signal") for file in taken) >= 100
    print(f"idle {idle} KiB; ten viewers of four sensors {100 * share:.1f} in 100 of a core")
    assert idle <= 24 << 10 and share <= 0.05


def test_a_sensor_that_is_unplugged_and_plugged_in_changes_the_page(start):
    board = start(mocked=["mpu6050"])
    events = board.events()
    assert "mpu6050" in events.next("report")["data"]
    samples(events, GYROSCOPE, 1)
    board.change("remove 0")
    while "mpu6050" in (report := events.next("report")["data"]).split("Last changes")[0]:
        pass
    assert "disappeared" in report or "met →" in report
    board.change("add 1 bmi160")
    while "bmi160" not in events.next("report")["data"]:
        pass
    samples(events, "gyroscope 0000:00:1f.4/0069", 2)


def test_a_hundred_changes_reach_the_page_one_by_one(start):
    """Each is read before the next is made, so one that is lost fails. The times, which are the mocked machine's too, have no limit: others
    may use the processors."""
    board = start(mocked=["mpu6050"])
    events = board.events()
    events.next("report")
    taken, work = [], board.work()
    for number in range(1, 51):
        for words, is_there in ((f"add {number} bmi160", True), (f"remove {number}", False)):
            begin = time.monotonic()
            board.change(words)
            while ("bmi160" in events.next("report")["data"].split("Last changes")[0]) != is_there:
                pass
            taken.append(1000 * (time.monotonic() - begin))
    work = 1000 * (board.work() - work) / len(taken)
    taken.sort()
    print(f"change to event: p50 {taken[50]:.1f} ms, p99 {taken[98]:.1f} ms, most {taken[99]:.1f} ms of {len(taken)}; {work:.1f} ms of work each")


def test_motion_that_is_denied_has_no_signals(start, folder):
    (folder / "grants.yaml").write_text("motion: denied\n")
    board = start("--permissions", str(folder / "grants.yaml"), mocked=["mpu6050"])
    events = board.events()
    assert "mpu6050" in events.next("report")["data"]
    # The next event is a report again, and not a signal, since the grant is gone by then.
    (folder / "new").write_text("motion: allowed\n")
    (folder / "new").rename(folder / "grants.yaml")
    assert events.next()["event"] == "report"
    samples(events, ACCELEROMETER, 1)
