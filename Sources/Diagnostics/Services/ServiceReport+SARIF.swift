import ContentModel
import PropertyLists

extension ServiceReport {
  /// The greatest number of results that GitHub accepts in a file.
  static let mostResults = 25_000

  /// Returns the report as a SARIF log (Static Analysis Results Interchange Format 2.1.0).
  ///
  /// Results need a place, so diagnostics without a file are notifications.
  package func sarif(version: String) -> [UInt8] {
    let shown = diagnostics.cut(to: Self.mostResults)
    let results = shown.filter { $0.location != nil }
    let others = shown.filter { $0.location == nil }
    let used = Set(shown.map(\.rule))
    let rules = Rule.all.filter { used.contains($0) }
    let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    let prints = fingerprints(of: results)
    let driver: JSONText = .object([
      ("name", .string("contentc")), ("semanticVersion", .string(version)),
      ("rules", .array(rules.map(\.sarif))),
    ])
    let invocation: JSONText = .object([
      ("executionSuccessful", .boolean(!others.hasErrors)),
      (
        "toolExecutionNotifications",
        .array(others.map { notification($0, ruleIndex: indices[$0.rule] ?? 0) })
      ),
    ])
    let run: JSONText = .object([
      ("tool", .object([("driver", driver)])),
      ("invocations", .array([invocation])),
      (
        "originalUriBaseIds",
        .object([
          (
            Self.rootID,
            .object([("description", .object([("text", .string("The root of the repository."))]))])
          )
        ])
      ),
      ("columnKind", .string("unicodeCodePoints")),
      ("newlineSequences", .array(["\r\n", "\n", "\r"].map(JSONText.string))),
      (
        "results",
        .array(
          zip(results, prints).map {
            result($0, fingerprint: $1, ruleIndex: indices[$0.rule] ?? 0)
          })
      ),
    ])
    let log: JSONText = .object([
      (
        "$schema",
        .string("https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json")
      ),
      ("version", .string("2.1.0")), ("runs", .array([run])),
    ])
    return log.file
  }

  /// The name of the folder from which paths are relative.
  private static let rootID = "%SRCROOT%"

  private func result(
    _ diagnostic: Diagnostic, fingerprint: String, ruleIndex: Int
  ) -> JSONText {
    let place = diagnostic.location.map { self.physical($0) }
    let notes = diagnostic.firstNotes
    // A note without a place would be no location, so its sentence is part of the message.
    let sentences =
      [diagnostic.message] + notes.filter { $0.location == nil }.map { "note: \($0.message)" }
    let placed = notes.filter { $0.location != nil }
    var members: [JSONText.Member] = [
      ("ruleId", .string(diagnostic.id)), ("ruleIndex", .number(ruleIndex)),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", message(sentences)),
      ("locations", .array(place.map { [.object([("physicalLocation", $0)])] } ?? [])),
    ]
    if !placed.isEmpty {
      let related = placed.enumerated().map { index, note -> JSONText in
        var location: [JSONText.Member] = [("id", .number(index + 1))]
        location += note.location.map { [("physicalLocation", physical($0))] } ?? []
        return .object(location + [("message", message([note.message]))])
      }
      members.append(("relatedLocations", .array(related)))
    }
    members.append(
      ("partialFingerprints", .object([("contentcFingerprint/v1", .string(fingerprint))])))
    if let fixIt = diagnostic.fixIt, let location = diagnostic.location {
      members.append(("fixes", .array([fix(fixIt, in: location)])))
    }
    return .object(members)
  }

  private func fix(_ fixIt: Diagnostic.FixIt, in location: SourceLocation) -> JSONText {
    let replacement: JSONText = .object([
      ("deletedRegion", fixIt.range.sarif),
      ("insertedContent", .object([("text", .string(fixIt.replacement))])),
    ])
    let change: JSONText = .object([
      ("artifactLocation", artifact(location)), ("replacements", .array([replacement])),
    ])
    return .object([
      ("description", message([fixIt.words])), ("artifactChanges", .array([change])),
    ])
  }

  private func notification(_ diagnostic: Diagnostic, ruleIndex: Int) -> JSONText {
    .object([
      (
        "associatedRule",
        .object([("id", .string(diagnostic.id)), ("index", .number(ruleIndex))])
      ),
      ("level", .string(diagnostic.severity.rawValue)),
      (
        "message",
        message([diagnostic.message] + diagnostic.firstNotes.map { "note: \($0.message)" })
      ),
    ])
  }

  /// Returns a message of some lines.
  ///
  /// In a message, `[text](address)` is a link. A space between both parts makes it text.
  private func message(_ lines: [String]) -> JSONText {
    let text = lines.map(\.harmless).joined(separator: "\n")
    let hasLink = text.utf8.contains(UInt8(ascii: "]"))
    return .object([("text", .string(hasLink ? text.replacing("](", with: "] (") : text))])
  }

  /// Returns a place.
  ///
  /// GitHub refuses a place without a line, so a whole file is its first line.
  private func physical(_ location: SourceLocation) -> JSONText {
    .object([
      ("artifactLocation", artifact(location)),
      ("region", location.range?.sarif ?? .object([("startLine", .number(1))])),
    ])
  }

  private func artifact(_ location: SourceLocation) -> JSONText {
    let path = path(location)
    guard !path.hasBytePrefix("/") else {
      return .object([("uri", .string("file://" + path.percentEncoded))])
    }
    return .object([
      ("uri", .string(path.percentEncoded)), ("uriBaseId", .string(Self.rootID)),
    ])
  }
}

extension SourceRange {
  fileprivate var sarif: JSONText {
    .object([
      ("startLine", .number(start.line)), ("startColumn", .number(start.column)),
      ("endLine", .number(end.line)), ("endColumn", .number(end.column)),
    ])
  }
}

extension Rule {
  fileprivate var sarif: JSONText {
    let sentence = JSONText.object([("text", .string(summary.asSentence))])
    return .object([
      ("id", .string(name)), ("shortDescription", sentence), ("fullDescription", sentence),
      ("help", .object([("text", .string(help))])),
      (
        "defaultConfiguration",
        .object([("level", .string(level == .warning ? "warning" : "error"))])
      ),
    ])
  }

  /// The sentence of the rule, and its example.
  private var help: String {
    guard let example else { return summary.asSentence }
    let places = [(example.path, example.text), (example.curedPath, example.curedText)]
    let texts = zip(["Wrong", "Right"], places).map { word, place in
      "\(word), in \(place.0):\n\n" + place.1
    }
    return ([summary.asSentence] + texts).joined(separator: "\n\n")
  }
}

extension String {
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }

  /// The path as a part of a URI (RFC 3986), in which other bytes than unreserved ones are encoded.
  fileprivate var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return encoded
  }
}

extension JSONText {
  /// The bytes of a file with this value.
  var file: [UInt8] { encoded(in: .indented { !$0.isHarmless }) + [UInt8(ascii: "\n")] }
}
