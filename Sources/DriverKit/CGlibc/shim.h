// What Swift's module of the C library lacks: some headers, and calls with a variable number of arguments.
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// prctl(2): the signal that this process gets when its parent ends.
static inline int set_parent_death_signal(int number) { return prctl(PR_SET_PDEATHSIG, number); }

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

// elf(5): the loader has applied the program's relocations and does not read their table again, which is over a megabyte: its
// pages need not stay in memory. They are the file's, so that one that is read again comes back.
static inline void release_relocations(void)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    const uintptr_t base = (uintptr_t)__ehdr_start, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t table = 0, size = 0;
    for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_RELA) table = entry->d_un.d_ptr;
        if (entry->d_tag == DT_RELASZ) size = entry->d_un.d_val;
    }
    // Most loaders have put the address in the place of the offset.
    if (table < base) table += base;
    const uintptr_t begin = (table + page - 1) / page * page, end = (table + size) / page * page;
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
}

// madvise(2): the program's code and constants so far need not stay in memory before a long wait, or before work of another
// kind. They are the file's, and read-only: what runs again comes back.
static inline void release_program_text(void)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    extern const char etext[] __attribute__((visibility("hidden")));
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)__ehdr_start / page * page, end = (uintptr_t)etext / page * page;
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
}

// dl_iterate_phdr(3), whose header declares it for GNU C only.
struct dl_phdr_info {
    ElfW(Addr) dlpi_addr;
    const char *dlpi_name;
    const ElfW(Phdr) *dlpi_phdr;
    ElfW(Half) dlpi_phnum;
};
int dl_iterate_phdr(int (*body)(struct dl_phdr_info *, size_t, void *), void *context);

static inline int release_text_of_library(struct dl_phdr_info *library, size_t size, void *context)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; library->dlpi_name[0] && index < library->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        const uintptr_t begin = (library->dlpi_addr + part->p_vaddr) / page * page;
        madvise((void *)begin, part->p_memsz, MADV_DONTNEED);
    }
    return (void)size, (void)context, 0;
}

// madvise(2): the same of the code of all libraries, after work that needs much of one once.
static inline void release_library_text(void) { dl_iterate_phdr(release_text_of_library, NULL); }

// The name of an error number, glibc 2.32; its header declares it for GNU C only.
const char *strerrorname_np(int number);

// posix_spawn(3), glibc 2.35: puts the new process' group in the foreground of a terminal.
int posix_spawn_file_actions_addtcsetpgrp_np(posix_spawn_file_actions_t *actions, int terminal);
