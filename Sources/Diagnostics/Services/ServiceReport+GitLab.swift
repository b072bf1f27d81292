import ContentModel
import PropertyLists

extension ServiceReport {
  /// The report as a file for the code quality reports of GitLab.
  ///
  /// GitLab needs a path, so diagnostics without a file have `.`, which is the repository.
  package var codeQuality: [UInt8] {
    let issues = zip(diagnostics, fingerprints(of: diagnostics)).map { diagnostic, print in
      let line = diagnostic.location?.range?.start.line ?? 1
      return JSONText.object([
        ("description", .string(diagnostic.message.harmless)),
        ("check_name", .string(diagnostic.id)), ("fingerprint", .string(print)),
        ("severity", .string(diagnostic.severity == .error ? "critical" : "minor")),
        (
          "location",
          .object([
            ("path", .string(diagnostic.location.map(path) ?? ".")),
            ("lines", .object([("begin", .number(line))])),
          ])
        ),
      ])
    }
    return issues.isEmpty ? Array("[]\n".utf8) : JSONText.array(issues).file
  }
}
