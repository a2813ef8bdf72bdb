"""The brokers that the conformance script is run against: one mosquitto, or three nats-servers, as Debian packages
them. Both have the same interface, so that the script does not know which one it has."""
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from mqtt import Client


# The ports that this process has chosen: as long as it runs, no other that asks here gets them, though a node may be dead.
chosen = []


def free_ports(count):
    """Ports that are free, and that no outgoing connection and no broker of another script takes while a node is dead."""
    ports = []
    while len(ports) < count:
        port = random.randrange(10_000, 32_000)
        choice = socket.socket(socket.AF_UNIX)
        try:
            # A name in the kernel alone, which ends with the process.
            choice.bind(f"\0rigready-broker-port-{port}")
            with socket.socket() as one:
                one.bind(("127.0.0.1", port))
        except OSError:
            choice.close()
            continue
        chosen.append(choice)
        ports.append(port)
    return ports


class Broker:
    """One or more nodes; each has an MQTT port."""

    scheme = "mqtt"
    # What the users of a broker with `access`, their password, may write and read, as the documentation has it.
    # mute is one whose rig, bench-2, may not read its own topics.
    users = {"bench-1": (["rigready/bench-1/#"], ["rigready/bench-1/#"]), "mute": (["rigready/bench-2/#"], []),
             "reader": ([], ["rigready/#"]), "readonly": ([], ["rigready/#"])}

    def __init__(self, tls=None, password=None, store=None, server="server", access=None):
        self.folder = tempfile.mkdtemp(prefix="rigready-broker-")
        self.store = store or os.path.join(self.folder, "store")
        os.makedirs(self.store, exist_ok=True)
        self.tls, self.password, self.server, self.access = tls, password, server, access
        if tls:
            self.scheme = "mqtts"
        self.ports = free_ports(self.count)
        self.nodes = [None] * self.count
        self.prepare()
        for node in range(self.count):
            self.begin(node)
        try:
            self.await_ready()
        except TimeoutError:
            self.stop()
            raise

    def urls(self, first=0):
        """The URLs of all nodes, one of them first."""
        order = list(range(first, self.count)) + list(range(first))
        return [f"{self.scheme}://localhost:{self.ports[node]}" for node in order]

    def begin(self, node):
        log = open(os.path.join(self.folder, f"log{node}"), "ab")
        self.nodes[node] = subprocess.Popen(self.command(node), stdout=log, stderr=log)
        log.close()

    def kill(self, node, number=signal.SIGKILL):
        if self.nodes[node]:
            self.nodes[node].send_signal(number)
            self.nodes[node].wait()
            self.nodes[node] = None

    def pause(self, node):
        self.nodes[node].send_signal(signal.SIGSTOP)

    def resume(self, node):
        self.nodes[node].send_signal(signal.SIGCONT)

    @property
    def alive(self):
        return [node for node in range(self.count) if self.nodes[node]]

    def await_ready(self, seconds=60):
        """Waits until every node that runs takes a message."""
        end = time.monotonic() + seconds
        for node in self.alive:
            while True:
                try:
                    if self.tls or self.password or self.access:
                        socket.create_connection(("127.0.0.1", self.ports[node]), timeout=5).close()
                    else:
                        client = Client(self.ports[node], f"ready-{time.monotonic_ns()}")
                        client.await_answer(4, 5, client.publish("ready", "1", retain=False))
                        client.close()
                    break
                except (OSError, TimeoutError) as error:
                    # Without one node the others are not ready, and say so for a minute.
                    ended = [one for one in self.alive if self.nodes[one].poll() is not None]
                    if ended or time.monotonic() > end:
                        failed = (ended or [node])[0]
                        with open(os.path.join(self.folder, f"log{failed}"), errors="replace") as log:
                            words = log.read().splitlines()[-1:]
                        raise TimeoutError(f"node {failed} {'ended' if ended else 'is not ready'}: {error}; it said {words}")
                    time.sleep(0.05)

    def stored(self):
        """Bytes on the disk, of the first node."""
        return sum(
            os.stat(os.path.join(folder, file)).st_blocks * 512
            for folder, _, files in os.walk(self.storage(0)) for file in files)

    def resident(self, node=0):
        """Bytes of memory of a node."""
        with open(f"/proc/{self.nodes[node].pid}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))

    def processor(self, node=0):
        """Seconds of processor time of a node."""
        with open(f"/proc/{self.nodes[node].pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        for node in range(self.count):
            if self.nodes[node]:
                self.nodes[node].send_signal(signal.SIGCONT)
            self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)


class Mosquitto(Broker):
    name = "mosquitto"
    count = 1

    def storage(self, node):
        return self.store

    def prepare(self):
        lines = [f"listener {self.ports[0]} 127.0.0.1", "persistence true", f"persistence_location {self.store}/",
                 # With autosave_on_changes it would write all that it keeps at each message.
                 "autosave_interval 60", "max_queued_messages 100000"]
        if os.geteuid() == 0:
            lines.append("user root")
        if self.password:
            file = os.path.join(self.folder, "passwords")
            subprocess.run(["mosquitto_passwd", "-b", "-c", file, *self.password], check=True, capture_output=True)
            lines += ["allow_anonymous false", f"password_file {file}"]
        elif self.access:
            rules = os.path.join(self.folder, "rules")
            with open(os.open(rules, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write("pattern readwrite rigready/%u/#\nuser reader\ntopic read rigready/#\n"
                           "user readonly\ntopic read rigready/#\n"
                           "user mute\ntopic write rigready/bench-2/#\n")
            secrets = os.path.join(self.folder, "passwords")
            for user in self.users:
                create = [] if os.path.exists(secrets) else ["-c"]
                subprocess.run(["mosquitto_passwd", "-b", *create, secrets, user, self.access], check=True,
                               capture_output=True)
            lines += ["allow_anonymous false", f"password_file {secrets}", f"acl_file {rules}"]
        else:
            lines.append("allow_anonymous true")
        if self.tls:
            lines += [f"cafile {self.tls}/ca.pem", f"certfile {self.tls}/{self.server}.pem", f"keyfile {self.tls}/{self.server}.key",
                      "require_certificate true"]
        with open(os.path.join(self.folder, "mosquitto.conf"), "w") as file:
            file.write("\n".join(lines) + "\n")

    def command(self, node):
        return [shutil.which("mosquitto", path="/usr/sbin:/usr/bin"), "-c", f"{self.folder}/mosquitto.conf"]


class NATS(Broker):
    name = "NATS"
    count = 3

    def storage(self, node):
        return os.path.join(self.store, f"n{node}")

    def prepare(self):
        clients, routes = free_ports(3), free_ports(3)
        for node in range(3):
            tls = (
                f'tls {{ cert_file: "{self.tls}/{self.server}.pem", key_file: "{self.tls}/{self.server}.key", '
                f'ca_file: "{self.tls}/ca.pem", verify: true }}' if self.tls else "")
            users = 'authorization { user: "%s", password: "%s" }' % self.password if self.password else ""
            if self.access:
                def subjects(topics):
                    # A filter that ends in # has its own level too.
                    names = [one.removesuffix("/#") for one in topics if one.endswith("/#")] + topics
                    return json.dumps([one.replace("/", ".").replace("+", "*").replace("#", ">") for one in names])

                users = "authorization { users: [" + ", ".join(
                    f'{{ user: "{user}", password: "{self.access}", permissions: {{ '
                    f'publish: {subjects(writes or ["nothing"])}, subscribe: {subjects(reads or ["nothing"])} }} }}'
                    for user, (writes, reads) in self.users.items()) + "] }"
            with open(os.path.join(self.folder, f"n{node}.conf"), "w") as file:
                file.write(f"""
server_name: n{node}
listen: "127.0.0.1:{clients[node]}"
jetstream {{ store_dir: "{self.storage(node)}" }}
mqtt {{ listen: "127.0.0.1:{self.ports[node]}", stream_replicas: 3, {tls} }}
{users}
cluster {{
  name: rigs
  listen: "127.0.0.1:{routes[node]}"
  routes: [ {", ".join(f"nats://127.0.0.1:{port}" for port in routes)} ]
}}
""")

    def command(self, node):
        return [shutil.which("nats-server", path="/usr/sbin:/usr/bin"), "-c", f"{self.folder}/n{node}.conf"]


def certificates(folder):
    """Makes an authority with a certificate for localhost and one for a client, and a stranger's authority."""
    def run(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    for name in ("ca", "stranger"):
        run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key",
            "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")
    for name, alternatives in (("server", "DNS:localhost,IP:127.0.0.1"), ("other", "DNS:other.example"),
                               ("client", "DNS:client")):
        run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
            f"{name}.csr", "-subj", f"/CN={name}")
        with open(os.path.join(folder, "extensions"), "w") as file:
            file.write(f"subjectAltName={alternatives}\n")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-out", f"{name}.pem", "-extfile", "extensions")
    for file in os.listdir(folder):
        if file.endswith(".key"):
            os.chmod(os.path.join(folder, file), 0o600)
