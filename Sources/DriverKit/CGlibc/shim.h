// What Swift's module of the C library lacks: some headers, and calls with a variable number of arguments.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// prctl(2): the signal that this process gets when its parent ends.
static inline int set_parent_death_signal(int number) { return prctl(PR_SET_PDEATHSIG, number); }

// prctl(2): the name of this process in lists of processes.
static inline int set_process_name(const char *name) { return prctl(PR_SET_NAME, name); }

// memfd_create(2): a file in memory, closed by exec.
static inline int open_memory_file(void) { return (int)syscall(SYS_memfd_create, "rigready", 1U); }

static inline void interrupt_only(int number) { (void)number; }

// timer_create(2): a timer whose signal interrupts the system call in which this thread waits, on the clock of `Instant`. A signal that is
// ignored, as this one is by default, would interrupt none.
static inline int create_interrupting_timer(timer_t *timer)
{
    struct sigaction action = {.sa_handler = interrupt_only};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    if (sigaction(SIGURG, &action, NULL) != 0 || pthread_sigmask(SIG_UNBLOCK, &set, NULL) != 0) return -1;
    return timer_create(CLOCK_BOOTTIME, &event, timer);
}

// The name of an error number, glibc 2.32; its header declares it for GNU C only.
const char *strerrorname_np(int number);

// posix_spawn(3), glibc 2.35: puts the new process' group in the foreground of a terminal.
int posix_spawn_file_actions_addtcsetpgrp_np(posix_spawn_file_actions_t *actions, int terminal);

// prctl(2), capset(2), setns(2) and the calls that set identifiers, for a process that takes the place of another one. It has one thread, so
// that the calls of the kernel suffice, which change a single thread.
static inline int keep_capabilities(void) { return prctl(PR_SET_KEEPCAPS, 1); }
static inline int drop_bounding_capability(int number) { return prctl(PR_CAPBSET_DROP, number); }
static inline int raise_ambient_capability(int number) { return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0); }
static inline int set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0); }
static inline int set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int set_capabilities(uint64_t effective, uint64_t permitted, uint64_t inheritable)
{
    struct {
        uint32_t version;
        int process;
    } header = {0x20080522, 0};
    uint32_t sets[2][3] = {
        {(uint32_t)effective, (uint32_t)permitted, (uint32_t)inheritable},
        {(uint32_t)(effective >> 32), (uint32_t)(permitted >> 32), (uint32_t)(inheritable >> 32)},
    };
    return (int)syscall(SYS_capset, &header, sets);
}
static inline int enter_namespace(int descriptor) { return (int)syscall(SYS_setns, descriptor, 0); }
static inline int set_groups(size_t count, const gid_t *groups) { return (int)syscall(SYS_setgroups, count, groups); }
static inline int set_group(gid_t group) { return (int)syscall(SYS_setresgid, group, group, group); }
static inline int set_user(uid_t user) { return (int)syscall(SYS_setresuid, user, user, user); }

// ptrace(2), without the meaning that the C library gives its results; seccomp(2): a filter of system calls for this thread.
static inline long trace(int request, pid_t process, unsigned long address, const void *data)
{
    return syscall(SYS_ptrace, request, process, address, data);
}
static inline int install_filter(const void *instructions, unsigned short count)
{
    struct sock_fprog program = {count, (struct sock_filter *)instructions};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
