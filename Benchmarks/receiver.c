// A simulated receiver whose position comes and goes: receiver MILLISECONDS
// Prints the name of its pseudo-terminal, then writes an NMEA epoch every MILLISECONDS, alternately with and without a
// fix.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static size_t sentence(char *line, size_t room, const char *body)
{
    unsigned char sum = 0;
    for (const char *c = body; *c; c++) sum ^= (unsigned char)*c;
    return snprintf(line, room, "$%s*%02X\r\n", body, sum);
}

static size_t epoch(char *text, size_t room, int fixed)
{
    char body[128], second[8], date[8], clock[16];
    struct timespec now;
    struct tm t;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &t);
    strftime(second, sizeof second, "%H%M%S", &t);
    strftime(date, sizeof date, "%d%m%y", &t);
    snprintf(clock, sizeof clock, "%s.%02d", second, (int)(now.tv_nsec / 10000000 % 100));
    size_t size;
    snprintf(body, sizeof body, fixed ? "GPRMC,%s,A,5230.9876,N,01322.5432,E,0.02,31.66,%s,,,A" : "GPRMC,%s,V,,,,,,,%s,,,N", clock, date);
    size = sentence(text, room, body);
    snprintf(body, sizeof body, fixed ? "GPGGA,%s,5230.9876,N,01322.5432,E,1,08,1.01,34.5,M,43.1,M,," : "GPGGA,%s,,,,,0,00,99.99,,,,,,", clock);
    size += sentence(text + size, room - size, body);
    return size + sentence(text + size, room - size,
        fixed ? "GPGSA,A,3,01,02,12,14,15,18,24,25,,,,,1.83,1.01,1.52" : "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99");
}

int main(int count, char **words)
{
    int every = count == 2 ? atoi(words[1]) : 0;
    if (every <= 0) {
        fputs("usage: receiver MILLISECONDS\n", stderr);
        return 64;
    }
    signal(SIGHUP, SIG_IGN);
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master)) { perror("receiver"); return 70; }
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);       // kept open, so that the terminal never hangs up
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw)) { perror("receiver"); return 70; }
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    puts(ptsname(master));
    fflush(stdout);
    struct timespec pause = { .tv_sec = every / 1000, .tv_nsec = every % 1000 * 1000000L };
    for (int fixed = 0;; fixed = !fixed) {
        char text[512], ignored[256];
        size_t size = epoch(text, sizeof text, fixed);
        if (write(master, text, size) < 0) { /* no reader: ignored */ }
        while (read(master, ignored, sizeof ignored) > 0) { }   // what gpsd sends to the receiver
        nanosleep(&pause, NULL);
    }
}
