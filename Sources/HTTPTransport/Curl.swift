package import CCurl
import SystemC

/// libcurl's functions, loaded when they are first needed.
///
/// Unchecked, since the compiler does not know that addresses of functions in C, which never
/// change, can be shared.
package struct Curl: @unchecked Sendable {
  package let functions: ccurl_functions

  /// `nil` if there is no libcurl.
  package static let loaded: Curl? = {
    var functions = ccurl_functions()
    return ccurl_load(name, &functions) ? Curl(functions: functions) : nil
  }()

  /// The library's name, whose number has been the same since 2006.
  package static var name: String {
    #if canImport(Darwin)
      "libcurl.4.dylib"
    #else
      "libcurl.so.4"
    #endif
  }
}

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
