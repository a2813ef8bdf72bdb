// libiio, which is opened at first use: the types of the functions that are taken from it.
#include <iio.h>

#define OPENED(function) typedef __typeof__(&function) opened_##function;
OPENED(iio_create_context_from_uri)
OPENED(iio_context_destroy)
OPENED(iio_context_get_xml)
OPENED(iio_context_set_timeout)
OPENED(iio_context_find_device)
OPENED(iio_device_find_channel)
OPENED(iio_device_attr_read)
OPENED(iio_channel_attr_read)
OPENED(iio_device_get_channels_count)
OPENED(iio_device_get_channel)
OPENED(iio_channel_enable)
OPENED(iio_channel_disable)
OPENED(iio_device_set_kernel_buffers_count)
OPENED(iio_device_create_buffer)
OPENED(iio_buffer_destroy)
OPENED(iio_buffer_set_blocking_mode)
OPENED(iio_buffer_get_poll_fd)
OPENED(iio_buffer_step)
OPENED(iio_buffer_refill)
OPENED(iio_buffer_start)
