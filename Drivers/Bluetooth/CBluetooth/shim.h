// libbluetooth's headers alone. hci.h needs <sys/ioctl.h> before it; its ioctl numbers are casts, which Swift cannot import.
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <linux/rfkill.h>
