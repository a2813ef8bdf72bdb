// Stands before the C library's allocator and counts, thread by thread, how often it is asked.
#include "AllocationCount.h"
#include <errno.h>
#include <stddef.h>

// A sanitizer brings an allocator of its own, which must not be replaced.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
_Bool allocations_are_counted(void) { return 0; }
uint64_t allocations_of_this_thread(void) { return 0; }
#else
_Bool allocations_are_counted(void) { return 1; }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static _Thread_local uint64_t count;

uint64_t allocations_of_this_thread(void) { return count; }

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *memory, size_t size) { count++; return __libc_realloc(memory, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    count++;
    void *found = __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}
#endif
