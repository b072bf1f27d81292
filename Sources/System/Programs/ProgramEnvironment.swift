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

  /// Creates an environment of the variables that programs generally need, and of those that are
  /// meant for them.
  ///
  /// The keys of targets and the tokens of caches are not among them.
  package init(_ all: [String] = Environment.all) {
    self.init(all, adding: []) { name in
      Self.kept.contains(name) || Self.keptPrefixes.contains(where: name.hasBytePrefix)
    }
  }

  /// Creates an environment of the variables of a process, without some and with some new ones.
  package init(
    inheriting all: [String] = Environment.all, omitting omitted: [String], adding new: [String]
  ) {
    let names = omitted + new.map(Self.name)
    self.init(all, adding: new) { name in !names.contains { $0.hasSameBytes(as: name) } }
  }

  private init(_ all: [String], adding new: [String], keeping isKept: (String) -> Bool) {
    var variables: [String] = []
    var path = "/usr/local/bin:/usr/bin:/bin"
    for variable in all {
      let name = Self.name(of: variable)
      if name == "PATH" {
        path = String(Substring(variable.utf8.dropFirst("PATH=".utf8.count)))
      } else if isKept(name) {
        variables.append(variable)
      }
    }
    folders = path.split(separator: ":").map(String.init).filter { $0.hasBytePrefix("/") }
    self.variables = variables + new + ["PATH=\(folders.joined(separator: ":"))"]
  }

  private static func name(of variable: String) -> String {
    String(Substring(variable.utf8.prefix { $0 != UInt8(ascii: "=") }))
  }

  /// Returns the path of a program; `nil` if there is no such executable file.
  ///
  /// An absolute path stands for itself; a name stands for the first such file in `PATH`.
  package func path(of program: String) -> String? {
    let candidates = program.hasBytePrefix("/") ? [program] : folders.map { "\($0)/\(program)" }
    return candidates.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }
}
