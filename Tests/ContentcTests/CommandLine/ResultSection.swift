import ContentModel
import PropertyLists

@testable import ContentcCommands
@testable import TestCommands

/// A section of `docs/reference/json.md`: the commands whose JSON results have the same keys.
struct ResultSection {
  var commands: [ListedCommand]

  var title: String { commands.map(\.name).joined(separator: ", ") }
  var rows: [ResultRow] { commands.first?.result ?? [] }
  var keys: [ResultKey] { rows.flatMap(\.keys) }

  /// The sections in the order of their first commands.
  static let all = ListedCommand.all.reduce(into: [ResultSection]()) { sections, command in
    let index = sections.firstIndex { $0.rows == command.result }
    if let index {
      sections[index].commands.append(command)
    } else {
      sections.append(ResultSection(commands: [command]))
    }
  }

  /// The text of the section.
  var text: String {
    let tables = rows.split(omittingEmptySubsequences: true) { $0.keys.isEmpty }
    var blocks: [String] = []
    for (index, row) in rows.enumerated() {
      if row.keys.isEmpty {
        blocks.append(Self.wrapped(row.meaning))
      } else if let table = tables.first(where: { $0.startIndex == index }) {
        let lines = table.map { row in
          "| \(row.keys.map { "`\($0.path)`" }.joined(separator: ", ")) | \(row.meaning) |"
            .replacing("|  |", with: "| |")
        }
        blocks.append("| key | |\n|---|---|\n" + lines.joined(separator: "\n"))
      }
    }
    if !statuses.isEmpty {
      blocks.append("| exit status | |\n|---|---|\n" + statuses.joined(separator: "\n"))
    }
    return "## \(title)\n\n" + blocks.joined(separator: "\n\n") + "\n"
  }

  /// The rows of the exit statuses with a specific meaning.
  private var statuses: [String] {
    ExitStatus.allCases.flatMap { status in
      var meanings: [(text: String, commands: [String])] = []
      for command in commands {
        for own in command.exitStatuses where own.status == status {
          if let index = meanings.firstIndex(where: { $0.text == own.meaning }) {
            meanings[index].commands.append(command.name)
          } else {
            meanings.append((own.meaning, [command.name]))
          }
        }
      }
      return meanings.map { text, names in
        let subject = names.map { "`\($0)`" }.joined(separator: ", ")
        return "| \(status.rawValue) | "
          + (names.count == commands.count ? text : "\(subject): \(text)") + " |"
      }
    }
  }

  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count > 100 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += " \(word)"
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension ResultKey {
  var isOptional: Bool { path.hasSuffix("?") }

  /// The path without the mark of an optional key.
  var plainPath: String { path.filter { $0 != "?" } }
}

extension ResultType {
  /// The type in a JSON schema.
  fileprivate var schema: Members {
    switch self {
    case .string: ["type": "string"]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .boolean: ["type": "boolean"]
    case .moment: ["type": "string", "format": "date-time"]
    case .any: [:]
    }
  }
}

/// The JSON schema of all results, one definition for each command.
enum ResultSchema {
  static func text() throws -> String {
    let definitions = try ResultSection.all.flatMap { section in
      try section.commands.enumerated().map { index, command in
        let first = section.commands[0].name.replacing(" ", with: "%20")
        let schema: Members =
          index > 0
          ? ["$ref": .string("#/$defs/\(first)")] : result(with: section.keys)
        let json = try PropertyList.encode(.dictionary(schema), as: .json)
        return "  \"\(command.name)\": \(String(decoding: json, as: UTF8.self))"
      }
    }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The result of a command of contentc with --json",
        "$defs": {
      \(definitions.map { "  \($0)" }.joined(separator: ",\n"))
        }
      }

      """
  }

  private static func result(with keys: [ResultKey]) -> Members {
    var members = members((DeclaredKeys.common + keys).map { ($0.steps[...], $0.type) })
    members["required"] = .array(DeclaredKeys.common.map { .string($0.path) })
    return members
  }

  /// Returns the schema of a value with keys below it.
  private static func members(_ keys: [(steps: ArraySlice<String>, type: ResultType)]) -> Members {
    if let leaf = keys.first(where: { $0.steps.isEmpty }) { return leaf.type.schema }
    func below(_ step: String) -> Value {
      .dictionary(
        members(keys.filter { $0.steps.first == step }.map { ($0.steps.dropFirst(), $0.type) }))
    }
    var names: [String] = []
    for name in keys.compactMap(\.steps.first) where !names.contains(name) { names.append(name) }
    if names == ["[]"] { return ["type": "array", "items": below("[]")] }
    var schema: Members = ["type": "object"]
    let named = names.filter { $0 != "*" }
    if !named.isEmpty { schema["properties"] = .dictionary(Members(named.map { ($0, below($0)) })) }
    if named.count < names.count { schema["additionalProperties"] = below("*") }
    return schema
  }
}
