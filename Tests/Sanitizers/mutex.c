// Shows ThreadSanitizer the locks of Swift's Mutex: loaded before a program that was built with it.
//
// A contended lock is taken and released in the Synchronization library, which is not instrumented, so ThreadSanitizer
// would take every access under such a lock for a race. Uncontended, the instrumented program does both itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

// `_MutexHandle._lockSlow(UInt32)` and `_MutexHandle._unlockSlow()`.
static const char lock_name[] = "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF";
static const char unlock_name[] = "$s15Synchronization12_MutexHandleV11_unlockSlowyyF";

SWIFT void lock_slowly(uint32_t thread, SELF void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slowly(SELF void *handle) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slowly(uint32_t thread, SELF void *handle)
{
    SWIFT void (*lock)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, lock_name);
    lock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slowly(SELF void *handle)
{
    SWIFT void (*unlock)(SELF void *) = dlsym(RTLD_NEXT, unlock_name);
    if (__tsan_release) __tsan_release(handle);
    unlock(handle);
}
