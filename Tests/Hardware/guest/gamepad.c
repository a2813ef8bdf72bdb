// A simulated game controller: the kernel's own HID drivers bind to it through /dev/uhid.
//   gamepad dualsense [quiet|still]
//   gamepad udraw
//   dualsense  a Sony DualSense on USB (hid-playstation), calibrated to 8192 counts per g and 16 per degree a second: it lies
//              flat, with 1 g along z, and turns at 1, -2 and 3 degrees a second, both with some noise
//   udraw      a THQ uDraw tablet (hid-udraw-ps3)
//   quiet      reports nothing
//   still      reports the same again and again, of which the kernel passes on the first report alone
// Killing it unplugs the controller.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CALIBRATION = 0x05, PAIRING = 0x09, FIRMWARE = 0x20 };       // feature reports of a DualSense

// A game pad with reports of bytes that only the driver knows: input, output, and the three feature reports.
static const uint8_t dualsense_descriptor[] = {
    0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x06, 0x00, 0xFF, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
    0x85, 0x01, 0x09, 0x20, 0x95, 63, 0x81, 0x02,
    0x85, 0x02, 0x09, 0x21, 0x95, 47, 0x91, 0x02,
    0x85, CALIBRATION, 0x09, 0x22, 0x95, 40, 0xB1, 0x02,
    0x85, PAIRING, 0x09, 0x23, 0x95, 19, 0xB1, 0x02,
    0x85, FIRMWARE, 0x09, 0x24, 0x95, 63, 0xB1, 0x02,
    0xC0,
};
static const uint8_t udraw_descriptor[] = {
    0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x06, 0x00, 0xFF, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
    0x09, 0x20, 0x95, 27, 0x81, 0x02,
    0xC0,
};

static int device;
static bool is_dualsense, quiet, still;

static void put16(uint8_t *to, int16_t value) { to[0] = value & 0xff; to[1] = (uint16_t)value >> 8; }

static void send_event(const struct uhid_event *event)
{
    if (write(device, event, sizeof *event) < 0) perror("gamepad: write");
}

// The feature report of a number; 0 bytes for one that the controller has not.
static size_t feature(uint8_t number, uint8_t *to)
{
    size_t size = number == CALIBRATION ? 41 : number == PAIRING ? 20 : number == FIRMWARE ? 64 : 0;
    memset(to, 0, size);
    to[0] = number;
    if (number == PAIRING) memcpy(to + 1, "\x01\x00\x53\x00\x5e\x00", 6);
    if (number == CALIBRATION) {
        // Three times the count at the speed to either side, the speed, and three times the count of 1 g.
        for (int axis = 0; axis < 3; axis++) {
            put16(to + 7 + 4 * axis, 540 * 16);
            put16(to + 9 + 4 * axis, -540 * 16);
            put16(to + 23 + 4 * axis, 8192);
            put16(to + 25 + 4 * axis, -8192);
        }
        put16(to + 19, 540);
        put16(to + 21, 540);
    }
    return size;
}

static void answer(const struct uhid_event *question)
{
    struct uhid_event reply = { 0 };
    if (question->type == UHID_GET_REPORT) {
        reply.type = UHID_GET_REPORT_REPLY;
        reply.u.get_report_reply.id = question->u.get_report.id;
        reply.u.get_report_reply.size = feature(question->u.get_report.rnum, reply.u.get_report_reply.data);
        reply.u.get_report_reply.err = reply.u.get_report_reply.size ? 0 : EIO;
    } else if (question->type == UHID_SET_REPORT) {
        reply.type = UHID_SET_REPORT_REPLY;
        reply.u.set_report_reply.id = question->u.set_report.id;
    } else {
        return;
    }
    send_event(&reply);
}

static void report(unsigned count)
{
    struct uhid_event event = { .type = UHID_INPUT2 };
    uint8_t *data = event.u.input2.data;
    int noise = still ? 0 : count & 1;
    if (is_dualsense) {
        event.u.input2.size = 64;
        data[0] = 0x01;
        data[8] = 0x08;                         // no direction is pressed
        static const int16_t rates[] = { 16, -32, 48 }, counts[] = { 0, 0, 8192 };
        for (int axis = 0; axis < 3; axis++) {
            put16(data + 16 + 2 * axis, rates[axis] + noise);
            put16(data + 22 + 2 * axis, counts[axis] + 40 * noise);
        }
        data[33] = data[37] = 0x80;             // no finger on the touchpad
    } else {
        event.u.input2.size = 27;
        data[2] = 0x0f;
        put16(data + 19, 512 + noise);
        put16(data + 21, 512 + noise);
        put16(data + 23, 530 + noise);
    }
    send_event(&event);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "dualsense")) is_dualsense = true;
        else if (!strcmp(argv[i], "udraw")) is_dualsense = false;
        else if (!strcmp(argv[i], "quiet")) quiet = true;
        else if (!strcmp(argv[i], "still")) still = true;
        else return fprintf(stderr, "gamepad: unknown word %s\n", argv[i]), 64;
    }
    device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
    if (device < 0) return perror("gamepad: /dev/uhid"), 1;
    struct uhid_event create = { .type = UHID_CREATE2 };
    struct uhid_create2_req *pad = &create.u.create2;
    const uint8_t *descriptor = is_dualsense ? dualsense_descriptor : udraw_descriptor;
    pad->rd_size = is_dualsense ? sizeof dualsense_descriptor : sizeof udraw_descriptor;
    memcpy(pad->rd_data, descriptor, pad->rd_size);
    strcpy((char *)pad->name, is_dualsense ? "Simulated DualSense" : "Simulated uDraw");
    pad->bus = BUS_USB;
    pad->vendor = is_dualsense ? 0x054c : 0x20d6;
    pad->product = is_dualsense ? 0x0ce6 : 0xcb17;
    send_event(&create);
    bool started = false;
    for (unsigned count = 0;;) {
        struct pollfd poll_device = { .fd = device, .events = POLLIN };
        if (poll(&poll_device, 1, 10) > 0) {
            struct uhid_event event;
            if (read(device, &event, sizeof event) <= 0) return perror("gamepad: read"), 1;
            if (event.type == UHID_OPEN) started = true;
            answer(&event);
        } else if (started && !quiet) {
            report(count++);
        }
    }
}
