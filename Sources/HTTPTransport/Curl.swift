import CCurl
import SystemC

/// libcurl's functions, loaded on first use.
///
/// Unchecked, since the compiler does not know that threads can share addresses of C functions.
struct Curl: @unchecked Sendable {
  let functions: ccurl_functions

  /// `nil` if there is no libcurl.
  static let loaded: Curl? = {
    var functions = ccurl_functions()
    return ccurl_load(name, &functions) ? Curl(functions: functions) : nil
  }()

  /// The library's name, whose number has been the same since 2006.
  static var name: String {
    #if canImport(Darwin)
      "libcurl.4.dylib"
    #else
      "libcurl.so.4"
    #endif
  }
}

extension HTTPClient {
  /// The version of libcurl, which this property loads; `nil` if there is none.
  package static var curlVersion: String? {
    // Such as `libcurl/7.88.1 OpenSSL/3.0.15`.
    guard let text = Curl.loaded?.functions.version() else { return nil }
    return String(cString: text).split(separator: " ").first.map {
      String($0.drop { $0 != "/" }.dropFirst())
    }
  }
}

/// Blocks the signal of a closed connection during some work, since it would end the process.
///
/// OpenSSL writes without `MSG_NOSIGNAL`. Afterwards the thread's signals are as before, since
/// started programs inherit them.
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
  // A pending signal would end the process as soon as it is unblocked.
  if sigismember(&pending, SIGPIPE) == 1 {
    var taken: Int32 = 0
    sigwait(&pipe, &taken)
  }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  return result
}
