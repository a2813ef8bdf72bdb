// libudev: enumeration of devices. libkmod is opened at first use, so it has no header here.
#include <libudev.h>
// Access control lists, which are extended attributes.
#include <sys/xattr.h>
