// The minimum of libiio: its local context, created once, and the devices with their channels read from it.
#include <iio.h>
#include <stdio.h>

int main(void)
{
    struct iio_context *context = iio_create_local_context();
    if (!context) { perror("context"); return 70; }
    for (unsigned at = 0; at < iio_context_get_devices_count(context); at++) {
        struct iio_device *device = iio_context_get_device(context, at);
        const char *name = iio_device_get_name(device);
        printf("%s %s %u channels\n", iio_device_get_id(device), name ? name : "", iio_device_get_channels_count(device));
    }
    iio_context_destroy(context);
    return 0;
}
