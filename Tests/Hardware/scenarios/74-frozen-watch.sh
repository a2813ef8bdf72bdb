# A watch samples again every two seconds beside a hub that stays frozen, while gpsd is restarted: what it holds has a bound.
seconds=${FROZEN_SECONDS:-24}
held=/run/bench/holdings
# members PROCESS: it, its children, theirs, and so on
members() { local child; echo "$1"; for child in $(cat /proc/$1/task/*/children 2>/dev/null); do members "$child"; done; }
# sample: the highest of each so far: processes, descriptors, threads, KiB of private memory, all of them together
sample() {
    local process kib processes=0 descriptors=0 threads=0 memory=0
    for process in $(members "$watch"); do
        processes=$(( processes + 1 ))
        descriptors=$(( descriptors + $(ls /proc/$process/fd 2>/dev/null | wc -l) ))
        threads=$(( threads + $(ls /proc/$process/task 2>/dev/null | wc -l) ))
        kib=$(sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2>/dev/null || true)
        memory=$(( memory + ${kib:-0} ))
    done
    [ $processes -le $most_processes ] || most_processes=$processes
    [ $descriptors -le $most_descriptors ] || most_descriptors=$descriptors
    [ $threads -le $most_threads ] || most_threads=$threads
    [ $memory -le $most_memory ] || most_memory=$memory
}
most_processes=0 most_descriptors=0 most_threads=0 most_memory=0
highest() { echo "$1 $most_processes $most_descriptors $most_threads $most_memory"; }

hub start accel gyro
watching --resample 2
watch=$(pid watch)
hub freeze
begin=$(uptime_ms) restarts=0 quarter=$(( seconds * 250 )) passed=0
while [ $passed -lt 4 ]; do
    gpsd_start -n
    tells 'location: unreachable → '
    sample
    stop gpsd
    tells 'location: .* → unreachable'
    sample
    restarts=$(( restarts + 1 ))
    # What piles up is more in each quarter.
    if [ $(( $(uptime_ms) - begin )) -ge $(( (passed + 1) * quarter )) ]; then
        passed=$(( passed + 1 ))
        highest "quarter$passed" >> $held
        most_processes=0 most_descriptors=0 most_threads=0 most_memory=0
    fi
done
echo "restarts $restarts" >> $held
begin=$(uptime_ms)
watched
echo "end $(( $(uptime_ms) - begin ))" >> $held
cp $held /host/results/frozen-watch-holdings.txt
hub thaw
