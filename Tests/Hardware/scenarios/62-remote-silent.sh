# A peer that accepts and never answers.
chip_lis3dh
start peer socat -u TCP-LISTEN:30431,reuseaddr,fork OPEN:/dev/null
wait_for 5 listening 30431 || die "no listener"
report remote-silent --iio ip:127.0.0.1 --timeout 4
