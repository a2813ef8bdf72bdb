// libudev: enumeration of devices. libkmod is opened at first use, so it has no header here.
#include <libudev.h>
