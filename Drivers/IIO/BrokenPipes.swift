internal import Glibc

/// Runs code that may write to a closed connection, and keeps SIGPIPE from ending the process.
///
/// libiio 0.24 writes to its sockets without MSG_NOSIGNAL. The signal goes to the writing thread, so it is blocked on
/// this thread only, and removed before it is delivered.
func withoutBrokenPipes<Value>(_ body: () -> Value) -> Value {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return body() }
    let value = body()
    if !wasPending {
        var atOnce = timespec()
        while unsafe sigtimedwait(&pipe, nil, &atOnce) == -1 && errno == EINTR {}
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return value
}
