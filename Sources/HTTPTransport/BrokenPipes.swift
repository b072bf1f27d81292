import SystemC

/// Sees to it that a server which hangs up does not end the process: OpenSSL writes without
/// `MSG_NOSIGNAL`.
///
/// The thread's signals are afterwards as they were, since programs that are started inherit them.
func withoutBrokenPipes<Result>(_ work: () -> Result) -> Result {
  var pipe = sigset_t()
  var before = sigset_t()
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  let result = work()
  guard sigismember(&before, SIGPIPE) == 0 else { return result }
  var pending = sigset_t()
  sigpending(&pending)
  // One that waits would end the process as soon as it is let through.
  if sigismember(&pending, SIGPIPE) == 1 {
    var taken: Int32 = 0
    sigwait(&pipe, &taken)
  }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  return result
}
