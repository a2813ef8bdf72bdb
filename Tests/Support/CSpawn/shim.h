// What Swift's module of the C library lacks of <spawn.h>: glibc's extensions (2.29, 2.34).
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#include <sys/syscall.h>
#include <unistd.h>

// setresuid(2) of this thread alone: the C library's function changes all threads.
static inline long set_user_of_thread(unsigned user) { return syscall(SYS_setresuid, user, user, user); }
