#include <stdint.h>

/// How often this thread has asked for memory since it began.
uint64_t allocations_of_this_thread(void);
