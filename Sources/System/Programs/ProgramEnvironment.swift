import ContentModel
import SystemC

/// The environment of a program.
package struct ProgramEnvironment: Sendable {
  /// The variables, each with its value after `=`.
  package let variables: [String]
  /// The absolute folders of `PATH`: never the current one, which may be content.
  let folders: [String]

  private static let kept = [
    "ALL_PROXY", "CURL_CA_BUNDLE", "HOME", "HTTPS_PROXY", "LANG", "LOGNAME", "NO_PROXY",
    "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ", "USER", "all_proxy", "http_proxy",
    "https_proxy", "no_proxy",
  ]
  private static let keptPrefixes = ["LC_", "NOTIFY_"]

  /// Creates an environment of the variables that programs need in general, and of those that are
  /// meant for them: the keys of targets and the tokens of caches are not part of it.
  package init(_ all: [String] = Environment.all) {
    self.init(all, adding: []) { name in
      Self.kept.contains(name) || Self.keptPrefixes.contains(where: name.hasBytePrefix)
    }
  }

  /// Creates an environment of all variables of a process but some, and some more.
  package init(
    inheriting all: [String] = Environment.all, omitting omitted: [String], adding new: [String]
  ) {
    let names = omitted + new.map { String($0.prefix { $0 != "=" }) }
    self.init(all, adding: new) { name in !names.contains { $0.hasSameBytes(as: name) } }
  }

  private init(_ all: [String], adding new: [String], keeping isKept: (String) -> Bool) {
    var variables: [String] = []
    var path = "/usr/local/bin:/usr/bin:/bin"
    for variable in all {
      let name = String(variable.prefix { $0 != "=" })
      if name == "PATH" {
        path = String(variable.dropFirst("PATH=".count))
      } else if isKept(name) {
        variables.append(variable)
      }
    }
    folders = path.split(separator: ":").map(String.init).filter { $0.hasBytePrefix("/") }
    self.variables = variables + new + ["PATH=\(folders.joined(separator: ":"))"]
  }

  /// Returns the path of a program: the one that is given, or that of the first executable file of
  /// its name in `PATH`; `nil` if there is none.
  package func path(of program: String) -> String? {
    let candidates = program.hasBytePrefix("/") ? [program] : folders.map { "\($0)/\(program)" }
    return candidates.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }
}
