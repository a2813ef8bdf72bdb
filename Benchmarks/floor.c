// The limit of a check: reads only what the answer needs, once each, and prints the same facts.
//   floor [GPSD-PORT]
// Lists the IIO bus, and of each device its name, its channels, its place on the bus and in the firmware, its udev
// label, and whether this user may open its node; queries the management socket for its controllers and their settings,
// and gpsd for its receivers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// Reads a file once; returns its length, 0 if there is none.
static size_t contents(int folder, const char *name, char *text, size_t room)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0) close(file);
    text[size > 0 ? size : 0] = 0;
    return size > 0 ? size : 0;
}

// The value of a line `KEY=VALUE`, terminated there, or nothing.
static char *value(char *text, const char *key)
{
    char *found = strstr(text, key);
    if (!found) return "";
    found += strlen(key);
    found[strcspn(found, "\n")] = 0;
    return found;
}

static void device(int bus, const char *kernel)
{
    char place[512], name[64], node[280], record[64], event[1024], chip[1024], firmware[256], udev[4096];
    ssize_t size = readlinkat(bus, kernel, place, sizeof place - 1);
    place[size > 0 ? size : 0] = 0;
    int folder = openat(bus, kernel, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) { printf("%s: %s\n", kernel, strerror(errno)); return; }
    contents(folder, "name", name, sizeof name);
    name[strcspn(name, "\n")] = 0;
    contents(folder, "uevent", event, sizeof event);
    snprintf(record, sizeof record, "/run/udev/data/c%d:%d", atoi(strstr(event, "MAJOR=") ? strstr(event, "MAJOR=") + 6 : ""),
        atoi(strstr(event, "MINOR=") ? strstr(event, "MINOR=") + 6 : ""));
    contents(AT_FDCWD, record, udev, sizeof udev);
    contents(folder, "../uevent", chip, sizeof chip);
    if (!strstr(chip, "OF_FULLNAME=")) contents(folder, "../firmware_node/path", firmware, sizeof firmware);
    else snprintf(firmware, sizeof firmware, "%s", value(chip, "OF_FULLNAME="));
    int accelerometer = 0, gyroscope = 0, counter = 0;
    DIR *listing = fdopendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strncmp(entry->d_name, "in_", 3)) continue;
        size_t length = strlen(entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, "_raw")) {
            accelerometer |= !strncmp(entry->d_name, "in_accel_", 9);
            gyroscope |= !strncmp(entry->d_name, "in_anglvel_", 11);
        } else counter |= !strcmp(entry->d_name, "in_steps_input");
    }
    if (listing) closedir(listing);
    snprintf(node, sizeof node, "/dev/%s", kernel);
    const char *access = faccessat(AT_FDCWD, node, R_OK, AT_EACCESS) ? strerror(errno) : "readable";
    printf("%s %s %s %s%s%s%s %s %s\n", name, value(udev, "E:RIGREADY_LABEL="), firmware, place, accelerometer ? " accelerometer" : "", gyroscope ? " gyroscope" : "",
        counter ? " counter" : "", node, access);
}

static void motion(void)
{
    int bus = open("/sys/bus/iio/devices", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = bus < 0 ? NULL : fdopendir(dup(bus));
    if (!listing) { puts("no IIO bus"); return; }
    for (struct dirent *entry; (entry = readdir(listing));)
        if (!strncmp(entry->d_name, "iio:device", 10)) device(bus, entry->d_name);
    closedir(listing);
    close(bus);
}

// Sends a request and waits for its reply; returns the length of what follows the status, or -1.
static ssize_t ask(int source, uint16_t operation, uint16_t index, unsigned char *packet, size_t room)
{
    uint16_t request[3] = { operation, index, 0 };
    ssize_t size;
    if (write(source, request, sizeof request) != sizeof request) return -1;
    while ((size = recv(source, packet, room, 0)) >= 9)
        if (packet[0] == 1 && (packet[6] | packet[7] << 8) == operation) return packet[8] ? -1 : size - 9;
    return -1;
}

static void bluetooth(void)
{
    struct { uint16_t family, device, channel; } address = { 31 /* AF_BLUETOOTH */, 0xffff, 3 /* control */ };
    unsigned char list[512], information[512];
    struct timeval patience = { .tv_sec = 2 };
    int source = socket(31, SOCK_RAW | SOCK_CLOEXEC, 1 /* BTPROTO_HCI */);
    if (source < 0 || bind(source, (struct sockaddr *)&address, sizeof address) < 0) {
        printf("Bluetooth: %s\n", strerror(errno));
        return;
    }
    setsockopt(source, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ssize_t size = ask(source, 3 /* Read Controller Index List */, 0xffff, list, sizeof list);
    int count = size >= 2 ? list[9] | list[10] << 8 : 0;
    for (int at = 0; at < count && 2 + 2 * at + 2 <= size; at++) {
        int index = list[11 + 2 * at] | list[12 + 2 * at] << 8;
        if (ask(source, 4 /* Read Controller Information */, index, information, sizeof information) >= 17)
            printf("hci%d %s\n", index, information[9 + 13] & 1 ? "powered on" : "powered off");
    }
    close(source);
}

static void location(int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { .tv_sec = 2 };
    const char request[] = "?DEVICES;\n";
    char *line = NULL;
    size_t room = 0;
    int source = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(source, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(source, (struct sockaddr *)&address, sizeof address) || write(source, request, sizeof request - 1) < 0) {
        printf("gpsd: %s\n", strerror(errno));
        return;
    }
    FILE *stream = fdopen(source, "r");
    while (getline(&line, &room, stream) > 0) {
        fputs(line, stdout);
        if (strstr(line, "\"class\":\"DEVICES\"")) break;
    }
    fclose(stream);
}

int main(int count, char **words)
{
    motion();
    bluetooth();
    location(count > 1 ? atoi(words[1]) : 2947);
    return 0;
}
