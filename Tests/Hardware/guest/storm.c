// Makes the kernel announce devices repeatedly: storm COUNT FILE..., each FILE a device's `uevent`.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words)
{
    int files = count - 2;
    if (files < 1) return 64;
    for (int turn = 0; turn < atoi(words[1]); turn++) {
        int file = open(words[2 + turn % files], O_WRONLY | O_CLOEXEC);
        if (file < 0 || write(file, turn % 2 ? "change" : "add", turn % 2 ? 6 : 3) < 0) { perror(words[2 + turn % files]); return 70; }
        close(file);
    }
    return 0;
}
