package import CCurl

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
