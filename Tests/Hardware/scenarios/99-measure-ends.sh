# A measurement ends MEASURE_ENDS times at random moments: by a signal, its device unplugged, its peer killed. Each time all settings are as before.
hub start accel gyro short
controllers 1
usb_receiver 3d
gpsd_start -n /dev/ttyACM0
gpsd_says '"mode":3'
count=${MEASURE_ENDS:-20}
settings() {
    local device file
    for device in "$(hub_device 200073)" "$(hub_device 200076)"; do
        for file in "$device"/buffer/enable "$device"/buffer/length "$device"/buffer/watermark "$device"/scan_elements/*_en \
            "$device"/trigger/current_trigger "$device"/in_*_sampling_frequency; do echo "${file##*/} $(cat "$file")"; done
    done
}
random() { od -An -N2 -tu2 /dev/urandom | tr -d ' '; }
settings > /run/bench/case/before
kinds="TERM INT HUP QUIT unplugged gpsd"
: > /run/bench/case/ends
turn=0
while [ "$turn" -lt "$count" ]; do
    set -- $kinds; shift $(( turn % 6 )); kind=$1
    seconds=60
    case $kind in unplugged|gpsd) seconds=3 ;; esac
    LD_LIBRARY_PATH=/share/lib start ended /share/afresh /share/rigready measure --for "$seconds" --rate 20
    usleep $(( $(random) * 61 ))      # up to four seconds: the probe, the begin, the capture
    case $kind in
    unplugged) hub stop ;;
    gpsd) stop gpsd ;;
    *) kill "-$kind" "$(pid ended)" ;;
    esac
    wait_for 20 gone "/proc/$(pid ended)/exe" || wrong "end $turn, $kind: the program does not end"
    wait "$(pid ended)" 2>/dev/null && status=0 || status=$?
    moment=probe
    ! grep -q 'judged by what was captured' /run/bench/ended.log || moment=capture
    case $kind in
    unplugged)
        hub start accel gyro short
        settings > /run/bench/case/before ;;
    gpsd)
        settings | cmp -s - /run/bench/case/before || { settings | diff /run/bench/case/before - >&2; wrong "end $turn, $kind: not as before"; }
        gpsd_start -n /dev/ttyACM0 ;;
    *)  settings | cmp -s - /run/bench/case/before || { settings | diff /run/bench/case/before - >&2; wrong "end $turn, $kind: not as before"; } ;;
    esac
    echo "$kind $status $moment" >> /run/bench/case/ends
    turn=$(( turn + 1 ))
done
sort /run/bench/case/ends | uniq -c > /host/results/measure-ends.txt
