// A motion sensor that a program makes, as emulators and remote controls do, through /dev/uinput: 8192 counts per g and 16
// per degree a second; it lies flat, with 1 g along z, and turns at 1, -2 and 3 degrees a second, both with some noise.
// Killing it removes the device.
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { AXES = 6 };
static const int rest[AXES] = { 0, 0, 8192, 16, -32, 48 }, noise[AXES] = { 40, 40, 40, 1, 1, 1 };

static bool send_event(int device, int type, int code, int value)
{
    struct input_event event = { .type = type, .code = code, .value = value };
    return write(device, &event, sizeof event) == sizeof event;
}

int main(void)
{
    int device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    if (device < 0) return perror("virtual: /dev/uinput"), 1;
    struct uinput_setup setup = { .id = { .bustype = BUS_VIRTUAL, .vendor = 0x1209, .product = 0x0002 } };
    strcpy(setup.name, "Simulated motion");
    bool done = ioctl(device, UI_SET_EVBIT, EV_ABS) == 0 && ioctl(device, UI_SET_PROPBIT, INPUT_PROP_ACCELEROMETER) == 0;
    for (int axis = 0; axis < AXES; axis++) {
        struct uinput_abs_setup range = { .code = ABS_X + axis,
            .absinfo = { .minimum = -32768, .maximum = 32767, .resolution = axis < 3 ? 8192 : 16 } };
        done = done && ioctl(device, UI_ABS_SETUP, &range) == 0;
    }
    if (!done || ioctl(device, UI_DEV_SETUP, &setup) != 0 || ioctl(device, UI_DEV_CREATE) != 0)
        return perror("virtual: no device"), 1;
    for (unsigned count = 0;; count++) {
        for (int axis = 0; axis < AXES; axis++)
            if (!send_event(device, EV_ABS, ABS_X + axis, rest[axis] + noise[axis] * (int)(count & 1)))
                return perror("virtual: write"), 1;
        if (!send_event(device, EV_SYN, SYN_REPORT, 0)) return perror("virtual: write"), 1;
        usleep(10000);
    }
}
