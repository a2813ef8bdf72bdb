// GCC 13 and later ask the library by this name to prepare its streams; where GCC 12's is linked, this object does it by
// including their header.
#include <iostream>

extern "C" __attribute__((visibility("hidden"))) void _ZSt21ios_base_library_initv() {}
