import Diagnostics

/// The bytes of a file as libyaml may see them: UTF-8 without a byte-order mark or characters that
/// YAML refuses.
///
/// Each scalar of the file stays one scalar, so that lines and columns do not move.
struct YAMLText {
  private(set) var bytes: [UInt8]
  private(set) var standIns = YAMLStandIns()
  private(set) var isASCII = false
  /// A Boolean value that indicates whether the last line feed is not in the file.
  private(set) var endsWithAddedLineFeed = false

  /// The text of a file without its faults; `nil` if the file is not UTF-8 text at all.
  static func checked(_ raw: [UInt8], path: String) -> Diagnosed<YAMLText?> {
    if raw.looksLikeUTF16 {
      let start = SourcePosition(line: 1, column: 1)
      let location = SourceLocation(path: path, range: SourceRange(from: start, to: start))
      return Diagnosed(
        nil,
        diagnostics: [
          Diagnostic(
            .error, rule: .invalidUTF8, at: location,
            message: "a YAML file must be UTF-8, not UTF-16")
        ])
    }
    let hasMark = raw.starts(with: [0xEF, 0xBB, 0xBF])
    let scan = YAMLScan(hasMark ? Array(raw.dropFirst(3)) : raw)
    var text = YAMLText(bytes: scan.mendedBytes, isASCII: scan.isASCII)
    if scan.hasOtherLineBreaks { text.standIns = YAMLStandIns(replacingIn: &text.bytes) }
    text.endLastBlankLine()
    return Diagnosed(
      scan.faults.count > YAMLScan.mostFaults ? nil : text,
      diagnostics: scan.diagnostics(path: path))
  }

  /// Adds a line feed to a last line that consists of spaces.
  ///
  /// Without it, libyaml would lose the last line break of a block scalar above these spaces.
  private mutating func endLastBlankLine() {
    guard bytes.last == 0x20, let last = bytes.lastIndex(where: { $0 != 0x20 }), bytes[last] == 0x0A
    else { return }
    bytes.append(0x0A)
    endsWithAddedLineFeed = true
  }
}

extension [UInt8] {
  fileprivate var looksLikeUTF16: Bool {
    guard count >= 2 else { return false }
    return switch (self[0], self[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): true
    case (0, 1...), (1..., 0): count.isMultiple(of: 2)
    default: false
    }
  }
}
