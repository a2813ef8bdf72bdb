// What Swift's module of the C library lacks: some headers, and calls with a variable number of arguments.
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// prctl(2): the signal that this process gets when its parent ends.
static inline int set_parent_death_signal(int number) { return prctl(PR_SET_PDEATHSIG, number); }

// memfd_create(2): a file in memory, closed by exec.
static inline int open_memory_file(void) { return (int)syscall(SYS_memfd_create, "rigready", 1U); }

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

// The name of an error number, glibc 2.32; its header declares it for GNU C only.
const char *strerrorname_np(int number);
