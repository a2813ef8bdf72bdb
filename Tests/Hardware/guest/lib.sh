# The bench's core: running scenarios, waiting, reporting, cleaning up. Read by init and by every scenario.
# The state of a scenario is in /run/bench: pids/NAME for a process, failed for a failed setup.
mkdir -p /run/bench /host/results/recordings
for part in motion bluetooth location debian; do . /share/$part.sh; done

say() { echo "bench: $*" >/dev/console; }

# die MESSAGE: the scenario could not create the state that it claims to show
die() { say "$SCENARIO: $*"; echo "$SCENARIO: $*" >> /host/results/failed; exit 1; }
# wrong MESSAGE: the same where it is the program's answer that is missing or wrong; such a scenario is not repeated
wrong() { echo "$SCENARIO" >> /host/results/wrong; die "$@"; }

# read_uptime: NOW becomes the milliseconds since boot, in steps of 10; uptime_ms prints them
read_uptime() { local up; read -r up _ < /proc/uptime; NOW=$(( ${up%.*} * 1000 + 1${up#*.} % 100 * 10 )); }
uptime_ms() { read_uptime; echo "$NOW"; }

# wait_for SECONDS COMMAND...: until it succeeds; fails at the deadline, three times as long: the emulator's machine may be busy, and how
# fast something is, is shown by benchmarks alone
wait_for() {
    local until pause=40000
    read_uptime; until=$(( NOW + $1 * 3000 )); shift
    until "$@" >/dev/null 2>&1; do
        read_uptime
        [ "$NOW" -lt "$until" ] || return 1
        usleep $pause
        # The emulator pays for each process that asks.
        [ $pause -ge 120000 ] || pause=$(( pause + 8000 ))
    done
}
# seen PATTERN, gone PATTERN...: patterns are quoted by the caller, so that each check expands them anew
seen() { set -- $1; [ -e "$1" ]; }
gone() { local pattern; for pattern; do ! seen "$pattern" || return 1; done; }

# start NAME COMMAND...: in the background, to be ended by `stop NAME` or `clean`
start() {
    local name=$1; shift
    # The shell in the background opens it only when it gets to it: until then who reads it would read what the one before wrote.
    : > "/run/bench/$name.log"
    "$@" >"/run/bench/$name.log" 2>&1 </dev/null &
    echo $! > "/run/bench/pids/$name"
}
pid() { cat "/run/bench/pids/$1"; }
running() { [ -e "/run/bench/pids/$1" ] && [ -d "/proc/$(pid "$1")" ]; }
stop() {
    [ -e "/run/bench/pids/$1" ] || return 0
    kill -KILL "$(pid "$1")" 2>/dev/null || true
    wait_for 5 gone "/proc/$(pid "$1")/exe" || true     # a zombie has no executable any more
    rm -f "/run/bench/pids/$1"
}
settle() { udevadm settle --timeout=30 || die "udev did not settle: $?"; }

# reload_rules: udevd has the rules that are in its folders now. `udevadm control --reload` alone does not show that: once in some hundred
# times a device that was added right after it was handled by the rules of before. A rule of its own shows what udevd has read.
reload_rules() {
    local mark folder=/usr/lib/udev/rules.d
    mark=$(uptime_ms)
    # Complete before it has the name of a rule.
    echo "SUBSYSTEM==\"mem\", KERNEL==\"null\", ENV{BENCH_RULES}=\"$mark\"" > $folder/00-bench.new
    mv $folder/00-bench.new $folder/00-bench.rules
    wait_for 10 rules_in_force "$mark" || die "udevd does not read its rules"
}
rules_in_force() {
    udevadm control --reload
    timeout -s KILL 30 udevadm trigger --settle --action=change --name-match=null
    udevadm info --query=property --name=null | grep -qx "BENCH_RULES=$1"
}
# put_rules FILE...: rules of udevd's, each complete before it has its name
put_rules() {
    local file
    for file; do
        cp "$file" /run/udev/new.rules
        mv /run/udev/new.rules "$RULES/$(basename "$file")"
    done
}

# block MODULE... (with underscores): udev and aliases no longer load it; loading it by name still works, as the remedy says
block() {
    for module; do echo "blacklist $module"; done > /run/modprobe.d/bench.conf
    reload_rules
    for module; do [ ! -d "/sys/module/$module" ] || rmmod "$module" || die "$module cannot be unloaded"; done
}
unblock() { [ -e /run/modprobe.d/bench.conf ] || return 0; rm /run/modprobe.d/bench.conf; reload_rules; }

# Programs that busybox also contains are called by their path: it would run its own.
# report CASE [rigready arguments]: runs the program under test as root and keeps its output.
# The first case of a scenario that records nothing itself is recorded too.
report() { RUNNER=$WRAPPER report_with "$@"; }
# report_as UID CASE [rigready arguments]: as that user, with no capabilities and no groups but its own and $GROUPS_OF_USER
report_as() {
    local user=$1; shift
    RUNNER="/usr/bin/setpriv --reuid=$user --regid=$user --groups=$user${GROUPS_OF_USER:+,$GROUPS_OF_USER} --inh-caps=-all --bounding-set=-all" report_with "$@"
}
WRAPPER=
PROGRAM=/share/rigready
report_with() {
    report_alone "$@"
    grep -qw record "$0" || [ -n "$RECORDED" ] || record_with "$@"
}
RECORDED=
report_alone() {
    local name=$1 begin status=0; shift
    [ ! -e "/host/results/$name.status" ] || die "case $name is reported twice"
    begin=$(uptime_ms)
    cd /run/bench/case      # in memory: the share is slow
    LD_LIBRARY_PATH=/share/lib timeout -s KILL 120 $RUNNER $PROGRAM --format json "$@" >"$name.json" 2>"$name.err" </dev/null || status=$?
    echo "$(( $(uptime_ms) - begin ))" > "$name.ms"
    echo "$status" > "$name.status"
    mv "$name".* /host/results/
    cd /
}

# program NAME: another program than the one under test is copied when the first scenario needs it
program() {
    [ ! -x "/share/$1" ] || return 0
    [ -x "/host/programs/$1" ] || die "the bench was booted without $1"
    cp "/host/programs/$1" /share/
}
# app CASE PROGRAM [arguments]: runs another program as root, and keeps what it prints and its status as CASE.txt
app() {
    local name=$1 program=$2 status=0; shift 2
    program "$program"
    [ ! -e "/host/results/$name.txt" ] || die "case $name is run twice"
    LD_LIBRARY_PATH=/share/lib timeout -s KILL 150 $RUNNER "/share/$program" "$@" >"/run/bench/case/$name.txt" 2>&1 </dev/null || status=$?
    echo "status $status" >> "/run/bench/case/$name.txt"
    mv "/run/bench/case/$name.txt" /host/results/
}
# app_as UID CASE PROGRAM [arguments]: as that user, as report_as does
app_as() {
    local user=$1; shift
    RUNNER="/usr/bin/setpriv --reuid=$user --regid=$user --groups=$user --inh-caps=-all --bounding-set=-all" app "$@"
}
RUNNER=

# watching [rigready arguments]: starts a watch with the program under test, and waits for its first lines
watching() {
    line=0
    start watch env LD_LIBRARY_PATH=/share/lib /share/rigready watch "$@"
    tells 'services fail'
}
# tells PATTERN: the watch prints it after its previous lines; the effects of one event may take two lines
tells() {
    wait_for 30 said "$1" || { keep_lines; wrong "the watch never says '$1' after line $line"; }
    line=$(( line + $(tail -n "+$(( line + 1 ))" /run/bench/watch.log | grep -n -m 1 "$1" | cut -d: -f1) ))
}
said() { tail -n "+$(( line + 1 ))" /run/bench/watch.log | grep -q "$1"; }
# watched: ends the watch; its lines become NAME.txt, after the scenario NN-NAME
watched() {
    kill -TERM "$(pid watch)"
    wait_for 20 gone "/proc/$(pid watch)/exe" || wrong "the watch does not end"
    keep_lines
}
keep_lines() { cp /run/bench/watch.log "/host/results/${SCENARIO#*-}.txt"; }

# with_sudo: the machine has sudo, as most have; it is never run
with_sudo() { printf '#!/bin/sh\nexit 1\n' > /usr/bin/sudo; chmod 755 /usr/bin/sudo; }

# record CASE [rigready arguments]: keeps a recording of the rig, and the report of the same probe, under recordings/
record() { RUNNER=$WRAPPER record_with "$@"; }
record_with() {
    local name=$1; shift
    RECORDED=$name
    cd /run/bench/case
    chmod 777 .
    LD_LIBRARY_PATH=/share/lib timeout -s KILL 120 $RUNNER $PROGRAM record "$PWD/$name.jsonl" --format json "$@" >"$name.json" 2>err </dev/null ||
        die "no recording of $name: $(cat err)"
    mv "$name".* /host/results/recordings/
    : > "/host/results/recordings/$SCENARIO.recorded"
    cd /
}

# clean: removes all hardware and all helpers
clean() {
    local name
    # A scenario that failed may have given it to a user.
    chown 0 /run/bench/case
    motion_clean
    bluetooth_clean
    location_clean
    debian_clean
    for name in /run/bench/pids/*; do [ ! -e "$name" ] || stop "${name##*/}"; done
    rm -f /usr/bin/sudo
    unblock
    if seen "/run/udev/rules.d/*"; then rm /run/udev/rules.d/*; reload_rules; fi
    settle
}

run_scenarios() {
    local file begin state limit isManaged=${1:-}
    # That of a kernel without Bluetooth needs a new machine. Then the longest: a machine that began one of them at the end would keep
    # the others waiting.
    for file in /share/scenarios/00-*.sh /share/scenarios/*-signals.sh /share/scenarios/*-endurance.sh /share/scenarios/*-ends.sh /share/scenarios/*.sh; do
        [ -e "$file" ] || continue
        case $file in *-managed.sh) [ -n "$isManaged" ] || continue ;; *) [ -z "$isManaged" ] || continue ;; esac
        # Another machine runs it, or this one has.
        mkdir "/claimed/$(basename "$file")" 2>/dev/null || continue
        begin=$(uptime_ms) state=ok
        # What a scenario before it wrote there may have the same name.
        rm -rf /run/bench/*
        mkdir /run/bench/pids /run/bench/case
        SCENARIO=$(basename "$file" .sh) timeout -s KILL "${SCENARIO_SECONDS:-480}" sh -euc '. /share/lib.sh; . "$0"' "$file" </dev/null >/run/bench/scenario.log 2>&1 || state=failed
        [ $state = ok ] || { sed 's/^/  | /' /run/bench/scenario.log; echo "$(basename "$file" .sh)" >> /host/results/failed; }
        # Also after a partial failure that nothing waited for.
        ! grep -qsE "^$(basename "$file" .sh)(:|\$)" /host/results/failed || state=failed
        SCENARIO=clean; (clean) </dev/null >/run/bench/scenario.log 2>&1 || { cat /run/bench/scenario.log; state="$state, not cleaned"; echo "$(basename "$file" .sh): clean" >> /host/results/failed; }
        [ "$state" != ok ] || basename "$file" .sh >> /host/results/passed
        echo "bench: $(basename "$file" .sh): $state, $(( ($(uptime_ms) - begin) / 100 ))00 ms"
    done
    [ -n "$isManaged" ] || start_managed
}

# start_managed: if this is the first machine without another scenario, systemd becomes its first process, and runs those that need
# it. It does not come back.
start_managed() {
    ls /share/scenarios/*-managed.sh >/dev/null 2>&1 && mkdir /claimed/managed 2>/dev/null || return 0
    mkdir -p /run/systemd/system
    printf '%s\n' '[Unit]' DefaultDependencies=no > /run/systemd/system/bench.target
    printf '%s\n' '[Unit]' DefaultDependencies=no '[Service]' Type=oneshot TimeoutStartSec=infinity KillMode=none \
        "Environment=PATH=$PATH HOME=/ TERM=dumb LANG=C.UTF-8" \
        "ExecStart=/usr/bin/sh -c 'exec </dev/null >/dev/console 2>&1; . /share/lib.sh; run_managed'" > /run/systemd/system/bench.service
    mkdir -p /run/systemd/system/bench.target.wants
    ln -s ../bench.service /run/systemd/system/bench.target.wants/
    exec /usr/lib/systemd/systemd --unit=bench.target --log-target=kmsg --log-level=notice --show-status=no
}

run_managed() {
    run_scenarios managed
    echo "bench: end after $(cut -d' ' -f1 /proc/uptime) s"
    sync
    umount /host
    poweroff -f
}
