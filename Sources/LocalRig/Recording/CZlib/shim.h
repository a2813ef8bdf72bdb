// zlib: recordings in gzip files. Its two initialisers are macros, so these functions replace them.
#include <string.h>
#include <zlib.h>

static inline int zlib_begin_inflate(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    // 15 bits of window, and only gzip headers.
    return inflateInit2(stream, 15 + 16);
}

static inline int zlib_begin_deflate(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
