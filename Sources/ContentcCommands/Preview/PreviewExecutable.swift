import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Another executable that is installed beside this one.
enum PreviewExecutable {
  /// Becomes the other program, with the same arguments; comes back only with the reason why that
  /// failed.
  static func handOver(to name: String) -> Failure {
    let path = "\(folder)\(name)"
    var arguments = ([path] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
    execv(path, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    return Failure(
      .inputOutput, "missing-executable",
      "'\(path)' cannot be started: \(String(cString: strerror(code)))",
      notes: ["install it beside 'contentc'; 'make run' builds both"])
  }

  /// Where this executable is, links to it followed, with a slash at the end.
  private static var folder: String {
    guard let resolved = realpath(Executable.path, nil) else { return "" }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return String(
      path.prefix(upTo: path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex))
  }
}
