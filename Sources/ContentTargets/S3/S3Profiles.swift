import ContentModel

/// The profiles in `~/.aws/credentials` and `~/.aws/config`, the INI files of Amazon's tools.
struct S3Profiles: Sendable {
  private var settings: [ExactString: [ExactString: String]] = [:]

  /// Reads sections `[name]` and settings `name = value`; skips indented lines, which belong to
  /// nested settings.
  ///
  /// In a config file (`isConfig`), sections other than `[default]` are called `[profile name]`.
  init(_ bytes: [UInt8], isConfig: Bool) {
    var profile: ExactString?
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard let first = line.first, !"#; \t".contains(first) else { continue }
      if first == "[" {
        profile = Self.profile(line, isConfig: isConfig).map { ExactString($0) }
        if let profile, settings[profile] == nil { settings[profile] = [:] }
        continue
      }
      let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        Self.trimmed)
      guard let profile, pair.count == 2 else { continue }
      settings[profile]?[pair[0].lowercased()] = pair[1]
    }
  }

  /// Returns the settings of a profile; `nil` if there is no such profile.
  subscript(profile: String) -> [ExactString: String]? { settings[profile] }

  private static func profile(_ line: Substring, isConfig: Bool) -> String? {
    let words = line.dropFirst().prefix { $0 != "]" }.split(whereSeparator: \.isWhitespace)
    guard isConfig, words.first == "profile" else {
      return words.count == 1 ? String(words[0]) : nil
    }
    let name = words.dropFirst().joined(separator: " ")
    return name.hasBytePrefix("\"") && name.hasByteSuffix("\"")
      ? String(name.dropFirst().dropLast()) : name
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
