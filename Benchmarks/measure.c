// Runs commands in turn and prints the raw cost of each run; comparisons are made run by run.
//   measure ROUNDS COMMAND [-- COMMAND]…
// A COMMAND is a list of words; `++` in it starts another program, run after the one before and counted with it.
// `@FOLDER` before a program's words mounts FOLDER as /sys for it, in a mount namespace that is made before the clock
// starts.
//
// Prints for each run "ROUND COMMAND NANOSECONDS CPU-NANOSECONDS PEAK-KIB STATUS": wall time from exec to its end, user
// and system time, the largest resident set, the last status that was neither 0, 1 nor 2 (else 0). Round 0 warms the
// caches.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The child's CPU time when it became the program.
struct start { long long time, cpu; };
struct cost { long long time, cpu, peak; int status; };

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long spent(const struct rusage *usage)
{
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000LL
        + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000LL;
}

static void become(char **words, struct start *start)
{
    struct rusage usage;
    int nothing = open("/dev/null", O_WRONLY), quiet[2];
    if (words[0][0] == '@') {
        if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)
            || mount(words[0] + 1, "/sys", NULL, MS_BIND, NULL)) {
            perror("measure: a private /sys");
            _exit(126);
        }
        setenv("SYSTEMD_DEVICE_VERIFY_SYSFS", "0", 1);
        words++;
    }
    // An input without data and without end: btmgmt does not answer if it is closed.
    if (pipe(quiet)) _exit(126);
    dup2(quiet[0], 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    getrusage(RUSAGE_SELF, &usage);
    start->cpu = spent(&usage);
    start->time = now();
    execvp(words[0], words);
    _exit(127);
}

static void run(char **words, struct start *start, struct cost *cost)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) become(words, start);
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("measure");
        exit(70);
    }
    cost->time += now() - start->time;
    cost->cpu += spent(&usage) - start->cpu;
    if (usage.ru_maxrss > cost->peak) cost->peak = usage.ru_maxrss;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code > 2) cost->status = code;
}

int main(int count, char **words)
{
    struct start *start = mmap(NULL, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count < 3 || start == MAP_FAILED) {
        fputs("usage: measure ROUNDS COMMAND [-- COMMAND]…\n", stderr);
        return 64;
    }
    for (int round = 0; round <= atoi(words[1]); round++) {
        int command = 0;
        struct cost cost = { 0 };
        for (int first = 2, at = 2; at <= count; at++) {
            int ends = at == count || !strcmp(words[at], "--");
            if (!ends && strcmp(words[at], "++")) continue;
            char *separator = words[at];
            words[at] = NULL;
            if (at > first) run(words + first, start, &cost);
            words[at] = separator;
            first = at + 1;
            if (!ends) continue;
            printf("%d %d %lld %lld %lld %d\n", round, command++, cost.time, cost.cpu, cost.peak, cost.status);
            cost = (struct cost){ 0 };
        }
        fflush(stdout);
    }
    return 0;
}
