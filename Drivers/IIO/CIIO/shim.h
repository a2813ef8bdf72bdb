// libiio's types alone: the library is opened at first use, so there is no link line in the module map.
#include <iio.h>
