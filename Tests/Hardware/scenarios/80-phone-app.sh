# A program with Apple's names, during everything that can happen to its permissions and its rig: each event must lead
# to its own line, in order. A folder and a file replace the session manager.
log=/run/bench/phone.log
case=/run/bench/case
# tells STREAM PATTERN: the program prints it after its previous lines in that stream; the streams are not ordered among
# themselves
said() { grep "^$1 " "$log" | tail -n "+$(( $(cat "$case/told.$1" 2>/dev/null || echo 0) + 1 ))" | grep -n -m 1 "^$1 $2"; }
tells() {
    wait_for 25 said "$1" "$2" || { cp "$log" /host/results/phone-app.txt; wrong "the program never says '$1 $2'"; }
    echo $(( $(cat "$case/told.$1" 2>/dev/null || echo 0) + $(said "$1" "$2" | cut -d: -f1) )) > "$case/told.$1"
}
# keeps STREAM TEXT: while gpsd keeps reporting, the program has printed nothing more than this in that stream
keeps() { gpsd_says '"mode":3'; [ "$(grep "^$1 " "$log" | tail -n 1 | cut -c "-$(( ${#1} + 1 + ${#2} ))")" = "$1 $2" ] || die "the program prints more than '$1 $2'"; }
permissions() { LD_LIBRARY_PATH=/share/lib /share/rigready permissions "$@" --permissions $case/phone.yaml >/dev/null 2>$case/err || die "permissions $*: $(cat $case/err)"; }
# seat ACTIVE: whether the program's login session is the active one
seat() { mkdir -p /run/systemd/sessions; echo "ACTIVE=$1" > /run/systemd/sessions/.new; mv /run/systemd/sessions/.new /run/systemd/sessions/80; }
rm -f $case/phone.yaml $case/told.*
cat > $case/phone-config.yaml <<END
purposes:
  location: To recognise trips.
  bluetooth: To find the car.
END
permissions reset location
seat 1
program phone-app
hub start accel gyro
modprobe -a rfkill bluetooth 2>/dev/null || true
start phone env LD_LIBRARY_PATH=/share/lib XDG_SESSION_ID=80 RIGREADY_PERMISSIONS=$case/phone.yaml RIGREADY_CONFIG=$case/phone-config.yaml RIGREADY_POLICY=$case/phone-policy.yaml /share/phone-app
tells authorization 'undecided'
# Nobody can be asked: there is no terminal.
tells update 'not in use'
tells accelerometer '[0-9.]* [0-9.-]* g'
enough() { [ "$(grep -c '^accelerometer [0-9]' "$log")" -ge 150 ]; }
wait_for 25 enough || wrong "too few samples of the accelerometer"

# Without a gpsd nothing shows that location may be used, whatever is granted.
permissions grant location --when-in-use
receiver 3d
gpsd_start -n /run/gps
tells authorization 'in use full'
tells update 'exact 52.51646'
kill -STOP "$(pid nmea)"
tells update 'unavailable'
kill -CONT "$(pid nmea)"
tells update 'exact 52.51646'

# The rig is probed again while gpsd answers too late: the authorization stays.
gpsd_freeze
udevadm trigger --action=change --subsystem-match=tty
usleep 5000000
kill -CONT "$(pid gpsd)"
tells update 'exact 52.51646'

seat 0
tells update 'not in use'
keeps update 'not in use'
seat 1
tells update 'exact'
permissions grant location --when-in-use --accuracy reduced
tells authorization 'in use reduced'
tells update 'coarse 52.5 13.4 '
keeps update 'coarse 52.5 13.4 '
permissions revoke location
tells authorization 'denied'
tells update 'denied'
keeps update 'denied'
echo 'location: restricted' > $case/phone-policy.yaml
tells authorization 'restricted'
rm $case/phone-policy.yaml
tells authorization 'denied'
permissions grant location --always
tells authorization 'always full'
tells update 'exact'
seat 0
tells update 'exact'
permissions forget location

controllers 1
tells bluetooth 'powered on'
power_off 0
tells bluetooth 'powered off'
power_on 0
tells bluetooth 'powered on'
permissions revoke bluetooth
tells bluetooth 'unauthorized'
permissions grant bluetooth
tells bluetooth 'powered on'
stop btvirt
tells bluetooth 'unsupported'

running phone || wrong "the program ended by itself"
stop phone
rm -r /run/systemd/sessions
cp "$log" /host/results/phone-app.txt
report phone-app-end --timeout 8
