# A kernel whose Bluetooth module cannot be loaded. Runs first: once loaded, the module stays.
block bluetooth
report bluetooth-unsupported --timeout 4
