// Debian sid's Swift is built on a newer C library than Debian 12's. These are the names that its static library asks for
// and the older one does not have; each does what the older one's own function does.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL __attribute__((visibility("hidden")))

// C23's readers of numbers, which differ in the prefix 0b alone.
LOCAL long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
LOCAL long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
LOCAL unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
LOCAL unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }
LOCAL int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

LOCAL size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}
LOCAL size_t strlcat(char *to, const char *from, size_t size)
{
    size_t used = strnlen(to, size);
    return used + (used == size ? strlen(from) : strlcpy(to + used, from, size - used));
}
