"use strict";
// Keeps the board's page current: the new <main> at each change, and the signals of the last ten seconds.
// The events come from /events, or in Cockpit from a process; see Documentation/board.md.
(() => {
  const SECONDS = 10, PALETTE = ["--good", "--link", "--doubtful"], DASHES = [[], [6, 3], [2, 3]];
  const signals = new Map();
  const element = (name, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  };
  const verdicts = (main) => new Map([...main.querySelectorAll("section[aria-labelledby=services] tbody tr")]
    .map((row) => [row.cells[0].textContent.trim(), row.cells[1].textContent.replace(/^\W+/, "").trim()]));

  // A button beside each command, since a touch screen selects badly.
  function addCopyButtons(main) {
    for (const code of main.querySelectorAll("code.command")) {
      const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
      button.setAttribute("aria-label", `Copy: ${code.textContent}`);
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(code.textContent);
        } catch {
          // Without HTTPS there is no clipboard but for what is selected.
          getSelection().selectAllChildren(code);
          document.execCommand("copy");
        }
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      code.after(button);
    }
  }

  // Replaces the sections that differ, so that what a reader has focused or selected elsewhere stays.
  function show(html) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    if (!next) return;
    const main = document.querySelector("main");
    const before = verdicts(main), after = verdicts(next);
    addCopyButtons(next);
    const parts = (node) => [...node.querySelectorAll(":scope > header, section")];
    const old = parts(main), fresh = parts(next);
    const name = (node) => node.getAttribute("aria-labelledby") ?? node.tagName;
    if (old.length === fresh.length && old.every((node, index) => name(node) === name(fresh[index]))) {
      old.forEach((node, index) => {
        if (node.innerHTML !== fresh[index].innerHTML) node.replaceWith(fresh[index]);
      });
    } else {
      main.replaceWith(next);
    }
    const tally = document.querySelector(".tally")?.textContent ?? "";
    document.title = `${document.querySelector("h1").textContent}: ${tally.replace(/^\W+/, "")}`;
    const changed = [...after].filter(([service, verdict]) => before.has(service) && before.get(service) !== verdict);
    if (changed.length) {
      document.getElementById("spoken").textContent =
        [tally, ...changed.map(([service, verdict]) => `${service} ${verdict}`)].join("; ");
    }
  }

  // Signals: a figure each, with the numbers as text beside the drawing.
  function figure(id, title, kind) {
    let signal = signals.get(id);
    if (!signal) {
      const canvas = element("canvas"), values = element("span", { className: "values" });
      canvas.setAttribute("role", "img");
      const node = element("figure", { className: `signal ${kind}` },
        element("figcaption", {}, element("strong", { textContent: title }), " ", values), canvas);
      document.getElementById("signals").append(node);
      document.getElementById("signals").hidden = false;
      signal = { node, canvas, values, samples: [], title, at: 0 };
      signals.set(id, signal);
    }
    signal.at = performance.now();
    return signal;
  }

  function paper(canvas) {
    const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height, colour: (name) => style.getPropertyValue(name) };
  }

  // Each pixel has the least and the greatest value of its time, so that no peak is lost.
  function drawMotion(signal) {
    const { context, width, height, colour } = paper(signal.canvas);
    const samples = signal.samples, end = samples.at(-1)[0], start = end - SECONDS * 1000;
    const all = samples.flatMap((sample) => sample.slice(1)).filter((value) => value !== null);
    let low = Math.min(...all), high = Math.max(...all);
    const margin = Math.max((high - low) * 0.1, 0.02);
    [low, high] = [low - margin, high + margin];
    const y = (value) => height - (value - low) / (high - low) * height;
    const numbers = [];
    ["x", "y", "z"].forEach((axis, index) => {
      const columns = new Map();
      for (const sample of samples) {
        const value = sample[index + 1];
        if (value === null) continue;
        const x = Math.floor((sample[0] - start) / (SECONDS * 1000) * width);
        const column = columns.get(x);
        columns.set(x, column ? [Math.min(column[0], value), Math.max(column[1], value)] : [value, value]);
      }
      if (!columns.size) return;
      context.strokeStyle = colour(PALETTE[index]);
      context.lineWidth = 1.5;
      context.setLineDash(DASHES[index]);
      context.beginPath();
      // The first one begins the line.
      for (const [x, [least, most]] of columns) {
        context.lineTo(x, y(most));
        context.lineTo(x, y(least));
      }
      context.stroke();
      numbers.push(`${axis} ${samples.at(-1)[index + 1].toFixed(3)}`);
    });
    signal.values.textContent = `${numbers.join("  ")} ${signal.unit}`;
    signal.canvas.setAttribute("aria-label",
      `${signal.title}, the last ${SECONDS} seconds: between ${low.toFixed(2)} and ${high.toFixed(2)} ${signal.unit}`);
  }

  // The sky as seen from below, north above, the horizon outside; beside it a bar for each signal.
  function drawSky(signal, satellites) {
    const { context, width, height, colour } = paper(signal.canvas);
    const radius = height / 2 - 16, middle = height / 2, bars = satellites.filter((one) => one.signal !== null);
    context.strokeStyle = colour("--line");
    context.fillStyle = colour("--ink");
    context.font = "11px sans-serif";
    context.textAlign = "center";
    for (const share of [1, 2 / 3, 1 / 3]) {
      context.beginPath();
      context.arc(middle, middle, radius * share, 0, 2 * Math.PI);
      context.stroke();
    }
    context.fillText("N", middle, 11);
    for (const one of satellites) {
      if (one.elevation === null || one.azimuth === null) continue;
      const distance = radius * (90 - Math.max(one.elevation, 0)) / 90, angle = one.azimuth * Math.PI / 180;
      const x = middle + distance * Math.sin(angle), y = middle - distance * Math.cos(angle);
      context.fillStyle = context.strokeStyle = colour(one.used ? "--good" : "--faint");
      context.beginPath();
      context.arc(x, y, 5, 0, 2 * Math.PI);
      if (one.used) context.fill(); else context.stroke();
      if (one.number !== null) context.fillText(one.number, x, y - 7);
    }
    const left = height + 8, step = Math.min(26, (width - left) / Math.max(bars.length, 1));
    bars.forEach((one, index) => {
      const tall = (height - 32) * Math.min(one.signal, 55) / 55, x = left + index * step;
      context.fillStyle = context.strokeStyle = colour(one.used ? "--good" : "--faint");
      if (one.used) context.fillRect(x, height - 16 - tall, step * 0.7, tall);
      else context.strokeRect(x, height - 16 - tall, step * 0.7, tall);
      context.fillText(Math.round(one.signal), x + step * 0.35, height - 20 - tall);
      if (one.number !== null) context.fillText(one.number, x + step * 0.35, height - 4);
    });
    const used = satellites.filter((one) => one.used).length;
    const strongest = Math.max(...bars.map((one) => one.signal));
    const words = `${satellites.length} seen, ${used} used` + (bars.length ? `, strongest ${strongest} dB-Hz` : "");
    signal.values.textContent = words;
    signal.canvas.setAttribute("aria-label", `${signal.title}: ${words}`);
  }

  function take(event) {
    for (const one of event.motion) {
      const signal = figure(one.id, `${one.kind} ${one.name}`, "motion");
      // The clock of a new reading begins again.
      if (signal.samples.length && one.samples[0][0] < signal.samples.at(-1)[0]) signal.samples = [];
      signal.unit = one.unit;
      signal.samples.push(...one.samples);
      const start = signal.samples.at(-1)[0] - SECONDS * 1000;
      signal.samples = signal.samples.slice(Math.max(signal.samples.findIndex((sample) => sample[0] >= start), 0));
      signal.isNew = true;
    }
    for (const one of event.sky) {
      const signal = figure(one.id, one.name, "sky");
      signal.satellites = one.satellites;
      signal.isNew = true;
    }
    for (const one of event.failures) figure(one.id, one.id, "motion").values.textContent = one.reason;
    schedule();
  }

  // Drawn with the screen when there is something new, four times a second for who wants little motion.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let isDue = false, pruning = 0;
  function schedule() {
    clearTimeout(pruning);
    pruning = setTimeout(draw, SECONDS * 1000 + 500);
    if (isDue) return;
    isDue = true;
    if (still.matches) setTimeout(() => requestAnimationFrame(draw), 250); else requestAnimationFrame(draw);
  }
  function draw() {
    isDue = false;
    for (const [id, signal] of signals) {
      if (performance.now() - signal.at > SECONDS * 1000) {
        signal.node.remove();
        signals.delete(id);
      } else if (signal.isNew) {
        signal.isNew = false;
        if (signal.satellites) drawSky(signal, signal.satellites); else drawMotion(signal);
      }
    }
    document.getElementById("signals").hidden = signals.size === 0;
  }

  function connection(words, isLost) {
    const node = document.getElementById("connection");
    if (node.textContent !== words) node.textContent = words;
    node.classList.toggle("lost", isLost);
  }

  const handlers = { report: show, signal: (data) => take(JSON.parse(data)) };
  const words = {
    open: "This page follows the rig.",
    lost: "The connection is lost; the page shows the last state and tries again.",
    renewed: "rigready-web was started again: open the address that it has printed.",
    away: "rigready-web does not answer: systemctl start rigready-web",
    refused: "rigready-web asks for a secret. Turn on administrative access in Cockpit, or join the group iio; "
      + "its ExecStart needs --socket /run/rigready-web/socket (systemctl edit rigready-web).",
  };

  // Inside Cockpit the events come from a process on the machine: its login is the permission, its channel the transport.
  // The Unix socket needs no secret, but the group iio or administrative access; the address may need one.
  const PLACES = [
    { words: ["--unix-socket", "/run/rigready-web/socket", "http://localhost/events"], superuser: "try" },
    { words: ["http://127.0.0.1:8710/events"] },
  ];
  function ask(cockpit, { words: place, superuser }) {
    let rest = "";
    const process = cockpit.spawn(["curl", "-sSfN", ...place], { err: "message", superuser });
    process.stream((data) => {
      connection(words.open, false);
      const events = (rest + data).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const fields = event.split("\n").map((line) => line.split(/: ?(.*)/s));
        const name = fields.find(([field]) => field === "event")?.[1];
        handlers[name]?.(fields.filter(([field]) => field === "data").map(([, value]) => value).join("\n"));
      }
    });
    return process;
  }
  function spawn(cockpit) {
    let isClosed = false, process = null;
    async function follow() {
      let isRefused = false;
      for (const place of PLACES) {
        if (isClosed) return;
        process = ask(cockpit, place);
        try {
          await process;
        } catch (error) {
          isRefused ||= /\b401\b/.test(error.message);
        }
      }
      if (!isClosed) connection(isRefused ? words.refused : words.away, true);
    }
    return { close: () => { isClosed = true; process?.close(); }, closed: follow() };
  }

  function listen() {
    const source = new EventSource("events");
    source.addEventListener("open", () => connection(words.open, false));
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(event.data));
    }
    source.addEventListener("error", async () => {
      if (source.readyState !== EventSource.CLOSED) return connection(words.lost, true);
      // The source itself does not tell why it was refused.
      const answer = await fetch("events", { method: "HEAD" }).catch(() => null);
      connection(answer?.status === 401 ? words.renewed : words.lost, true);
      setTimeout(connect, 5000);
    });
    return source;
  }

  // While nobody sees the page it asks for nothing, so that no sensor is read.
  let source = null;
  function connect() {
    source?.close();
    source = null;
    if (document.hidden) return;
    source = globalThis.cockpit ? spawn(globalThis.cockpit) : listen();
    source.closed?.finally(() => setTimeout(() => { if (!document.hidden) connect(); }, 5000));
  }

  addCopyButtons(document.querySelector("main"));
  document.addEventListener("visibilitychange", connect);
  connect();
})();
