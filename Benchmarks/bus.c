// Creates a bus of files: bus FOLDER COUNT makes COUNT six-axis devices below FOLDER, laid out as IIO is in sysfs.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void stop(const char *what) { perror(what); exit(70); }

static void folder(const char *path)
{
    char part[512];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(part, 0755);
        *c = '/';
    }
    if (mkdir(part, 0755) && access(part, X_OK)) stop(part);
}

static void file(const char *place, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", place, name);
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out)) stop(path);
}

static void link_to(const char *target, const char *path)
{
    unlink(path);
    if (symlink(target, path)) stop(path);
}

static void device(const char *root, int number)
{
    static const char *const families[] = { "accel", "anglvel" }, *const raws[] = { "1\n", "-20\n", "16384\n" };
    char place[256], name[256], text[256];
    // Sixty devices per adapter, each with its own address.
    int adapter = number / 60, address = 8 + number % 60;
    snprintf(place, sizeof place, "%s/devices/platform/soc/i2c-%d/%d-%04x/iio:device%d", root, adapter, adapter, address, number);
    folder(place);
    snprintf(text, sizeof text, "MAJOR=240\nMINOR=%d\nDEVNAME=iio:device%d\nDEVTYPE=iio_device\n", number, number);
    file(place, "uevent", text);
    snprintf(text, sizeof text, "240:%d\n", number);
    file(place, "dev", text);
    file(place, "name", "bmi160\n");
    file(place, "current_timestamp_clock", "realtime\n");
    for (int family = 0; family < 2; family++) {
        for (int axis = 0; axis < 3; axis++) {
            snprintf(name, sizeof name, "in_%s_%c_raw", families[family], 'x' + axis);
            file(place, name, raws[axis]);
            snprintf(name, sizeof name, "in_%s_%c_calibbias", families[family], 'x' + axis);
            file(place, name, "0\n");
        }
        snprintf(name, sizeof name, "in_%s_scale", families[family]);
        file(place, name, family ? "0.000133090\n" : "0.000598550\n");
        snprintf(name, sizeof name, "in_%s_scale_available", families[family]);
        file(place, name, "0.000598550 0.001197101 0.002394202\n");
        snprintf(name, sizeof name, "in_%s_sampling_frequency", families[family]);
        file(place, name, "100.000000\n");
        snprintf(name, sizeof name, "in_%s_sampling_frequency_available", families[family]);
        file(place, name, "25 50 100 200 400 800 1600\n");
        snprintf(name, sizeof name, "in_%s_mount_matrix", families[family]);
        file(place, name, "1, 0, 0; 0, 1, 0; 0, 0, 1\n");
    }
    char part[300], path[512];
    snprintf(part, sizeof part, "%s/scan_elements", place);
    folder(part);
    for (int cell = 0; cell < 6; cell++) {
        const char *family = families[cell / 3];
        snprintf(name, sizeof name, "in_%s_%c_en", family, 'x' + cell % 3);
        file(part, name, "0\n");
        snprintf(name, sizeof name, "in_%s_%c_type", family, 'x' + cell % 3);
        file(part, name, "le:s16/16>>0\n");
        snprintf(name, sizeof name, "in_%s_%c_index", family, 'x' + cell % 3);
        snprintf(text, sizeof text, "%d\n", cell);
        file(part, name, text);
    }
    snprintf(part, sizeof part, "%s/buffer", place);
    folder(part);
    file(part, "enable", "0\n");
    file(part, "length", "2\n");
    snprintf(path, sizeof path, "%s/subsystem", place);
    link_to("../../../../../../bus/iio", path);
    snprintf(text, sizeof text, "../../../devices/platform/soc/i2c-%d/%d-%04x/iio:device%d", adapter, adapter, address, number);
    snprintf(path, sizeof path, "%s/bus/iio/devices/iio:device%d", root, number);
    link_to(text, path);

    // The parent chip, so that a query for its driver finds one.
    *strrchr(place, '/') = 0;
    snprintf(text, sizeof text, "DRIVER=bmi160_i2c\nMODALIAS=i2c:bmi160\n");
    file(place, "uevent", text);
    file(place, "name", "bmi160\n");
    file(place, "modalias", "i2c:bmi160\n");
    snprintf(path, sizeof path, "%s/subsystem", place);
    link_to("../../../../../bus/i2c", path);
    snprintf(path, sizeof path, "%s/driver", place);
    link_to("../../../../../bus/i2c/drivers/bmi160_i2c", path);
    snprintf(text, sizeof text, "../../../devices/platform/soc/i2c-%d/%d-%04x", adapter, adapter, address);
    snprintf(path, sizeof path, "%s/bus/i2c/devices/%d-%04x", root, adapter, address);
    link_to(text, path);
}

int main(int count, char **words)
{
    static const char *const folders[] = {
        "bus/iio/devices", "bus/i2c/devices", "bus/i2c/drivers/bmi160_i2c", "class", "devices/platform/soc", "module",
    };
    char path[300];
    if (count != 3) {
        fputs("usage: bus FOLDER COUNT\n", stderr);
        return 64;
    }
    for (size_t at = 0; at < sizeof folders / sizeof *folders; at++) {
        snprintf(path, sizeof path, "%s/%s", words[1], folders[at]);
        folder(path);
    }
    for (int number = 0; number < atoi(words[2]); number++) device(words[1], number);
    return 0;
}
