// libzstd, which is opened at first use: the types of the functions that are taken from it.
#include <zstd.h>

#define OPENED(function) typedef __typeof__(&function) opened_##function;
OPENED(ZSTD_getFrameContentSize)
OPENED(ZSTD_decompress)
OPENED(ZSTD_isError)
