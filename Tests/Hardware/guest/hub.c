// A simulated HID sensor hub: the kernel's own HID sensor drivers bind to it through /dev/uhid.
//   hub [accel] [gyro] [mute|quiet|zero] [short|fine] [gaps] [stuck] [clipped] [timed|swapped] [turns|turns-crossed] [paced] [late]
//   (also-accel, also-gyro: the same, for a bench that expects no driver to bind)
// It answers feature and input reports and streams samples while the kernel has a sensor switched on.
//   mute    reports that it is on and never delivers a sample: no stream, input reports are refused
//   quiet   streams nothing, but answers requests
//   zero    every axis is exactly zero
//   short   axes of 16 bits, which the kernel passes on in cells of 32 with undefined bits above them
//   fine    a hundred times finer axes with normal white noise: a standard deviation of 200 counts on accel, of 20 on gyro
//   gaps    of each 500 samples, the last 25 are not sent
//   stuck   y stays as it is from the 100th sample on
//   clipped z is cut off at its bias and above
//   timed   reports have the hub's own time, in steps of exactly one interval
//   turns   it is turned as `rigready measure --move` asks, from the first sample on: a second for each quarter turn
//   turns-crossed  the same, with the axes x and y of both exchanged and z of gyro inverted
//   swapped the same, and of each 100 samples two have each other's time
//   paced   streams at the interval that the kernel has set, in milliseconds
//   late    streams nothing for the first 4 s after the kernel switched it on: a busy host may begin to capture that much later
// Killing it unplugs the hub; stopping it (SIGSTOP) makes a hub that does not answer.
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
#include <time.h>
#include <unistd.h>

enum { ACCEL, GYRO, KINDS };
enum { POWER_FULL = 2, REPORT_NONE = 1 };       // places in the descriptor's lists, counted from 1

struct sensor {
    const char *name;
    uint8_t usage, first_axis, exponent;        // low bytes on the sensor page; exponent of the unit, 4 bits
    int32_t axes[3];
    bool present;
    uint8_t reporting, power;
    uint32_t interval;
    uint16_t sensitivity;
    uint64_t count;                             // of reports, while it streams
    int32_t held;
    int64_t next;                               // when the next sample is due, in nanoseconds
    int64_t since;                              // when it was switched on; 0 while it is off
};

static struct sensor sensors[KINDS] = {
    [ACCEL] = { "accel", 0x73, 0x53, 0xD, { 12, -31, 998 }, false, REPORT_NONE, 6, 20, 1 },     // milli-g
    [GYRO] = { "gyro", 0x76, 0x57, 0xE, { 15, -8, 4 }, false, REPORT_NONE, 6, 20, 1 },          // hundredths of a degree a second
};
static bool mute, quiet, zero, narrow, fine, gaps, stuck, clipped, timed, swapped, turns, crossed, paced, late;
static int device;

static void append(struct uhid_create2_req *to, const uint8_t *bytes, size_t count)
{
    memcpy(to->rd_data + to->rd_size, bytes, count);
    to->rd_size += count;
}
#define APPEND(to, ...) append(to, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

// One byte that names one of `count` selectors from `first` on.
static void append_list(struct uhid_create2_req *to, uint16_t usage, uint16_t first, int count, uint8_t item)
{
    APPEND(to, 0x0A, usage & 0xFF, usage >> 8, 0x15, 1, 0x25, count, 0x75, 8, 0x95, 1, 0xA1, 0x02);
    for (int i = 0; i < count; i++) APPEND(to, 0x0A, (first + i) & 0xFF, (first + i) >> 8);
    APPEND(to, item, 0x00, 0xC0);
}

static void append_sensor(struct uhid_create2_req *to, int kind)
{
    const struct sensor *s = &sensors[kind];
    uint8_t exponent = (s->exponent - (fine ? 2 : 0)) & 0xF;
    APPEND(to, 0x85, kind + 1, 0x05, 0x20, 0x09, s->usage, 0xA1, 0x00);
    append_list(to, 0x0316, 0x0840, 6, 0xB1);                                                   // reporting state
    append_list(to, 0x0319, 0x0850, 6, 0xB1);                                                   // power state
    APPEND(to, 0x0A, 0x0E, 0x03, 0x15, 0, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 32, 0x95, 1, 0x55, 0, 0xB1, 0x02);   // interval
    APPEND(to, 0x0A, s->first_axis - 1, 0x14, 0x15, 0, 0x26, 0xFF, 0x7F, 0x75, 16, 0x95, 1, 0x55, exponent, 0xB1, 0x02);
    append_list(to, 0x0201, 0x0800, 7, 0x81);                                                   // state
    append_list(to, 0x0202, 0x0810, 6, 0x81);                                                   // event
    for (int axis = 0; axis < 3; axis++) {
        if (narrow) APPEND(to, 0x0A, s->first_axis + axis, 0x04, 0x16, 0, 0x80, 0x26, 0xFF, 0x7F, 0x75, 16, 0x95, 1,
                           0x55, exponent, 0x81, 0x02);
        else APPEND(to, 0x0A, s->first_axis + axis, 0x04, 0x17, 0x01, 0, 0, 0x80, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 32, 0x95, 1,
                    0x55, exponent, 0x81, 0x02);
    }
    // Time in nanoseconds: milliseconds times ten to the minus sixth.
    if (timed) APPEND(to, 0x0A, 0x29, 0x05, 0x17, 0, 0, 0, 0x80, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x66, 0x19, 0x00, 0x75, 32, 0x95, 2,
                      0x55, 0xA, 0x81, 0x02, 0x65, 0);
    APPEND(to, 0xC0);
}

