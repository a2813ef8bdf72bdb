#include <stdint.h>

/// How often this thread has asked for memory since it began.
uint64_t allocations_of_this_thread(void);

/// Whether they are counted, as they are in every build without a sanitizer.
_Bool allocations_are_counted(void);
