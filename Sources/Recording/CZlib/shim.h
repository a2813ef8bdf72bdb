// zlib: recordings in gzip files. The two initialisers are macros there, so they are given functions here.
#include <string.h>
#include <zlib.h>

static inline int zlib_begin_inflate(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    // 15 bits of window, and the header of gzip alone.
    return inflateInit2(stream, 15 + 16);
}

static inline int zlib_begin_deflate(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
