"""The board over real HTTP: what it shows, to whom, and what attackers get."""

import html.parser
import json
import os
import re
import resource
import socket
import subprocess

import pytest
from conftest import PROGRAM, ROOT, eventually, free_port

DATA = ["/", "/report.json"]
PATHS = DATA + ["/board.css", "/board.js", "/nowhere"]


class Page(html.parser.HTMLParser):
    """The elements, attributes and rows of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes, self.rows, self.cell = [], [], [], None
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.elements.append(name)
        self.attributes += attributes
        if name == "tr":
            self.rows.append([])
        if name in ("td", "th"):
            self.cell = ""

    def handle_data(self, text):
        if self.cell is not None:
            self.cell += text

    def handle_endtag(self, name):
        if name in ("td", "th"):
            self.rows[-1].append(" ".join(self.cell.split()))
            self.cell = None


# What it shows


@pytest.mark.parametrize("rig", ["demo", "field-kit", "prototype-board"])
def test_the_page_has_every_verdict_without_a_script(start, rig):
    board = start("--rig", rig)
    answer = board.ask("/")
    assert answer.status == 200 and answer.getheader("Content-Type") == "text/html; charset=utf-8"
    services = json.loads(board.ask("/report.json").text)["services"]
    verdicts = [re.sub(r"^\W+", "", row[1]) for row in Page(answer.text).rows[1 : len(services) + 1]]
    assert verdicts == [service["verdict"] for service in services]


def test_the_page_is_three_requests_and_sixty_kilobytes(board):
    page = board.ask("/").text
    files = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert sorted(files) == ["board.css", "board.js", "data:,"]
    assert len(page) + sum(len(board.ask("/" + file).text) for file in files if file != "data:,") <= 60_000
    # Nothing comes from another address.
    assert "http://" not in page and "https://" not in page and "style=" not in page and "onclick" not in page


def test_the_report_is_the_document_with_coarse_positions(board):
    report = json.loads(board.ask("/report.json").text)
    assert report["schema"] == "rigready.report/1" and report["exitStatus"] == 0
    positions = [sensor["reading"] for sensor in report["sensors"] if sensor["kind"] == "locationReceiver"]
    assert positions and all(reading["latitude"] is not None for reading in positions)
    # The centres of cells of 0.1°, as in the file that a watch keeps.
    for reading in positions:
        assert abs(reading["latitude"] * 20 - round(reading["latitude"] * 20)) < 1e-6
    exact = re.findall(r"-?\d+\.\d{5,}", board.ask("/").text)
    assert not exact


def test_a_file_that_was_kept_is_not_sent_again(board):
    tag = board.ask("/board.js").getheader("ETag")
    again = board.ask("/board.js", headers={"If-None-Match": tag})
    assert again.status == 304 and again.text == ""
    assert board.ask("/board.css", headers={"If-None-Match": tag}).status == 200


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_fields_that_keep_it_safe(board, path):
    answer = board.ask(path)
    assert answer.getheader("Content-Security-Policy") == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert answer.getheader("Cache-Control") == ("no-cache" if "board" in path else "no-store")
    head = board.ask(path, "HEAD")
    assert head.status == answer.status and head.text == ""
    assert head.getheader("Content-Length") == answer.getheader("Content-Length") == str(len(answer.text.encode()))


# Changes


def test_a_change_of_the_rig_is_an_event_and_changes_the_page(start, folder):
    grants = folder / "grants.yaml"
    board = start("--rig", "demo", "--permissions", str(grants))
    events = board.events()
    assert events.answer.getheader("Content-Type") == "text/event-stream"
    first = events.next("report")
    assert first["data"].startswith("<main>") and "all 13 services run" in first["data"]
    (folder / "new").write_text("motion: denied\n")
    os.replace(folder / "new", grants)
    second = events.next("report")
    assert int(second["id"]) > int(first["id"])
    assert "motion access: met → denied" in second["data"]
    assert second["data"] in board.ask("/").text
    # Who comes later sees the same at once.
    assert board.events().next("report") == second


def test_curl_reads_the_events(board):
    curl = subprocess.Popen(
        ["curl", "-sN", f"http://127.0.0.1:{board.port}/events"], stdout=subprocess.PIPE, text=True)
    lines = iter(curl.stdout.readline, "")
    assert any(line == "event: report\n" for line in lines)
    assert any(line == "data: </main>\n" for line in lines)
    curl.kill()
    curl.communicate()


def test_a_reader_who_is_gone_makes_room(board):
    readers = [board.events() for _ in range(24)]
    for reader in readers:
        reader.next("report")
    refused = board.events()
    assert refused.answer.status == 503
    refused.close()
    for reader in readers:
        reader.close()
    eventually("there is room again", lambda: board.events().answer.status == 200)


def test_a_signal_ends_it_with_readers(board):
    board.events().next("report")
    assert board.end() == 0


# Who may see it


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8710", "127.0.0.1.evil.example", "", "10.0.0.1", "0x7f.1"])
def test_a_request_to_another_host_is_refused(board, host):
    for path in PATHS + ["/events"]:
        answer = board.ask(path, headers={"Host": host})
        assert answer.status == 421 and "services" not in answer.text


def test_two_hosts_or_none_are_refused(board):
    two = board.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert two.startswith(b"HTTP/1.1 4") and b"<main>" not in two
    none = board.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert none.startswith(b"HTTP/1.1 4") and b"<main>" not in none


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:80", "localhost.", socket.gethostname()])
def test_a_request_to_this_host_is_answered(board, host):
    assert board.ask("/", headers={"Host": host}).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_only_get_and_head_are_answered(board, method):
    answer = board.ask("/", method, body="x" * 1000 if method in ("POST", "PUT") else None)
    assert answer.status == 405 and answer.getheader("Allow") == "GET, HEAD"
    assert board.ask("/").status == 200


@pytest.fixture
def outside(start):
    address = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    if not address:
        pytest.skip("this machine has no address beyond loopback")
    return start("--rig", "demo", host=address[0])


def test_an_address_that_others_reach_needs_the_token(outside):
    assert re.fullmatch(r"[0-9a-f]{64}", outside.token)
    for path in PATHS + ["/events"]:
        assert outside.ask(path).status == 401
        assert outside.ask(path, headers={"Cookie": "rigready=" + "0" * 64}).status == 401
        assert outside.ask(path, headers={"Authorization": "Bearer " + "0" * 64}).status == 401
    for wrong in ["", "0" * 64, outside.token[:-1], outside.token.upper() + "x"]:
        answer = outside.ask(f"/?token={wrong}")
        assert answer.status == 403 and answer.getheader("Set-Cookie") is None


def test_the_token_is_exchanged_for_a_cookie(outside):
    answer = outside.ask(f"/?token={outside.token}")
    assert answer.status == 200
    cookie, *attributes = answer.getheader("Set-Cookie").split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    assert outside.token not in cookie and outside.token not in answer.text
    other = outside.ask(f"/?token={outside.token}").getheader("Set-Cookie").split("; ")[0]
    assert other != cookie
    for value in (cookie, other, f"a=b; {cookie}"):
        page = outside.ask("/", headers={"Cookie": value})
        assert page.status == 200 and "13 services run" in page.text
        assert outside.token not in page.text
    assert outside.ask("/report.json", headers={"Authorization": f"Bearer {outside.token}"}).status == 200
    assert outside.events(headers={"Cookie": cookie}).next("report")


def test_a_loopback_address_needs_none(board):
    assert board.token is None and board.ask("/?token=x").status == 303


def test_it_serves_tls(start, folder):
    certificate, key = folder / "board.pem", folder / "board.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-out",
         certificate, "-keyout", key], check=True, capture_output=True)
    words = ["--certificate", str(certificate), "--key", str(key)]
    board = start("--rig", "demo", *words)
    assert board.link.startswith("https://") and "13 services run" in board.ask("/").text
    assert board.events().next("report")
    other = folder / "other.key"
    subprocess.run(["openssl", "genrsa", "-out", other, "2048"], check=True, capture_output=True)
    done = run("--rig", "demo", "--certificate", str(certificate), "--key", str(other))
    assert done.returncode == 66 and f"{other}: expected the private key of {certificate}" in done.stderr
    # What is not TLS gets no answer.
    assert b"HTTP" not in board.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    address = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    if address:
        outside = start("--rig", "demo", *words, host=address[0])
        cookie = outside.ask(f"/?token={outside.token}").getheader("Set-Cookie")
        assert cookie.startswith("__Host-rigready=") and "; Secure" in cookie


# A Unix socket, whose file decides who may open it


def over(socket_file, *words):
    done = subprocess.run(["curl", "-s", "-w", "\n%{http_code}", "--unix-socket", socket_file, *words], capture_output=True, text=True)
    text, _, status = done.stdout.rpartition("\n")
    return text, int(status)


def test_a_socket_of_the_group_needs_no_token(start, folder):
    file = folder / "socket"
    board = start("--rig", "demo", "--token-file", str(folder / "token"), "--socket", str(file))
    assert board.ask("/").status == 401
    eventually("the socket is there", lambda: file.exists() and file.stat().st_mode & 0o777 == 0o660)
    text, status = over(file, "http://localhost/report.json")
    assert status == 200 and json.loads(text)["exitStatus"] == 0
    assert over(file, "http://evil.example/")[1] == 421 and over(file, "-X", "POST", "http://localhost/")[1] == 405
    reader = subprocess.Popen(
        ["curl", "-sN", "--unix-socket", file, "http://localhost/events"], stdout=subprocess.PIPE, text=True)
    assert any(line == "event: report\n" for line in iter(reader.stdout.readline, ""))
    reader.kill()
    reader.communicate()
    # What a board that was killed left is replaced.
    board.process.kill()
    board.process.wait()
    assert file.exists()
    start("--rig", "demo", "--socket", str(file))
    eventually("it answers again", lambda: over(file, "http://localhost/")[1] == 200)


def test_a_file_in_place_of_a_socket_stays(start, folder):
    (folder / "kept").write_text("kept")
    for file, reason in (("kept", "it is not a socket"), ("nowhere/socket", "No such file or directory"), ("x" * 120, "longer than 107 bytes")):
        done = run("--rig", "demo", "--listen", f"127.0.0.1:{free_port()}", "--socket", str(folder / file))
        assert done.returncode == 64 and reason in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert (folder / "kept").read_text() == "kept"


# Bad calls


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True)


@pytest.mark.parametrize("words, status, reason", [
    (["--listen", "nowhere.invalid:80"], 64, "there is no address 'nowhere.invalid'"),
    (["--listen", "127.0.0.1:0"], 64, "--listen takes ADDRESS:PORT"),
    (["--listen", "8710"], 64, "--listen takes ADDRESS:PORT"),
    (["--listen", "192.0.2.77:8710"], 64, "cannot be used"),
    (["--rig", "no-such-file"], 66, "no-such-file"),
    (["--service", "drivin"], 64, "Did you mean 'driving'?"),
    (["--certificate", "x"], 64, "belong together"),
    (["--certificate", "/no.pem", "--key", "/no.key"], 66, "/no.pem: No such file"),
    (["--certificate", str(ROOT / "LICENSE"), "--key", str(ROOT / "LICENSE")], 66, "expected a certificate in PEM"),
    (["--iio", "tcp:x"], 64, "--iio takes"),
    (["--resample", "0"], 64, "--resample takes"),
    (["--what"], 64, "--what"),
])
def test_a_bad_call_is_one_line_with_its_status(words, status, reason):
    rig = [] if "--rig" in words else ["--rig", "demo"]
    done = run(*rig, *words)
    assert done.returncode == status, done.stderr
    assert reason in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


def test_an_address_in_use_is_told(board):
    done = run("--rig", "demo", "--listen", f"127.0.0.1:{board.port}")
    assert done.returncode == 64 and "cannot be used" in done.stderr


# Attackers


def test_a_large_head_is_refused(board):
    start = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    for head in [
        start + b"X: " + b"x" * 9000 + b"\r\n\r\n",
        start + b"".join(b"X%d: x\r\n" % number for number in range(200)) + b"\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01" + os.urandom(500) + b"\r\n\r\n",
    ]:
        answer = board.raw(head)
        assert b"<main>" not in answer and b" 200 " not in answer[:20]
    assert board.ask("/").status == 200


def test_a_head_without_end_costs_no_memory(board):
    before = board.memory()
    link = board.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", wait=False)
    try:
        for _ in range(256):
            link.sendall(b"x" * 65536)
    except OSError:
        pass
    assert board.memory() - before < 8 << 10
    link.close()


def test_a_body_is_passed_over(board):
    before = board.memory()
    link = board.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", wait=False)
    try:
        for _ in range(256):
            link.sendall(b"x" * 65536)
    except OSError:
        pass
    assert board.memory() - before < 8 << 10
    assert board.ask("/").status == 200
    link.close()


@pytest.mark.parametrize("piece", [b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_thousand_slow_clients_keep_nobody_out(board, piece):
    """SLOW_CLIENTS=10000 makes them as many."""
    count = int(os.environ.get("SLOW_CLIENTS", 1000))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count + 1000), most))
    reader = board.events()
    reader.next("report")
    before = board.memory()
    slow = []
    for number in range(count):
        link = socket.create_connection(("127.0.0.1", board.port), timeout=60)
        if piece:
            try:
                link.sendall(piece)
            except OSError:
                pass
        slow.append(link)
        if number % 100 == 99:
            assert board.ask("/").status == 200
    assert board.ask("/report.json").status == 200
    # The program holds as many connections as it says, and no more.
    eventually("the others are closed", lambda: board.descriptors() < 32 + 40)
    # What the heap keeps of many short connections: of 6,000 as much as of 40,000.
    assert board.memory() - before < (16 if count <= 1000 else 48) << 10
    for link in slow:
        link.close()
    assert board.ask("/").status == 200
    # The reader was there before, and still is.
    assert reader.answer.fp is not None


def test_readers_who_do_not_read_hold_nobody_up(start, folder):
    grants = folder / "grants.yaml"
    board = start("--rig", "demo", "--permissions", str(grants))
    request = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    stuck = [board.raw(request, wait=False) for _ in range(20)]
    reader = board.events()
    reader.next("report")
    before = board.memory()
    for number in range(20):
        word, standing = [("denied", "unmet"), ("allowed", "met")][number % 2]
        (folder / "new").write_text(f"motion: {word}\n")
        os.replace(folder / "new", grants)
        eventually("the change is seen", lambda: standing == next(
            one["standing"] for one in json.loads(board.ask("/report.json").text)["requirements"]
            if one["id"] == "motion"))
    newest = board.events().next("report")
    while reader.next("report")["id"] != newest["id"]:
        pass
    assert board.memory() - before < 24 << 10
    for link in stuck:
        link.close()


HOSTILE = "<script>alert(1)</script>\\\"><img src=x onerror=alert(2)>\u202e'&amp;"


def test_what_a_device_calls_itself_is_text(start, folder):
    recording = (ROOT / "Sources/LocalRig/Rigs/demo.jsonl").read_text()
    assert '"text":"bmi160\\n"' in recording
    hostile = recording.replace('"text":"bmi160\\n"', json.dumps({"text": HOSTILE + "\ndata: x\n\nevent: y\n"})[1:-1])
    (folder / "hostile.jsonl").write_text(hostile)
    board = start("--rig", str(folder / "hostile.jsonl"))
    for text in (board.ask("/").text, board.events().next("report")["data"]):
        page = Page(text)
        assert "img" not in page.elements and page.elements.count("script") == text.count('src="board.js"')
        assert not any(name.startswith("on") for name, _ in page.attributes)
        assert "&lt;script&gt;" in text and "\u202e" not in text
    assert json.loads(board.ask("/report.json").text)["schema"] == "rigready.report/1"
