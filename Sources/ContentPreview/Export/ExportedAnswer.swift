import ContentModel

/// The name of a file with an answer of the preview's server.
///
/// The page knows the question, a name with parameters, and computes the same name. A hash is a safe
/// name on every file system and server, whatever characters the parameters have. The file is
/// compressed by gzip, because few servers compress what they send.
enum ExportedAnswer {
  /// Returns the path of the answer to a question; parameters without a value do not count.
  static func path(_ name: String, _ parameters: [(name: String, value: String)] = []) -> String {
    let given = parameters.filter { !$0.value.isEmpty }.sorted { $0.name.precedesInBytes($1.name) }
    let question = ([name] + given.map { "\($0.name)=\($0.value)" }).joined(separator: "\n")
    return "api/\(Digest(of: Array(question.utf8)).hex.prefix(length)).bin"
  }

  /// Returns `true` for the file name of an answer, as `path` writes it.
  static func isFileName(_ name: String) -> Bool {
    name.hasByteSuffix(".bin") && name.utf8.count == length + 4
      && name.utf8.dropLast(4).allSatisfy { $0.hexadecimalValue != nil }
  }

  private static let length = 32
}
