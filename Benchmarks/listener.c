// The minimum of a watch: listens to one source and prints the time of each event, in nanoseconds of CLOCK_MONOTONIC.
//   listener management          "NANOSECONDS OPCODE" for each event of the Bluetooth management socket
//   listener uevents             "NANOSECONDS ACTION DEVPATH" for each event that udev passes on
//   listener kernel              the same for each event of the kernel, before udev has it
//   listener gpsd PORT           "NANOSECONDS MODE" for each report whose fix mode differs
//   listener lines               "NANOSECONDS LINE" for each line of standard input
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int fail(const char *what) { perror(what); return 70; }

static int management(void)
{
    struct { uint16_t family, device, channel; } address = { 31 /* AF_BLUETOOTH */, 0xffff, 3 /* control */ };
    unsigned char packet[4096];
    int source = socket(31, SOCK_RAW | SOCK_CLOEXEC, 1 /* BTPROTO_HCI */);
    if (source < 0 || bind(source, (struct sockaddr *)&address, sizeof address) < 0) return fail("management");
    while (recv(source, packet, sizeof packet, 0) >= 6) printf("%lld %d\n", now(), packet[0] | packet[1] << 8);
    return 0;
}

enum { KERNEL = 1, UDEV = 2 };

static int uevents(unsigned group)
{
    struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = group };
    static char packet[65536];
    int source = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
    ssize_t size;
    if (source < 0 || bind(source, (struct sockaddr *)&address, sizeof address) < 0) return fail("uevents");
    while ((size = recv(source, packet, sizeof packet - 1, 0)) > 0) {
        const char *action = "", *path = "";
        packet[size] = 0;
        // The fifth word of udev's header gives the offset of the properties; the kernel's are behind "ACTION@DEVPATH".
        for (uint32_t at = group == KERNEL ? strlen(packet) + 1 : size > 20 ? ((uint32_t *)packet)[4] : 0; at < size; at += strlen(packet + at) + 1) {
            if (!strncmp(packet + at, "ACTION=", 7)) action = packet + at + 7;
            if (!strncmp(packet + at, "DEVPATH=", 8)) path = packet + at + 8;
        }
        printf("%lld %s %s\n", now(), action, path);
    }
    return 0;
}

static int gpsd(int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const char request[] = "?WATCH={\"enable\":true,\"json\":true};\n";
    char *line = NULL;
    size_t room = 0;
    int source = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), last = -1;
    if (source < 0 || connect(source, (struct sockaddr *)&address, sizeof address) < 0) return fail("gpsd");
    if (write(source, request, sizeof request - 1) < 0) return fail("gpsd");
    FILE *stream = fdopen(source, "r");
    while (getline(&line, &room, stream) > 0) {
        const char *mode = strstr(line, "\"class\":\"TPV\"") ? strstr(line, "\"mode\":") : NULL;
        if (!mode || atoi(mode + 7) == last) continue;
        printf("%lld %d\n", now(), last = atoi(mode + 7));
    }
    return 0;
}

static int lines(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) printf("%lld %s", now(), line);
    return 0;
}

int main(int count, char **words)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count == 2 && !strcmp(words[1], "management")) return management();
    if (count == 2 && !strcmp(words[1], "uevents")) return uevents(UDEV);
    if (count == 2 && !strcmp(words[1], "kernel")) return uevents(KERNEL);
    if (count == 3 && !strcmp(words[1], "gpsd")) return gpsd(atoi(words[2]));
    if (count == 2 && !strcmp(words[1], "lines")) return lines();
    fputs("usage: listener management|uevents|kernel|gpsd PORT|lines\n", stderr);
    return 64;
}
