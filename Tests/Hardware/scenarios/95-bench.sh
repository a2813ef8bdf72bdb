# The cost of a check compared with the limit and its peers, on real drivers: each of BENCH_ROUNDS runs' cost, for
# Benchmarks/run --kept.
chip_bmi160
controllers 1
receiver 3d
gpsd_start -n /run/gps
gpsd_says '"mode":3'
LD_LIBRARY_PATH=/share/lib /share/measure "${BENCH_ROUNDS:-2}" /share/rigready check --depth state -- /share/floor -- \
    iio_info -S local ++ iio_info ++ hciconfig -a ++ btmgmt info > /host/results/bench-check.txt
/share/floor > /host/results/bench-floor.txt
# The cost of each further device, on a bus of files as on the host.
/share/bus /run/bench/one 1
/share/bus /run/bench/many 300
check='/share/rigready check --depth state --timeout 30 --gpsd 127.0.0.1:1'
LD_LIBRARY_PATH=/share/lib /share/measure "${BENCH_ROUNDS:-2}" @/run/bench/one $check -- @/run/bench/many $check \
    -- @/run/bench/one /share/floor 1 -- @/run/bench/many /share/floor 1 \
    -- @/run/bench/one /share/context -- @/run/bench/many /share/context > /host/results/bench-devices.txt
rm -rf /run/bench/one /run/bench/many
