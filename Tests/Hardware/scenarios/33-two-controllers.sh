# Two controllers, the first off, the second on.
controllers 2
power_off 0
report two-controllers-one-on --timeout 4
report_as 1001 two-controllers-one-on-user --timeout 4
