// libbluetooth's headers alone. hci.h needs <sys/ioctl.h> before it; its ioctl numbers are casts, which Swift cannot import.
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <linux/rfkill.h>

// _IOR with a cast and sizeof: not importable as macros, so the two numbers that are asked are given a name each.
static const unsigned int bluetooth_ioctl_device_list = HCIGETDEVLIST;
static const unsigned int bluetooth_ioctl_device_information = HCIGETDEVINFO;
