// libudev: enumeration of devices. libkmod is opened at first use, so its header is not needed.
#include <libudev.h>
// getdents64(2), glibc 2.30; its header declares it only with _GNU_SOURCE.
#include <sys/types.h>
ssize_t getdents64(int folder, void *buffer, size_t size);
// Access control lists, which are extended attributes.
#include <sys/xattr.h>
