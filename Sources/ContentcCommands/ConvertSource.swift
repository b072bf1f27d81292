import ArgumentParser
package import ContentModel
import ContentSource
package import Diagnostics
import PropertyLists
import YAML

/// An input format of `convert`.
package enum ConvertSource: String, ExpressibleByArgument, CaseIterable {
  case yaml
  case binary
  case xml
  case openstep
  case json
  /// The format of property lists that the bytes have.
  case detected

  /// The formats that `--from` accepts.
  package static let allValueStrings = allCases.filter { $0 != .detected }.map(\.rawValue)

  package init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }

  /// Chooses YAML by the extension of a file, and detects other formats by the content.
  package init(guessedFrom path: String) {
    self = path.hasByteSuffix(".yaml") || path.hasByteSuffix(".yml") ? .yaml : .detected
  }

  /// Decodes bytes to a value; `nil` if an error is among the diagnostics.
  package func read(_ bytes: [UInt8], path: String) -> Diagnosed<Value?> {
    guard self == .yaml else { return decode(bytes, path: path) }
    let read = YAMLReader().read(bytes, path: path)
    guard let node = read.output else { return Diagnosed(nil, diagnostics: read.diagnostics) }
    var diagnostics = read.diagnostics
    let value = Value(node, reporting: &diagnostics)
    if value == nil, node.isNull {
      diagnostics.append(
        .noNull("the whole file is null, which a property list cannot hold", at: node))
    }
    return Diagnosed(value, diagnostics: diagnostics)
  }

  private func decode(_ bytes: [UInt8], path: String) -> Diagnosed<Value?> {
    do {
      return Diagnosed(
        // The user has chosen the file, so its size is not limited.
        try PropertyList.decode(
          bytes, as: PropertyListFormat(rawValue: rawValue), valueLimit: .max
        ).value)
    } catch {
      let position = error.position.map { SourcePosition(line: $0.line, column: $0.column) }
      let range = position.map {
        SourceRange(from: $0, to: SourcePosition(line: $0.line, column: $0.column + 1))
      }
      let message = position == nil ? error.description : "\(error.reason)"
      return Diagnosed(
        nil,
        diagnostics: [
          Diagnostic(
            .error, rule: .badPropertyList, at: SourceLocation(path: path, range: range),
            message: message)
        ])
    }
  }
}

extension Value {
  /// Converts a YAML node by the core schema; `nil` for null and for reported mistakes.
  fileprivate init?(_ node: YAMLNode, reporting diagnostics: inout [Diagnostic]) {
    switch node.kind {
    case .scalar: self.init(scalar: node, reporting: &diagnostics)
    case .sequence:
      var items: [Value] = []
      for item in node.items {
        if item.isNull { diagnostics.append(.noNull("a list cannot hold null", at: item)) }
        if let value = Value(item, reporting: &diagnostics) { items.append(value) }
      }
      self = .array(items)
    case .mapping:
      var members: [(String, Value)] = []
      for (key, node) in node.members {
        if let value = Value(node, reporting: &diagnostics) { members.append((key.text, value)) }
      }
      self = .dictionary(Members(members))
    }
  }

  private init?(scalar node: YAMLNode, reporting diagnostics: inout [Diagnostic]) {
    switch node.scalar {
    case .null: return nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .text: self = .string(node.text)
    case .binary(let bytes): self = .data(bytes)
    case .integerOutOfRange:
      diagnostics.append(
        Diagnostic(
          .error, rule: .outOfRange, at: node.location,
          message: "an integer must be between -2^63 and 2^63 - 1",
          notes: [Diagnostic.Note("in quotes, it is a text")]))
      return nil
    }
  }
}

extension Diagnostic {
  fileprivate static func noNull(_ message: String, at node: YAMLNode) -> Diagnostic {
    Diagnostic(
      .error, rule: .null, at: node.location, message: message,
      notes: [Note("property lists have no null")])
  }
}
