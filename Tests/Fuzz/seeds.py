#!/usr/bin/env python3
"""Makes the seeds of the fuzzers from the recordings: seeds.py RECORDINGS FOLDER writes FOLDER/TARGET/NUMBER."""
import base64
import gzip
import hashlib
import json
import pathlib
import re
import sys

recordings, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def seed(target, content):
    if not content or len(content) > 64 << 10:
        return
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    (place / hashlib.sha1(content).hexdigest()[:16]).write_bytes(content)


for file in sorted(recordings.glob("*.jsonl.gz")):
    whole = gzip.decompress(file.read_bytes())
    header, *entries = [json.loads(line) for line in whole.splitlines()]
    for target in ("recording", "replay", "baseline"):
        seed(target, whole)
    for target in ("grants", "policy"):
        if header.get(target):
            seed(target, header[target]["text"].encode())
    # Names, one after the other, with a byte before that chooses what they become.
    texts = [entry["text"] for entry in entries if 0 < len(entry.get("text", "")) < 100]
    for number, target in enumerate(("textWriter", "junitWriter", "tapWriter", "jsonWriter")):
        seed(target, bytes([number + 5]) + "\0".join(texts[:60]).encode())
    conversations = {}
    for entry in entries:
        name, ask = entry["of"], entry["ask"]
        data = base64.b64decode(entry["base64"]) if "base64" in entry else entry.get("text", "").encode()
        if ask == "receive":
            conversations.setdefault((entry["driver"], name), []).append(data)
        elif ask == "contents" and name.startswith("/sys"):
            end = name.rsplit("/", 1)[1]
            if end == "uevent":
                seed("properties", data)
            elif end == "report_descriptor":
                seed("iioChips", data)
            elif entry["driver"] == "iio":
                seed("iioValues", data)
        elif ask == "contents" and name.startswith("/run/udev"):
            seed("properties", data)
        elif ask == "entries" and "iio:device" in name:
            seed("iioAttributeNames", "\n".join(entry.get("list", [])).encode())
        elif ask == "modules":
            for module in entry.get("list", []):
                seed("iioChips", module.encode())
    for (driver, name), frames in conversations.items():
        if driver == "gpsd":
            for line in b"".join(frames).splitlines():
                seed("json", line)
            # The first byte is the place of the cut between two answers.
            rest = b"".join(frames)
            for cut in (len(frames[0]), len(rest) // 2):
                seed("gpsd", bytes([min(255, cut * 255 // max(1, len(rest)))]) + rest)
        elif "management" in name:
            for frame in frames:
                seed("bluetoothManagement", frame)
        elif driver == "bluetooth":
            for frame in frames:
                seed("bluetoothHCI", frame)
                seed("radioEvent", frame)
        else:
            for frame in frames:
                if b"<context" in frame:
                    seed("iioContext", frame[frame.index(b"<") :])
            seed("iiodAnswers", b"\x40" + b"".join(frames))

# A report is of this version.
release = re.search(r'version = "([^"]*)"', pathlib.Path("Sources/Readiness/Release.swift").read_text())[1]
for file in pathlib.Path("Tests/Fuzz/Seeds/cachedReport").glob("*"):
    seed("cachedReport", re.sub(rb'"version" ?: ?"[^"]*"', b'"version":"%s"' % release.encode(), file.read_bytes(), count=1))
for words in (b"1\n", b"2\n", b"3\n", b"\n", b"allow\n", b"Deny\n", b" o n c e \n", b"-1\n", b"y\n"):
    seed("consentAnswer", b"\x03" + words)
