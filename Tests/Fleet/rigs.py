"""Rigs: real ones, which are the program itself on a recording, and simulated ones, of which there can be thousands."""
import json
import os
import random
import re
import selectors
import signal
import socket
import subprocess
import threading
import time
from datetime import datetime, timezone

from mqtt import Client

SERVICE = "walking"


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class Program:
    """The program under test."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder}
        if "RIGREADY_MUTATION" in os.environ:
            self.environment["RIGREADY_MUTATION"] = os.environ["RIGREADY_MUTATION"]

    def start(self, *words, **options):
        return subprocess.Popen([self.path, *words], env=self.environment, cwd=self.folder, **options)

    def run(self, *words, seconds=60):
        return subprocess.run([self.path, *words], env=self.environment, cwd=self.folder, capture_output=True, text=True,
                              timeout=seconds)

    def fleet(self, urls, *words, seconds=60):
        named = [word for url in urls for word in ("--broker", url)]
        return self.run("fleet", *named, *words, seconds=seconds)

    def document(self, urls, *words):
        run = self.fleet(urls, "--format", "json", *words)
        return json.loads(run.stdout)

    def rig(self, urls, name, *words):
        return next((rig for rig in self.document(urls, *words)["rigs"] if rig["name"] == name), None)


class Rig:
    """A watch on a recording, whose service can be switched off and on by the user's decision on motion."""

    def __init__(self, program, name, urls, config=None):
        self.program, self.name, self.urls, self.config = program, name, urls, config
        self.grants = os.path.join(program.folder, f"{name}.yaml")
        self.kept = os.path.join(program.folder, f"{name}.json")
        self.log = os.path.join(program.folder, f"{name}.log")
        self.runs = True
        self.process = None
        for file in (self.kept, self.log):
            if os.path.exists(file):
                os.unlink(file)
        self.decide(True)

    def start(self, *more):
        words = ["watch", *more, "--rig", "demo", "--permissions", self.grants, "--keep", self.kept, "--name", self.name]
        if self.config:
            words += ["--config", self.config]
        for url in self.urls:
            words += ["--publish", url]
        with open(self.log, "ab") as log:
            self.process = self.program.start(*words, stdout=subprocess.DEVNULL, stderr=log)
        return self

    def decide(self, runs):
        """Has the service run, or not."""
        with open(self.grants + ".new", "w") as file:
            file.write("" if runs else "motion: denied\n")
        os.rename(self.grants + ".new", self.grants)
        self.runs = runs

    def end(self, number=signal.SIGTERM):
        """Ends it; returns its status."""
        if not self.process:
            return None
        self.process.send_signal(number)
        status = self.process.wait(timeout=20)
        self.process = None
        return status

    def logged(self):
        with open(self.log) as log:
            return log.read()

    def does_its_work(self):
        """Whether it follows a change, and keeps its report, whatever its broker does."""
        if not until(lambda: self.kept_runs() is not None):
            return False
        for runs in (not self.runs, self.runs):
            self.decide(runs)
            if not until(lambda: self.kept_runs() == runs):
                return False
        return True

    def kept_runs(self):
        try:
            with open(self.kept) as file:
                services = json.load(file)["services"]
        except (OSError, ValueError):
            return None
        return next(one["verdict"] == "runs" for one in services if one["id"] == SERVICE)


def until(holds, seconds=60):
    """Waits until something holds; returns whether it did in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class FleetWatch:
    """A `rigready fleet --watch`, with the time of each line."""

    def __init__(self, program, urls, *words):
        named = [word for url in urls for word in ("--broker", url)]
        self.log = os.path.join(program.folder, f"watch-{time.monotonic_ns()}.log")
        with open(self.log, "wb") as log:
            self.process = program.start("fleet", "--watch", "--service", SERVICE, *named, *words,
                                         stdout=subprocess.PIPE, stderr=log, text=True)
        self.lines = []
        self.news = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append((time.monotonic(), line.rstrip("\n")))
                self.news.notify_all()

    def await_line(self, pattern, after=0, seconds=60):
        """The time of the first line after a moment that has a pattern; None if there is none in time."""
        end = time.monotonic() + seconds
        with self.news:
            while True:
                for moment, line in self.lines:
                    if moment >= after and re.search(pattern, line):
                        return moment
                if not self.news.wait(max(0, end - time.monotonic())) and time.monotonic() > end:
                    return None

    def end(self):
        self.process.kill()
        self.process.wait()


class SimulatedRigs:
    """Rigs of one real report, each with a connection of its own, as a rig has it."""

    def __init__(self, port, count, report, running, first=0):
        self.port, self.count, self.report, self.running, self.first = port, count, report, running, first
        self.clients = []

    def name(self, index):
        return f"sim-{self.first + index:05}"

    def connect(self, parallel=50):
        """Connects all, and publishes everything of each; returns the seconds that it took."""
        began = time.monotonic()
        for start in range(0, self.count, parallel):
            batch = []
            for index in range(start, min(start + parallel, self.count)):
                name = self.name(index)
                client = Client(self.port, f"rigready-{name}-{random.getrandbits(32):x}",
                                will=(f"rigready/{name}/state", "offline"), wait=False)
                batch.append((client, name))
            for client, name in batch:
                client.await_answer(2, 60)
                client.publish(f"rigready/{name}/report", self.report)
                for service, word in self.running.items():
                    client.publish(f"rigready/{name}/run/{service}", word)
                client.publish(f"rigready/{name}/seen", now())
                last = client.publish(f"rigready/{name}/state", "online")
                client.last = last
            for client, name in batch:
                client.await_answer(4, 60, client.last)
                client.answers.clear()
                self.clients.append((client, name))
        return time.monotonic() - began

    def pulse(self):
        """Has each say that it lives."""
        for client, name in self.clients:
            client.publish(f"rigready/{name}/seen", now())
        for client, _ in self.clients:
            client.await_answer(4, 60, client.number)
            client.answers.clear()

    def traffic(self):
        return sum(client.sent + client.heard for client, _ in self.clients)

    def drop(self):
        for client, _ in self.clients:
            client.drop()
        self.clients = []
