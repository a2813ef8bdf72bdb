controllers 1
report controller-on --timeout 4
