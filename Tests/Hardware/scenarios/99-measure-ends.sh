# A measurement ends MEASURE_ENDS times at random moments: by a signal, a device unplugged, its peer killed. Each time all settings are as
# before, those of a second hub too, which stays.
sensors() { [ "$(ls -d $HUB/HID-SENSOR-20007[36].*/iio:device*/name 2>/dev/null | wc -l)" -eq "$1" ]; }
hubs() { wait_for 30 sensors "$1" || die "there are not $1 sensors"; settle; }
modprobe uhid || die "uhid does not load"
start steady /usr/bin/hub accel gyro short
hubs 2
start plugged /usr/bin/hub accel gyro short
hubs 4
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
count=${MEASURE_ENDS:-18}
settings() {
    local device file
    # A trigger has the number of its device in its name, which may be another after a replug.
    for device in $HUB/HID-SENSOR-20007[36].*/iio:device*; do
        for file in "$device"/buffer/enable "$device"/buffer/length "$device"/buffer/watermark "$device"/scan_elements/*_en \
            "$device"/trigger/current_trigger "$device"/in_*_sampling_frequency; do echo "${file##*/} $(sed 's/-dev[0-9]*$//' "$file")"; done
    done
}
as_before() { settings | cmp -s - "$1" || { settings | diff "$1" - >&2; wrong "end $turn, $kind: not as before"; }; }
random() { od -An -N2 -tu2 /dev/urandom | tr -d ' '; }
settings > /run/bench/case/before
head -n $(( $(wc -l < /run/bench/case/before) / 2 )) /run/bench/case/before > /run/bench/case/before-steady
# Common signals, and of the others that end a process one of each sort; 34 is the first one of real time.
kinds="TERM INT HUP QUIT PROF IO 34 unplugged gpsd"
: > /run/bench/case/ends
turn=0
while [ "$turn" -lt "$count" ]; do
    set -- $kinds; shift $(( turn % 9 )); kind=$1
    seconds=60
    case $kind in unplugged|gpsd) seconds=3 ;; esac
    LD_LIBRARY_PATH=/share/lib start ended /share/afresh /share/rigready measure --for "$seconds" --rate 20
    usleep $(( $(random) * 61 ))      # up to four seconds: the probe, the begin, the capture
    case $kind in
    unplugged) stop plugged; wait_for 5 sensors 2 || die "the hub is still there" ;;
    gpsd) stop gpsd ;;
    *) kill "-$kind" "$(pid ended)" ;;
    esac
    wait_for 20 gone "/proc/$(pid ended)/exe" || wrong "end $turn, $kind: the program does not end"
    wait "$(pid ended)" 2>/dev/null && status=0 || status=$?
    # Whether a signal came while it captured.
    moment=
    ! grep -q 'judged by what was captured' /run/bench/ended.log || moment=capture
    case $kind in
    unplugged)
        as_before /run/bench/case/before-steady
        start plugged /usr/bin/hub accel gyro short
        hubs 4 ;;
    gpsd) gpsd_start -n /dev/ttyACM0 ;;
    esac
    as_before /run/bench/case/before
    echo "$kind $status $moment" >> /run/bench/case/ends
    turn=$(( turn + 1 ))
done
stop plugged
stop steady
sort /run/bench/case/ends | uniq -c > /host/results/measure-ends.txt
