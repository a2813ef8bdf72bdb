# A chip is removed while it is being listed and read, at a different moment each time.
for round in "report 0" "report 40" "report 120" "report 300" "record 120"; do
    set -- $round
    chip_bmi160
    { usleep "${2}000"; remove_chip 0x69; } &
    remover=$!
    $1 "unplugged-$2" --timeout 8
    wait $remover
    wait_for 5 gone "$(client 0x69)" || die "the chip is still there"
done
