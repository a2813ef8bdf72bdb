// A simulated receiver: NMEA sentences at 5 Hz with the current time.
//   nmea none|2d|3d|simulated|wander|moving|jumping FILE [SECONDS]
//   wander is 3d whose position wanders by some metres and scatters by one; moving drives north at 14 m/s; jumping is
//   40 m farther north in every other five seconds
// FILE is a device to write to, or `pty:LINK`: a new pseudo-terminal whose name LINK points to.
// After SECONDS it stops sending, and keeps the device open.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int out;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char body[128], line[140];
    unsigned char sum = 0;
    va_list values;
    va_start(values, format);
    vsnprintf(body, sizeof body, format, values);
    va_end(values);
    for (const char *c = body; *c; c++) sum ^= (unsigned char)*c;
    int size = snprintf(line, sizeof line, "$%s*%02X\r\n", body, sum);
    if (write(out, line, size) < 0) { /* nobody reads: a receiver does not mind */ }
}

static void epoch(int dimensions, bool simulated, double north, double east, double knots)
{
    struct timespec now;
    struct tm t;
    char clock[16], date[8], second[8];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &t);
    strftime(date, sizeof date, "%d%m%y", &t);
    strftime(second, sizeof second, "%H%M%S", &t);
    snprintf(clock, sizeof clock, "%s.%c0", second, (char)('0' + now.tv_nsec / 100000000 % 10));
    const char *seen = "01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45";
    if (dimensions == 0) {
        say("GPRMC,%s,V,,,,,,,%s,,,N", clock, date);
        say("GPGGA,%s,,,,,0,00,99.99,,,,,,", clock);
        say("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99");
        say("GPGSV,1,1,00");
        return;
    }
    char mode = simulated ? 'S' : 'A', place[40];
    snprintf(place, sizeof place, "52%07.4f,N,013%07.4f,E", 30.9876 + north / 1855.3, 22.5432 + east / 1130.6);   // minutes
    say("GPRMC,%s,A,%s,%.2f,31.66,%s,,,%c", clock, place, knots, date, mode);
    if (dimensions == 2) {
        say("GPGGA,%s,%s,1,03,2.10,,M,,M,,", clock, place);
        say("GPGSA,A,2,01,02,12,,,,,,,,,,2.33,2.10,1.00");
    } else {
        say("GPGGA,%s,%s,%d,08,1.01,34.5,M,43.1,M,,", clock, place, simulated ? 8 : 1);
        say("GPGSA,A,3,01,02,12,14,15,18,24,25,,,,,1.83,1.01,1.52");
    }
    say("GPGSV,2,1,08,%s", seen);
    say("GPGSV,2,2,08,15,51,132,44,18,31,061,42,24,62,277,47,25,11,019,38");
}

// About normal: the sum of twelve uniform numbers less six.
static double bell(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += rand() / (RAND_MAX + 1.0);
    return sum;
}

static int open_pty(const char *link)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master)) { perror("nmea: pty"); exit(1); }
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);       // kept open, so that the terminal never hangs up
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw)) { perror("nmea: pty"); exit(1); }
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    unlink(link);
    if (symlink(ptsname(master), link)) { perror("nmea: link"); exit(1); }
    return master;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = { "none", "2d", "3d", "simulated", "wander", "moving", "jumping" };
    int mode = -1;
    double north = 0, east = 0;
    int count = 0;
    for (int i = 0; i < 7 && argc > 2; i++) if (!strcmp(argv[1], modes[i])) mode = i;
    if (mode < 0) { fprintf(stderr, "usage: nmea none|2d|3d|simulated|wander|moving|jumping FILE|pty:LINK [SECONDS]\n"); return 64; }
    signal(SIGHUP, SIG_IGN);
    if (!strncmp(argv[2], "pty:", 4)) out = open_pty(argv[2] + 4);
    else out = open(argv[2], O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (out < 0) { perror("nmea: open"); return 1; }
    struct termios raw;
    if (strncmp(argv[2], "pty:", 4) && !tcgetattr(out, &raw)) { cfmakeraw(&raw); tcsetattr(out, TCSANOW, &raw); }

    int left = argc > 3 ? atoi(argv[3]) * 5 : -1;
    for (;; usleep(200000)) {
        if (left > 0) left--;
        if (mode == 4) {
            north = north * 0.98 + bell() * 0.6;
            east = east * 0.98 + bell() * 0.4;
        }
        count++;
        if (mode == 5) north = count % 20000 * 14 / 5.0;
        if (mode == 6) north = count / 25 % 2 * 40;
        if (left) epoch(mode > 2 ? 3 : mode == 0 ? 0 : mode + 1, mode == 3, mode == 4 ? north + bell() : north, mode == 4 ? east + bell() : 0, mode == 5 ? 14 / 0.514444 : 0.02);
        char ignored[256];                                      // what gpsd sends to the receiver
        while (read(out, ignored, sizeof ignored) > 0) { }
    }
}
