// eventfd(2), which Swift's module of the C library lacks.
#include <sys/eventfd.h>