static size_t put(uint8_t *to, uint32_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) to[i] = value >> (8 * i);
    return bytes;
}

static size_t feature(int kind, uint8_t *to)
{
    const struct sensor *s = &sensors[kind];
    size_t size = 0;
    to[size++] = kind + 1;
    to[size++] = s->reporting;
    to[size++] = s->power;
    size += put(to + size, s->interval, 4);
    return size + put(to + size, s->sensitivity, 2);
}

// One number of a normal distribution: the sum of twelve uniform ones.
static double normal(void)
{
    static uint64_t state;
    double sum = -6;
    if (!state) state = (uint64_t)getpid() << 20 | 1;
    for (int i = 0; i < 12; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        sum += (double)(state >> 11) / (1ULL << 53);
    }
    return sum;
}

// The axis that a rig shows while it is turned: poses begin at 0, 5, 13 and 21 s, and each turn is made from 2 to 3 s later.
static int32_t turned(int kind, int axis, double seconds)
{
    static const int up[] = { 2, 1, 0, 2 }, about[] = { -1, 0, 2, 1 };
    static const double begin[] = { -9, 5, 13, 21 };
    int pose = 0;
    while (pose < 3 && seconds >= begin[pose + 1] + 2) pose++;
    double share = (seconds - begin[pose] - 2) > 1 ? 1 : seconds - begin[pose] - 2;
    if (crossed && axis < 2) axis = 1 - axis;
    if (kind == GYRO) return pose > 0 && share < 1 && axis == about[pose] ? (crossed && axis == 2 ? -9000 : 9000) : 0;
    // Gravity swings from the axis that was up to the next; quadratic, which is near enough to sine and cosine.
    if (pose > 0 && share < 1 && axis == up[pose - 1]) return 1000 * (1 - share * share);
    if (axis == up[pose]) return pose > 0 && share < 1 ? 1000 * share * (2 - share) : 1000;
    return 0;
}

static int32_t axis_value(struct sensor *s, int kind, int axis)
{
    static unsigned noise;
    int32_t value = turns && s->count ? turned(kind, axis, s->count * 0.02) : s->axes[axis];
    noise = noise * 1103515245 + 12345;
    if (zero) return 0;
    // Rounded to the nearest: no count is below the offset.
    if (fine) value = value * 100 + (int32_t)(normal() * (kind == ACCEL ? 200 : 20) + 2000.5) - 2000;
    else value += (int)(noise >> 16) % 3 - 1;
    if (clipped && axis == 2 && value > s->axes[2] * (fine ? 100 : 1)) value = s->axes[2] * (fine ? 100 : 1);
    if (stuck && axis == 1) {
        if (s->count <= 100) s->held = value;
        value = s->held;
    }
    return value;
}

static size_t input(int kind, uint8_t *to)
{
    size_t size = 0;
    to[size++] = kind + 1;
    to[size++] = 2;                             // state: ready
    to[size++] = 4;                             // event: data updated
    for (int axis = 0; axis < 3; axis++) size += put(to + size, (uint32_t)axis_value(&sensors[kind], kind, axis), narrow ? 2 : 4);
    if (timed) {
        uint64_t place = sensors[kind].count;
        if (swapped && place % 100 == 50) place++;
        else if (swapped && place % 100 == 51) place--;
        uint64_t time = 1000000000 + place * 20000000;
        size += put(to + size, (uint32_t)time, 4);
        size += put(to + size, (uint32_t)(time >> 32), 4);
    }
    return size;
}

static void send_event(const struct uhid_event *event)
{
    if (write(device, event, sizeof *event) < 0) perror("hub: write");
}

