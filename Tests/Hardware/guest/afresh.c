// Runs a program with every signal as by default: a shell starts those in the background with SIGINT and SIGQUIT ignored.
//   afresh COMMAND [ARGUMENT]…
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    sigset_t none;
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (argc < 2) return 64;
    execv(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
