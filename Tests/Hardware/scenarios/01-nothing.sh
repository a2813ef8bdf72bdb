# No sensor, no controller, no receiver, no gpsd.
report nothing --timeout 4
report_as 1001 nothing-user --timeout 4
