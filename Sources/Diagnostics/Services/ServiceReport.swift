package import ContentModel

/// The diagnostics of a command in the formats of services that run it, such as GitHub and GitLab.
package struct ServiceReport: Sendable {
  package let diagnostics: [Diagnostic]
  private let source: @Sendable (_ path: ExactString) -> [UInt8]?
  private let relative: @Sendable (_ path: ExactString) -> String

  /// Creates a report of all diagnostics of a command, in the order in which they are printed.
  ///
  /// `source` returns the bytes of a file. `relative` returns its path from the root of the
  /// repository, or its absolute path if it is outside.
  package init(
    _ diagnostics: [Diagnostic], source: @escaping @Sendable (_ path: ExactString) -> [UInt8]?,
    relative: @escaping @Sendable (_ path: ExactString) -> String
  ) {
    (self.diagnostics, self.source, self.relative) = (diagnostics, source, relative)
  }

  func path(_ location: SourceLocation) -> String { relative(location.path) }

  /// Returns the place of a note or a diagnostic as people read it.
  func place(_ location: SourceLocation) -> String {
    SourceLocation(path: path(location), range: location.range).description
  }
}

extension ServiceReport {
  /// A line of a file.
  fileprivate struct Line: Hashable {
    var path: ExactString
    var number: Int
  }

  /// Returns a fingerprint of each of some diagnostics, different ones, that stay the same if lines
  /// move.
  ///
  /// A fingerprint is a hash of the rule, the path and the text of the line. The message stands for a
  /// line that does not exist or must not be shown. Equal ones are numbered in their order.
  func fingerprints(of diagnostics: [Diagnostic]) -> [String] {
    var files: [ExactString: SourceLines] = [:]
    // A line of a megabyte can have thousands of mistakes, so it is hashed once.
    var lines: [Line: Digest?] = [:]
    func digest(_ line: Line) -> Digest? {
      if let known = lines[line] { return known }
      let file = files[line.path] ?? SourceLines(source(line.path) ?? [])
      files[line.path] = file
      let digest = file[line.number].map { Digest(of: Array(String($0).withoutOuterSpaces.utf8)) }
      lines[line] = .some(digest)
      return digest
    }
    var counts: [Digest: Int] = [:]
    return diagnostics.map { diagnostic in
      let line = diagnostic.hidesSource ? nil : diagnostic.location?.line.flatMap(digest)
      let parts = [
        diagnostic.id, diagnostic.location.map(path) ?? "", line?.hex ?? diagnostic.message,
      ]
      let same = Digest(of: Array(parts.joined(separator: "\0").utf8))
      counts[same, default: 0] += 1
      return Digest(of: Array("\(same.hex) \(counts[same, default: 0])".utf8)).hex
    }
  }
}

extension SourceLocation {
  fileprivate var line: ServiceReport.Line? {
    range.map { ServiceReport.Line(path: path, number: $0.start.line) }
  }
}

extension String {
  fileprivate var withoutOuterSpaces: String {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    let start = unicodeScalars.drop(while: isSpace)
    let kept = start.reversed().drop(while: isSpace).reversed()
    return String(String.UnicodeScalarView(kept))
  }
}

extension Diagnostic.FixIt {
  /// The change in words, such as `write 'title'`.
  var words: String { replacement.isEmpty ? "remove what is marked" : "write '\(replacement)'" }
}
