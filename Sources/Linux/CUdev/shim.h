// libudev: enumeration of devices. libkmod is opened at first use, so its header is not needed.
#include <libudev.h>
// Access control lists, which are extended attributes.
#include <sys/xattr.h>
