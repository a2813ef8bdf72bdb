"""The fleet's pages: every rig of a real mosquitto, one rig, and what a broker that is away leaves of them."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT, eventually, free_port

sys.path.insert(0, str(ROOT / "Tests/Fleet"))
from mqtt import Client  # noqa: E402
from rigs import now  # noqa: E402
from test_board import Page  # noqa: E402


class Broker:
    """A mosquitto of its own, which keeps nothing on disk."""

    def __init__(self, folder):
        self.port, self.process = free_port(), None
        self.settings = folder / "mosquitto.conf"
        self.settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.url = f"mqtt://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            ["mosquitto", "-c", str(self.settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually("the broker answers", lambda: self.client("probe") is not None)

    def client(self, name):
        try:
            return Client(self.port, name)
        except OSError:
            return None

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture
def broker(folder):
    broker = Broker(folder)
    yield broker
    broker.end()


def publish(client, name, report, state="online"):
    for topic, payload in [("report", report), ("seen", now()), ("state", state)]:
        number = client.publish(f"rigready/{name}/{topic}", payload)
        client.await_answer(4, 60, number)


def rows(answer):
    return {row[0]: row[1:] for row in Page(answer.text).rows if row}


def test_every_rig_has_a_row_and_a_page(start, broker):
    broker.start()
    board = start("--rig", "demo", "--broker", broker.url)
    assert 'href="fleet/"' in board.ask("/").text
    assert "No rig publishes here" in board.ask("/fleet/").text
    client = broker.client("rigs")
    publish(client, "bench-1", board.ask("/report.json").text)
    publish(client, "bench-2", board.ask("/report.json").text, "offline")
    eventually("both rigs are listed", lambda: {"bench-1", "bench-2"} <= set(rows(board.ask("/fleet/"))))
    told = rows(board.ask("/fleet/"))
    assert told["bench-1"][0].startswith("✓ all 13 run") and told["bench-2"][0] == "– offline"
    assert re.search(r'<a href="bench-1/">', board.ask("/fleet/").text)
    page = board.ask("/fleet/bench-1/")
    assert page.status == 200 and rows(page)["distraction-free driving"][0] == "✓ runs"
    assert "no messages from this rig on the broker" in board.ask("/fleet/bench-9/").text
    for path, status in [("/fleet", 308), ("/fleet/a%20b/", 404), ("/fleet/bench-1", 404), ("/fleet/a/b/c", 404), ("/fleet/board.css", 200),
                         ("/fleet/bench-1/board.js", 200)]:
        assert board.ask(path).status == status, path


def test_a_change_reaches_the_viewers_of_the_fleet_and_of_the_rig(start, broker):
    broker.start()
    board = start("--rig", "demo", "--broker", broker.url)
    client = broker.client("rigs")
    publish(client, "bench-1", board.ask("/report.json").text)
    fleet, rig = board.events(path="/fleet/events"), board.events(path="/fleet/bench-1/events")
    for events in (fleet, rig):
        while "all 13 run" not in events.next("report")["data"]:
            pass
    client.publish("rigready/bench-1/state", "offline")
    for events in (fleet, rig):
        while "– offline" not in events.next("report")["data"]:
            pass
        events.close()


def test_a_broker_that_is_away_is_told_and_followed_again(start, broker):
    board = start("--rig", "demo", "--broker", broker.url)
    page = board.ask("/fleet/")
    assert page.status == 200 and "no broker answers" in page.text and "Connection refused" in page.text
    broker.start()
    publish(broker.client("rigs"), "bench-1", board.ask("/report.json").text)
    eventually("the rig is listed", lambda: "bench-1" in rows(board.ask("/fleet/")))
    broker.end()
    eventually("it is told", lambda: "no broker answers" in board.ask("/fleet/").text)


def test_without_a_broker_there_is_no_fleet(start):
    board = start("--rig", "demo")
    assert board.ask("/fleet/").status == 404 and "--broker" in board.ask("/fleet/").text
    assert "fleet" not in board.ask("/").text


def test_what_others_publish_is_text(start, broker):
    broker.start()
    board = start("--rig", "demo", "--broker", broker.url)
    client = broker.client("rigs")
    report = board.ask("/report.json").text.replace("driving.distractionFreeDriving", "<script>alert(1)</script>")
    publish(client, "bench-1", report)
    publish(client, "bench-2", "no report", "<img src=x>")
    client.publish("rigready/<b>/state", "online")
    eventually("both rigs are listed", lambda: {"bench-1", "bench-2"} <= set(rows(board.ask("/fleet/"))))
    for path in ("/fleet/", "/fleet/bench-1/", "/fleet/bench-2/"):
        page = Page(board.ask(path).text)
        assert page.elements.count("script") == 1 and "img" not in page.elements and "b" not in page.elements, path


def test_the_token_guards_the_fleet_too(start, broker):
    broker.start()
    board = start("--rig", "demo", "--broker", broker.url, host="0.0.0.0")
    board.host = "127.0.0.1"
    assert board.ask("/fleet/").status == 401 and board.ask("/fleet/events").status == 401
    assert board.ask("/fleet/", headers={"Authorization": f"Bearer {board.token}"}).status == 200
