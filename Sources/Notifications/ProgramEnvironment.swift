import Platform
import SystemC

/// The environment of the programs: variables that programs need in general, and those meant for
/// them.
///
/// The keys of targets and the tokens of caches are not part of it.
struct ProgramEnvironment: Sendable {
  /// The variables, each with its value after `=`.
  let variables: [String]
  /// The absolute folders of `PATH`: never the current one, which may be content.
  let folders: [String]

  private static let kept = [
    "ALL_PROXY", "CURL_CA_BUNDLE", "HOME", "HTTPS_PROXY", "LANG", "LOGNAME", "NO_PROXY",
    "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ", "USER", "all_proxy", "http_proxy",
    "https_proxy", "no_proxy",
  ]
  private static let keptPrefixes = ["LC_", "NOTIFY_"]

  /// Creates the environment from that of a process.
  init(_ all: [String] = Environment.all) {
    var variables: [String] = []
    var path = "/usr/local/bin:/usr/bin:/bin"
    for variable in all {
      let name = String(variable.prefix { $0 != "=" })
      if name == "PATH" { path = String(variable.dropFirst("PATH=".count)) }
      let isKept =
        Self.kept.contains { $0 == name } || Self.keptPrefixes.contains(where: name.hasPrefix)
      if isKept { variables.append(variable) }
    }
    folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    self.variables = variables + ["PATH=\(folders.joined(separator: ":"))"]
  }

  /// Returns the path of a program: the one that is given, or that of the first executable file of
  /// its name in `PATH`; `nil` if there is none.
  func path(of program: String) -> String? {
    let candidates = program.hasPrefix("/") ? [program] : folders.map { "\($0)/\(program)" }
    return candidates.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }
}
