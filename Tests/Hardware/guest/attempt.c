// Opens what sensors need, reads nothing, and prints for each the error number's name, or ok:
//   attempt NODE INPUT  both nodes, the management socket, gpsd at 127.0.0.1:2947, the system bus
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void print(const char *name, int result)
{
    const char *word = "other";
    if (result >= 0) word = "ok";
    else if (errno == EACCES) word = "EACCES";
    else if (errno == EPERM) word = "EPERM";
    else if (errno == ENOENT) word = "ENOENT";
    else if (errno == ECONNREFUSED) word = "ECONNREFUSED";
    else if (errno == ENETUNREACH) word = "ENETUNREACH";
    else if (errno == EAFNOSUPPORT) word = "EAFNOSUPPORT";
    printf("%s %s\n", name, word);
}

static void print_connection(const char *name, int family, const void *address, socklen_t length)
{
    int end = socket(family, SOCK_STREAM, 0);
    print(name, end < 0 ? end : connect(end, address, length));
}

int main(int count, char **words)
{
    if (count != 3) return 64;
    print("node", open(words[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    print("input", open(words[2], O_RDONLY | O_NONBLOCK | O_CLOEXEC));

    // Source: bluetooth.h and hci.h of BlueZ; the channel of the management protocol is 3, for no controller.
    struct {
        uint16_t family, device, channel;
    } management = {31, 0xffff, 3};
    int bluetooth = socket(31, SOCK_RAW | SOCK_CLOEXEC, 1);
    if (bluetooth >= 0) bluetooth = bind(bluetooth, (struct sockaddr *)&management, sizeof management);
    print("management", bluetooth);

    struct sockaddr_in gpsd = {.sin_family = AF_INET, .sin_port = htons(2947)};
    gpsd.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    print_connection("gpsd", AF_INET, &gpsd, sizeof gpsd);

    struct sockaddr_un bus = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
    print_connection("bus", AF_UNIX, &bus, sizeof bus);
    return 0;
}
