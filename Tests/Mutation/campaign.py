"""A mutation campaign: all mutants are compiled at once behind a switch, then run one by one. See Scripts/mutate."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import sites

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build-mutate"
PACKAGE = SCRATCH / "package"
TESTS = PACKAGE / ".build/debug/rigreadyPackageTests.xctest"
SURVIVORS = ROOT / "Tests/Mutation/survivors.md"
# The modules that decide.
MODULES = {
    **{name: f"Sources/{name}" for name in ("Readiness", "LocalRig", "Measurement", "Rendering", "Fleet", "rigready")},
    **{name: f"Drivers/{name}" for name in ("IIO", "GPSD", "Bluetooth", "Evdev")},
    **{name: f"Sources/Phone/{name}" for name in ("PhoneKit", "RigBluetooth", "RigHealth", "RigLocation", "RigMotion")},
}
# Suites that measure the program or its files, take minutes, or build packages.
SKIPPED = re.compile(
    r"HardwareTests|Allocation|Cost|Linkage|Layout|Endurance|Hostile(File|GPSD|IIOD|Sysfs)|Exhaustion|Installation|DriverExample|LibraryExample"
)
# What tells whether a mutant is the one selected: RIGREADY_MUTATION is its identity, or a file that receives the
# identity of each mutant that is reached.
SWITCH = """import Glibc

private let selection = unsafe getenv("RIGREADY_MUTATION").map { unsafe String(cString: $0) } ?? ""
private let selected = Int(selection, radix: 16)
// One byte for each possible identity; only the pages of those that are reached take memory.
nonisolated(unsafe) private let reached = unsafe selection.hasPrefix("/") ? calloc(1 << 28, 1) : nil

func mutated(_ identity: Int) -> Bool {
    if let reached = unsafe reached?.assumingMemoryBound(to: Bool.self), unsafe !reached[identity] {
        unsafe reached[identity] = true
        let file = unsafe open(selection, O_WRONLY | O_APPEND | O_CLOEXEC)
        let line = Array("\\(String(identity, radix: 16))\\n".utf8)
        _ = unsafe write(file, line, line.count)
        close(file)
    }
    return identity == selected
}
"""


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def die(message):
    sys.exit(f"mutate: {message}")


def stored(name, default):
    path = SCRATCH / name
    return json.loads(path.read_text()) if path.exists() else default


def store(name, value):
    """Replaces the file as a whole: a campaign that is interrupted goes on with what it had."""
    new = SCRATCH / f"{name}.new"
    new.write_text(json.dumps(value, indent=1, sort_keys=True))
    new.replace(SCRATCH / name)


# Selection


def all_sites():
    found = []
    for module, folder in MODULES.items():
        for path in sorted((ROOT / folder).rglob("*.swift")):
            file = str(path.relative_to(ROOT))
            found += sites.sites(module, file, path.read_text())
    return found


def selection(options, refused):
    """The sites of a campaign: drawn by the seed, shared out by the roots of the modules' sizes, one on a line at most."""
    found = [site for site in all_sites() if site.id not in refused]
    if options.only:
        chosen = [site for site in found if site.id in options.only]
        if missing := set(options.only) - {site.id for site in chosen}:
            die(f"no site {' '.join(sorted(missing))}")
        return chosen
    modules = collections.defaultdict(list)
    for site in found:
        if not options.module or site.module in options.module:
            modules[site.module].append(site)
    total = sum(len(own) ** 0.5 for own in modules.values())
    chosen = []
    for module, own in modules.items():
        # By its hash, a site is drawn again after a change elsewhere.
        own.sort(key=lambda site: hashlib.sha1(f"{options.seed} {site.id}".encode()).hexdigest())
        share = round(options.count * len(own) ** 0.5 / total)
        taken = []
        for site in own:
            if len(taken) == share:
                break
            if all(site.file != other.file or apart(site, other) for other in taken):
                taken.append(site)
        chosen += taken
    return chosen


def apart(one, other):
    """Whether no line has a part of both sites."""
    return one.last_line < other.line or other.last_line < one.line


