// Shows a folder with values that take time: slow SOURCE MOUNT MILLISECONDS serves SOURCE at MOUNT, and each file whose
// name ends in _raw is read only after that time, as a chip does that takes its samples slowly. Runs until unmounted.
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fuse3/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *source;
static struct timespec delay;

static const char *original(const char *path, char place[static 1024])
{
    snprintf(place, 1024, "%s%s", source, path);
    return place;
}

static int attributes(const char *path, struct stat *status, struct fuse_file_info *file)
{
    char place[1024];
    (void)file;
    return lstat(original(path, place), status) ? -errno : 0;
}

static int target(const char *path, char *text, size_t size)
{
    char place[1024];
    ssize_t length = readlink(original(path, place), text, size - 1);
    if (length < 0) return -errno;
    text[length] = 0;
    return 0;
}

static int list(const char *path, void *buffer, fuse_fill_dir_t add, off_t offset, struct fuse_file_info *file,
                enum fuse_readdir_flags flags)
{
    char place[1024];
    DIR *folder = opendir(original(path, place));
    (void)offset, (void)file, (void)flags;
    if (!folder) return -errno;
    for (struct dirent *entry; (entry = readdir(folder));) add(buffer, entry->d_name, NULL, 0, 0);
    closedir(folder);
    return 0;
}

static int contents(const char *path, char *bytes, size_t size, off_t offset, struct fuse_file_info *file)
{
    char place[1024];
    size_t length = strlen(path);
    (void)file;
    if (offset == 0 && length > 4 && !strcmp(path + length - 4, "_raw")) nanosleep(&delay, NULL);
    FILE *in = fopen(original(path, place), "r");
    if (!in) return -errno;
    fseek(in, offset, SEEK_SET);
    size_t count = fread(bytes, 1, size, in);
    fclose(in);
    return (int)count;
}

static int opened(const char *path, struct fuse_file_info *file)
{
    (void)path;
    // Each open reads anew, and nothing is read ahead.
    file->direct_io = 1;
    return 0;
}

int main(int count, char **words)
{
    if (count != 4) {
        fputs("usage: slow SOURCE MOUNT MILLISECONDS\n", stderr);
        return 64;
    }
    static const struct fuse_operations operations = {
        .getattr = attributes, .readlink = target, .readdir = list, .open = opened, .read = contents,
    };
    long milliseconds = atol(words[3]);
    delay = (struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000 };
    source = words[1];
    return fuse_main(4, ((char *[]){ words[0], "-f", "-oallow_other,max_threads=64,attr_timeout=60,entry_timeout=60", words[2], NULL }), &operations, NULL);
}
