// libbluetooth's headers only. hci.h needs <sys/ioctl.h> before it; its ioctl numbers are casts, which Swift cannot
// import.
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <linux/rfkill.h>

// _IOR with a cast and sizeof cannot be imported as a macro, so the two numbers in use are constants here.
static const unsigned int bluetooth_ioctl_device_list = HCIGETDEVLIST;
static const unsigned int bluetooth_ioctl_device_information = HCIGETDEVINFO;