# Building


def copy_package(chosen):
    """Makes the package's copy with its mutants; leaves what is unchanged untouched, so that it is not built again."""
    by_file = collections.defaultdict(list)
    for site in chosen:
        by_file[site.file].append(site)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    wanted = {}
    for file in filter(None, listed.split("\0")):
        path = ROOT / file
        if path.is_symlink() or path.is_file():
            wanted[file] = path.read_bytes()
    for file, own in by_file.items():
        wanted[file] = sites.mutate(wanted[file].decode(), own).encode()
    for folder in MODULES.values():
        wanted[f"{folder}/Mutation.swift"] = SWITCH.encode()
    # A mutated condition may be one that the compiler warns of.
    wanted["Package.swift"] = wanted["Package.swift"].replace(b".treatAllWarnings(as: .error),", b"")
    if (ROOT / "Package.resolved").exists():
        wanted["Package.resolved"] = (ROOT / "Package.resolved").read_bytes()
    for path in PACKAGE.rglob("*"):
        file = str(path.relative_to(PACKAGE))
        if path.is_file() and not file.startswith((".build/", ".git/")) and file not in wanted:
            path.unlink()
    for file, content in wanted.items():
        path = PACKAGE / file
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if (ROOT / file).exists():
                shutil.copymode(ROOT / file, path)


def build(chosen, refused):
    """Builds the mutants; those that do not compile are added to `refused`. Returns the rest."""
    for attempt in range(1, 41):
        chosen = [site for site in chosen if site.id not in refused]
        copy_package(chosen)
        say(f"Building {len(chosen)} mutants, attempt {attempt}")
        log = SCRATCH / "build.log"
        with log.open("w") as output:
            status = subprocess.run(
                ["swift", "build", "--build-tests", "-j", "2"], cwd=PACKAGE, stdout=output, stderr=subprocess.STDOUT
            ).returncode
        if status == 0:
            return chosen
        text = log.read_text()
        places = set(re.findall(rf"^{re.escape(str(PACKAGE))}/([^:\n]+):(\d+):\d+: error:", text, re.M))
        before = len(refused)
        for file, line in places:
            refused |= culprits([site for site in chosen if site.file == file], file, int(line))
        if len(refused) == before:
            say("\n".join(text.split("\n")[-40:]))
            die(f"the mutants do not build; see {log}")
        store("refused.json", sorted(refused))
    die("the mutants do not build")


def culprits(own, file, line):
    """The sites that an error on a line comes from: those on the line, else those of the same function, else the nearest."""
    there = [site for site in own if site.line <= line <= site.last_line]
    if not there:
        text = (ROOT / file).read_text()
        mask = sites.masked(text)
        lines = lambda block: (text.count("\n", 0, block[0]) + 1, text.count("\n", 0, block[1]) + 1)
        around = [lines(block) for block in sites.functions(mask) if block[2]]
        for first, last in sorted((span for span in around if span[0] <= line <= span[1]), key=lambda s: s[1] - s[0]):
            there = [site for site in own if first <= site.line <= last]
            if there:
                break
    if not there and own:
        there = [min(own, key=lambda site: abs(site.line - line))]
    return {site.id for site in there}


# Running


