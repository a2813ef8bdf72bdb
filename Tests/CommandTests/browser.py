"""Opens pages in headless Chromium through its DevTools protocol, and tells what a person would meet there.

Reads a JSON list of {"page", "width", "scheme", "screenshot", "until", "seconds"}, the last three optional, from standard input and
prints a JSON list of what was seen of each: at once, or when the expression "until" holds in the page, for a minute or so many seconds at
most. The first argument is the browser, the second a folder for its profile, the third axe.min.js or "".
Source: https://chromedevtools.github.io/devtools-protocol/, --remote-debugging-pipe.
"""
import base64, json, os, subprocess, sys, time

browser, folder, axe = sys.argv[1:4]
to_browser, from_here = os.pipe()
to_here, from_browser = os.pipe()


def descriptors():
    # The browser reads commands from 3 and writes answers to 4.
    read, write = os.dup(to_browser), os.dup(from_browser)
    os.dup2(read, 3)
    os.dup2(write, 4)


chromium = subprocess.Popen(
    [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
     "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--mute-audio",
     "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
    preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
os.close(to_browser)
os.close(from_browser)
buffer, number, events = b"", 0, []


def receive():
    global buffer
    while b"\0" not in buffer:
        more = os.read(to_here, 1 << 16)
        if not more:
            sys.exit("the browser has ended")
        buffer += more
    message, buffer = buffer.split(b"\0", 1)
    return json.loads(message)


def ask(method, session=None, **parameters):
    global number
    number += 1
    message = {"id": number, "method": method, "params": parameters}
    if session:
        message["sessionId"] = session
    os.write(from_here, json.dumps(message).encode() + b"\0")
    while True:
        answer = receive()
        if answer.get("id") == number:
            if "error" in answer:
                sys.exit(f"{method}: {answer['error']['message']}")
            return answer["result"]
        events.append(answer)


def wait(method, session):
    while True:
        for event in events:
            if event.get("method") == method and event.get("sessionId") == session:
                return event
        events.append(receive())


def look(page, width, scheme, screenshot=None, until=None, seconds=60):
    target = ask("Target.createTarget", url="about:blank")["targetId"]
    session = ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    ask("Page.enable", session)
    ask("Network.enable", session)
    ask("Emulation.setDeviceMetricsOverride", session, width=width, height=900, deviceScaleFactor=1, mobile=False)
    ask("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
    events.clear()
    ask("Page.navigate", session, url=page)
    wait("Page.loadEventFired", session)

    def value(expression):
        answer = ask("Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{page}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    end = time.monotonic() + seconds
    while until and not value(until):
        if time.monotonic() > end:
            sys.exit(f"{page}: never {until}; it shows: {value('document.title')}: {value('document.body.innerText')[:2000]}")
        time.sleep(0.1)
    seen = {
        "page": page, "width": width, "scheme": scheme,
        "overflow": value("document.documentElement.scrollWidth - innerWidth"),
        "text": value("document.body.innerText"), "scripts": value("document.scripts.length"),
        "touched": value("typeof attacked !== 'undefined'"),
        "strangers": value("document.querySelectorAll('script, img, iframe, object, embed, link, form, [onclick], [onerror]').length"),
        "ground": value("getComputedStyle(document.body).backgroundColor"),
        "requests": sum(event.get("method") == "Network.requestWillBeSent" for event in events),
        "dialogs": sum(event.get("method") == "Page.javascriptDialogOpening" for event in events),
        # What a screen reader has: the rows' headings and the cells beside them.
        "headings": [], "violations": None,
    }
    for node in ask("Accessibility.getFullAXTree", session)["nodes"]:
        if node.get("role", {}).get("value") == "rowheader":
            seen["headings"].append(node.get("name", {}).get("value", ""))
    if screenshot:
        shot = ask("Page.captureScreenshot", session, format="png")
        with open(screenshot, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
    if axe:
        with open(axe, encoding="utf-8") as file:
            value(file.read() + "; null")
        found = value("axe.run(document).then(r => JSON.stringify(r.violations.map(v => "
                      "v.id + ': ' + v.nodes.map(n => n.html).join(' ').slice(0, 300))))")
        seen["violations"] = json.loads(found)
    ask("Target.closeTarget", targetId=target)
    return seen


try:
    print(json.dumps([look(**one) for one in json.load(sys.stdin)]))
finally:
    chromium.kill()
    chromium.wait()
