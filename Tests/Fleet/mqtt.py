"""As much of MQTT 3.1.1 as the conformance script needs: thousands of clients in one thread, and messages that no
library would send."""
import selectors
import socket
import struct
import time


def text(words):
    data = words.encode() if isinstance(words, str) else words
    return struct.pack(">H", len(data)) + data


def packet(kind, body):
    length, count = b"", len(body)
    while True:
        count, digit = count >> 7, count & 0x7F
        length += bytes([digit | (0x80 if count else 0)])
        if not count:
            return bytes([kind]) + length + body


class Client:
    """One connection that does not block, once connected."""

    def __init__(self, port, name, will=None, keepalive=60, wait=True):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received, self.messages, self.answers = b"", [], []
        self.number = 0
        self.sent = 0
        self.heard = 0
        flags = 2 | (0x04 | 0x08 | 0x20 if will else 0)
        body = text("MQTT") + bytes([4, flags]) + struct.pack(">H", keepalive) + text(name)
        if will:
            body += text(will[0]) + text(will[1])
        self.write(packet(0x10, body))
        self.socket.setblocking(False)
        if wait:
            self.await_answer(2, 20)
            if self.accepted != 0:
                raise ConnectionError(f"CONNACK {self.accepted}")

    accepted = None

    def write(self, data):
        self.sent += len(data)
        self.socket.setblocking(True)
        self.socket.settimeout(30)
        self.socket.sendall(data)
        self.socket.setblocking(False)

    def publish(self, topic, payload, qos=1, retain=True):
        """Sends a message; returns its number."""
        self.number = self.number % 65535 + 1
        data = payload.encode() if isinstance(payload, str) else payload
        body = text(topic) + (struct.pack(">H", self.number) if qos else b"") + data
        self.write(packet(0x30 | qos << 1 | retain, body))
        return self.number

    def tell(self, messages):
        """Sends small messages that are not kept, in one piece."""
        self.write(b"".join(packet(0x30, text(topic) + payload) for topic, payload in messages))

    def subscribe(self, pattern, qos=0):
        self.number = self.number % 65535 + 1
        self.write(packet(0x82, struct.pack(">H", self.number) + text(pattern) + bytes([qos])))
        return self.number

    def unsubscribe(self, pattern):
        self.number = self.number % 65535 + 1
        self.write(packet(0xA2, struct.pack(">H", self.number) + text(pattern)))
        return self.number

    def take(self):
        """Takes what has come; returns the kinds of packets."""
        kinds = []
        try:
            while True:
                data = self.socket.recv(1 << 18)
                if not data:
                    raise ConnectionError("closed")
                self.heard += len(data)
                self.received += data
        except BlockingIOError:
            pass
        while len(self.received) >= 2:
            length, place, shift = 0, 1, 0
            while True:
                if place >= len(self.received):
                    return kinds
                digit = self.received[place]
                length |= (digit & 0x7F) << shift
                place, shift = place + 1, shift + 7
                if not digit & 0x80:
                    break
            if len(self.received) < place + length:
                return kinds
            kind, body = self.received[0] >> 4, self.received[place : place + length]
            qos, retain = self.received[0] >> 1 & 3, self.received[0] & 1
            self.received = self.received[place + length :]
            kinds.append(kind)
            if kind == 2:
                self.accepted = body[1]
            elif kind == 3:
                size = struct.unpack(">H", body[:2])[0]
                topic, rest = body[2 : 2 + size].decode(), body[2 + size :]
                self.messages.append((topic, rest[2:] if qos else rest, bool(retain)))
            elif kind in (4, 9, 11):
                self.answers.append((kind, struct.unpack(">H", body[:2])[0]))
        return kinds

    def await_answer(self, kind, seconds=20, number=None):
        """Waits for a packet of a kind: 2 CONNACK, 4 PUBACK, 9 SUBACK, 11 UNSUBACK."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ)
            while True:
                kinds = self.take()
                if kind == 2 and self.accepted is not None:
                    return
                if number is None and kind in kinds or (kind, number) in self.answers:
                    return
                if time.monotonic() > end:
                    raise TimeoutError(f"no packet of kind {kind}")
                selector.select(0.2)

    def ping(self):
        self.write(packet(0xC0, b""))

    def close(self):
        """Ends in order, without the will."""
        try:
            self.write(packet(0xE0, b""))
        except OSError:
            pass
        self.socket.close()

    def drop(self):
        """Ends without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def retained(port, pattern="rigready/#"):
    """Every message that the broker keeps, by topic."""
    client = Client(port, f"reader-{time.monotonic_ns()}")
    client.subscribe(pattern)
    client.await_answer(11, number=client.unsubscribe("nothing"))
    client.close()
    return {topic: payload for topic, payload, _ in client.messages}