def limits():
    # A mutant may allocate, or write, without end. The address space has no limit: a browser reserves terabytes of it.
    resource.setrlimit(resource.RLIMIT_DATA, (16 << 30, 16 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_suites(suites, value, limit):
    """Runs suites with a mutant. Returns the status, None if they took too long, and what they printed."""
    with tempfile.TemporaryDirectory(prefix="rigready-mutate-") as home:
        environment = {
            **os.environ, "RIGREADY_MUTATION": value, "SWIFT_BACKTRACE": "enable=no", "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/config",
        }
        pattern = "^(" + "|".join(re.escape(suite) for suite in suites) + ")/"
        with tempfile.TemporaryFile() as output:
            # The shell leads the session: of a leader, the first terminal that it opens becomes its own.
            process = subprocess.Popen(
                ["/bin/sh", "-c", '"$@"; exit $?', "sh", TESTS, "--testing-library", "swift-testing", "--filter", pattern],
                cwd=PACKAGE, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=limits,
            )
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            end_session(process)
            output.seek(0)
            return status, output.read().decode(errors="replace")


def end_session(process):
    """Kills the test process and what it has started and left."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                session = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[3])
                if session == process.pid:
                    os.kill(int(entry.name), signal.SIGKILL)
            except (OSError, IndexError):
                pass
    process.wait()


def list_suites():
    listed = subprocess.run(
        [TESTS, "--testing-library", "swift-testing", "--list-tests"], cwd=PACKAGE, capture_output=True, text=True
    ).stdout
    suites = {line.split("/")[0].strip() for line in listed.splitlines() if "/" in line}
    return sorted(suite for suite in suites if not SKIPPED.search(suite))


def digest(test_target):
    """Tells whether a suite must be measured again: its own target, what all share, and the mutants."""
    found = hashlib.sha1()
    for folder in ("Sources", "Drivers", "Tests/Support", "Tests/PhoneSupport", "Tests/CaptureSupport", f"Tests/{test_target}"):
        for path in sorted((PACKAGE / folder).rglob("*.swift")):
            found.update(path.read_bytes())
    return found.hexdigest()


def measure(options):
    """Runs each suite without a mutant: it must pass. Returns its time and the mutants that it reaches."""
    known = stored("baseline.json", {})
    suites = [suite for suite in list_suites() if not options.suites or re.search(options.suites, suite)]
    digests = {target: digest(target) for target in {suite.split(".")[0] for suite in suites}}
    baseline, failed, lock = {}, [], threading.Lock()

    def look(suite):
        held = known.get(suite)
        if not held or held["digest"] != digests[suite.split(".")[0]]:
            with tempfile.NamedTemporaryFile(prefix="rigready-reached-") as reached:
                started = time.monotonic()
                status, output = run_suites([suite], reached.name, 600)
                identities = sorted({line.zfill(7) for line in Path(reached.name).read_text().split()})
            held = {
                "digest": digests[suite.split(".")[0]], "seconds": round(time.monotonic() - started, 2),
                "reached": identities,
            }
            if status != 0:
                failed.append(suite)
                return say(f"{suite} fails without a mutant:\n" + "\n".join(output.split("\n")[-30:]))
            with lock:
                known[suite] = held
                store("baseline.json", known)
        baseline[suite] = held

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(look, suites))
    if failed:
        die(f"without a mutant these fail: {' '.join(failed)}")
    say(f"{len(baseline)} suites pass without a mutant, in {sum(each['seconds'] for each in baseline.values()):.0f} s")
    return baseline


def batches(site, baseline, budget):
    """The suites that reach a mutant: those of its module, then the fastest up to the budget of seconds; together where
    they are fast."""
    reaching = [suite for suite, held in baseline.items() if site.id in held["reached"]]
    own = f"{site.module}Tests."
    reaching.sort(key=lambda suite: (not suite.startswith(own), baseline[suite]["seconds"]))
    batch, taken, spent, found = [], 0, 0, []
    for suite in reaching:
        seconds = baseline[suite]["seconds"]
        if spent and spent + seconds > budget and not suite.startswith(own):
            continue
        if batch and taken + seconds > 3:
            found.append((batch, taken))
            batch, taken = [], 0
        batch.append(suite)
        taken += seconds
        spent += seconds
    return found + ([(batch, taken)] if batch else [])


def run_mutant(site, baseline, budget):
    """Whether a mutant is killed, and by which test."""
    planned = batches(site, baseline, budget)
    if not planned:
        return {"killed": False, "by": "reached by no test"}
    for suites, seconds in planned:
        status, output = run_suites(suites, site.id, 30 + 10 * seconds)
        if status is None:
            return {"killed": True, "by": f"a hang of {suites[0]}"}
        if status != 0:
            test = re.search(r"✘ Test (.*?) (?:recorded an issue|failed)", output)
            return {"killed": True, "by": test.group(1) if test else f"status {status} of {suites[0]}"}
    return {"killed": False, "by": f"passed {sum(len(suites) for suites, _ in planned)} suites"}


# Reporting


def explained():
    """The mutants that survivors.md gives a reason for: equivalent ones, and those that stay."""
    if not SURVIVORS.exists():
        return {}, {}
    text = SURVIVORS.read_text()
    equivalent, _, staying = text.partition("## Surviving")
    ids = lambda part: dict.fromkeys(re.findall(r"^\| `([0-9a-f]{7})` \|", part, re.M))
    return ids(equivalent), ids(staying)


def table(chosen, results):
    equivalent, staying = explained()
    rows = [["module", "mutants", "killed", "equivalent", "surviving", "killed of those not equivalent"]]
    total = collections.Counter()
    for module in MODULES:
        own = [site for site in chosen if site.module == module and site.id in results]
        if not own:
            continue
        count = collections.Counter()
        for site in own:
            count["mutants"] += 1
            kind = "killed" if results[site.id]["killed"] else "equivalent" if site.id in equivalent else "surviving"
            count[kind] += 1
        total += count
        rows.append(row(module, count))
    rows.append(row("all", total))
    rows.insert(1, ["---"] + ["---:"] * 5)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def row(name, count):
    deciding = count["mutants"] - count["equivalent"]
    share = f"{100 * count['killed'] // deciding} %" if deciding else "–"
    return [name] + [str(count[key]) for key in ("mutants", "killed", "equivalent", "surviving")] + [share]


def main():
    parser = argparse.ArgumentParser(prog="Scripts/mutate", description=__doc__)
    parser.add_argument("--count", type=int, default=330, help="how many mutants (default 330)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (default 1)")
    parser.add_argument("--module", action="append", choices=list(MODULES), help="only in this module (repeatable)")
    parser.add_argument("--only", action="append", metavar="ID", help="only this mutant (repeatable)")
    parser.add_argument("--survivors", action="store_true", help="only those not killed before, the ones that never ran first")
    parser.add_argument("--suites", metavar="REGEX", help="only these test suites")
    parser.add_argument("--budget", type=float, default=60, help="seconds of suites for each mutant (default 60)")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at a time (default 1)")
    parser.add_argument("--list", action="store_true", help="print the mutants, and build nothing")
    options = parser.parse_args()

    os.nice(max(0, 19 - os.nice(0)))
    PACKAGE.mkdir(parents=True, exist_ok=True)
    refused = set(stored("refused.json", []))
    chosen = selection(options, refused)
    if options.list:
        for site in chosen:
            print(f"{site.id}  {site.file}:{site.line} {site.function}: {site.what}")
        return
    chosen = build(chosen, refused)
    # Others are drawn instead of what did not compile.
    while len(again := selection(options, refused)) > len(chosen):
        chosen = build(again, refused)
    baseline = measure(options)
    results = stored("results.json", {})
    equivalent, staying = explained()
    todo = [
        site for site in chosen
        if not options.survivors or (site.id not in equivalent and not results.get(site.id, {}).get("killed"))
    ]
    todo.sort(key=lambda site: site.id in results)
    say(f"Running {len(todo)} mutants, seed {options.seed}")

    lock = threading.Lock()

    def run(site):
        result = run_mutant(site, baseline, options.budget)
        outcome = "killed" if result["killed"] else "equivalent" if site.id in equivalent else "SURVIVED"
        with lock:
            results[site.id] = result
            print(f"{outcome:10} {site.id}  {site.file}:{site.line} {site.function}: {site.what} ({result['by']})", flush=True)
            store("results.json", results)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, todo))
    print(table(chosen, results))
    unexplained = [
        site.id for site in chosen
        if not results[site.id]["killed"] and site.id not in equivalent and site.id not in staying
    ]
    if unexplained:
        die(f"survivors without a reason in Tests/Mutation/survivors.md: {' '.join(unexplained)}")


if __name__ == "__main__":
    main()
