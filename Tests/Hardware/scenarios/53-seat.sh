# Access only by an access control list, as a seat grants it, and only by mode.
chip_bmi160
setfacl -m u:1001:rw /dev/iio:device*
report_as 1001 seat --timeout 8
report_as 1002 seat-stranger --timeout 8
setfacl -b /dev/iio:device*
chmod 666 /dev/iio:device*
report_as 1002 mode --timeout 8
