import Diagnostics
import System
import SystemC

/// The executable `contentc-preview`, which is installed beside `contentc`.
///
/// It is a program of its own, since `contentc` starts faster without a web server.
package enum PreviewExecutable {
  private static let name = "contentc-preview"

  /// Replaces this process with the executable, which gets the same arguments.
  ///
  /// - Throws: a failure if this is impossible; otherwise, the function does not return.
  package static func replaceProcess() throws(Failure) -> Never {
    let path = "\(folder)\(name)"
    var arguments = ([path] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
    execv(path, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    throw Failure(
      .inputOutput, .missingExecutable,
      "'\(path)' cannot be started: \(String(cString: strerror(code)))",
      notes: ["install it beside 'contentc'; 'make run' builds both"])
  }

  /// The folder of this executable, without symbolic links and with a slash at the end.
  private static var folder: String {
    guard let resolved = realpath(Executable.path, nil) else { return "" }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return String(
      path.prefix(upTo: path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex))
  }
}
