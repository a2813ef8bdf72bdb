# A step counter is measured on a walk: one that counts, and one that is switched off.
chip_bma400
device=$(echo "$(client 0x14)"/iio:device*)
app steps-measured-off rigready measure --move --sensor stepCounter=bma400 --format json
echo 1 > "$device/in_steps_en"
walk() { step=0; while usleep 950000; do step=$(( step + 1 )); i2cset -f -y "$(bus)" 0x14 0x15 "$(printf 0x%02x $(( 210 + step )))"; [ "$step" -lt 20 ] || break; done; }
walk &
app steps-measured rigready measure --move --sensor stepCounter=bma400 --format json --save /run/bench/case/steps-measured.jsonl
wait $!
mv /run/bench/case/steps-measured.jsonl /host/results/
app steps-replayed rigready measure --rig /host/results/steps-measured.jsonl --format json
# Nobody walks.
app steps-measured-still rigready measure --move --sensor stepCounter=bma400 --format json
