# A chip is taken away while it is being listed and read, at a different moment each time.
for moment in 0 40 120 300; do
    chip_bmi160
    { usleep "${moment}000"; remove_chip 0x69; } &
    remover=$!
    report "unplugged-$moment" --timeout 8
    wait $remover
    wait_for 5 gone "$(client 0x69)" || die "the chip is still there"
done
