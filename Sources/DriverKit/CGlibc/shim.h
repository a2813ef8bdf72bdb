// What Swift's module of the C library lacks: some headers, and calls with a variable number of arguments.
#include <malloc.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// prctl(2): the signal that this process gets when its parent ends.
static inline int set_parent_death_signal(int number) { return prctl(PR_SET_PDEATHSIG, number); }

// memfd_create(2): a file in memory, closed by exec.
static inline int open_memory_file(void) { return (int)syscall(SYS_memfd_create, "rigready", 1U); }

// The name of an error number, glibc 2.32; its header declares it for GNU C only.
const char *strerrorname_np(int number);