static void answer(const struct uhid_event *question)
{
    struct uhid_event reply = { 0 };
    if (question->type == UHID_GET_REPORT) {
        int kind = question->u.get_report.rnum - 1;
        bool wants_input = question->u.get_report.rtype == UHID_INPUT_REPORT;
        reply.type = UHID_GET_REPORT_REPLY;
        reply.u.get_report_reply.id = question->u.get_report.id;
        if (kind < 0 || kind >= KINDS || !sensors[kind].present || (wants_input && mute)) reply.u.get_report_reply.err = EIO;
        else reply.u.get_report_reply.size = wants_input ? input(kind, reply.u.get_report_reply.data) : feature(kind, reply.u.get_report_reply.data);
        send_event(&reply);
    } else if (question->type == UHID_SET_REPORT) {
        const uint8_t *data = question->u.set_report.data;
        int kind = question->u.set_report.rnum - 1;
        reply.type = UHID_SET_REPORT_REPLY;
        reply.u.set_report_reply.id = question->u.set_report.id;
        if (kind < 0 || kind >= KINDS || question->u.set_report.size < 9) reply.u.set_report_reply.err = EIO;
        else {
            sensors[kind].reporting = data[1];
            sensors[kind].power = data[2];
            memcpy(&sensors[kind].interval, data + 3, 4);
            memcpy(&sensors[kind].sensitivity, data + 7, 2);
        }
        send_event(&reply);
    }
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// Sends what is due; returns when the next sample is.
static int64_t stream(void)
{
    int64_t next = INT64_MAX;
    for (int kind = 0; kind < KINDS; kind++) {
        struct sensor *s = &sensors[kind];
        int64_t time = now(), interval = (paced && s->interval ? s->interval : 20) * 1000000LL;
        bool on = s->power == POWER_FULL && s->reporting > REPORT_NONE;
        if (!on) s->since = 0;
        else if (!s->since) s->since = s->next = time;
        bool due = time >= s->next;
        // One that is late by more than a fifth of a second starts anew; with its own time it delivers all, however late.
        if (due) s->next = ((timed && on) || time - s->next < 200000000 ? s->next : time) + interval;
        if (s->next < next) next = s->next;
        if (!due || !s->present || mute || quiet || !on) continue;
        if (late && time - s->since < 4000000000) continue;
        s->count++;
        if (gaps && s->count % 500 >= 475) continue;
        struct uhid_event event = { .type = UHID_INPUT2 };
        event.u.input2.size = input(kind, event.u.input2.data);
        send_event(&event);
    }
    return next;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (int kind = 0; kind < KINDS; kind++)
            if (!strcmp(argv[i] + (strncmp(argv[i], "also-", 5) ? 0 : 5), sensors[kind].name)) known = sensors[kind].present = true;
        if (!strcmp(argv[i], "mute")) known = mute = true;
        if (!strcmp(argv[i], "quiet")) known = quiet = true;
        if (!strcmp(argv[i], "zero")) known = zero = true;
        if (!strcmp(argv[i], "short")) known = narrow = true;
        if (!strcmp(argv[i], "fine")) known = fine = true;
        if (!strcmp(argv[i], "gaps")) known = gaps = true;
        if (!strcmp(argv[i], "stuck")) known = stuck = true;
        if (!strcmp(argv[i], "clipped")) known = clipped = true;
        if (!strcmp(argv[i], "timed")) known = timed = true;
        if (!strcmp(argv[i], "turns")) known = turns = true;
        if (!strcmp(argv[i], "turns-crossed")) known = turns = crossed = true;
        if (!strcmp(argv[i], "swapped")) known = timed = swapped = true;
        if (!strcmp(argv[i], "paced")) known = paced = true;
        if (!strcmp(argv[i], "late")) known = late = true;
        if (!known) { fprintf(stderr, "hub: unknown word '%s'\n", argv[i]); return 64; }
    }
    device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
    if (device < 0) { perror("hub: /dev/uhid"); return 1; }

    struct uhid_event create = { .type = UHID_CREATE2 };
    struct uhid_create2_req *hub = &create.u.create2;
    strcpy((char *)hub->name, "Bench Sensor Hub");
    strcpy((char *)hub->phys, "bench/input0");
    hub->bus = BUS_USB;                         // the kernel accepts a hub only on USB and I2C
    hub->vendor = 0x1209;
    hub->product = 0x0001;
    APPEND(hub, 0x05, 0x20, 0x09, 0x01, 0xA1, 0x01);
    for (int kind = 0; kind < KINDS; kind++) if (sensors[kind].present) append_sensor(hub, kind);
    APPEND(hub, 0xC0);
    send_event(&create);

    for (;;) {
        struct pollfd ready = { .fd = device, .events = POLLIN };
        int64_t wait = stream() - now();
        if (wait < 0) wait = 0;
        if (ppoll(&ready, 1, &(struct timespec){ wait / 1000000000, wait % 1000000000 }, NULL) > 0) {
            struct uhid_event question;
            if (read(device, &question, sizeof question) <= 0) return 1;
            answer(&question);
        }
    }
}
