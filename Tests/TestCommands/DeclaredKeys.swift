import ContentModel
import PropertyLists
import Testing

@testable import ContentcCommands

/// The keys that commands declare for their JSON results.
///
/// `Sandbox` compares the declared keys with every result that a test gets. So each test that runs
/// a command with `--json` fails if the result has an undeclared key, such as a misspelt one.
enum DeclaredKeys {
  /// The keys that every result has.
  static let common = [
    ResultKey(path: "ok", type: .boolean), ResultKey(path: "errors", type: .integer),
    ResultKey(path: "warnings", type: .integer), ResultKey(path: "exitStatus", type: .integer),
  ]

  private static let commands = Contentc.commands.map { command in
    (name: command.words, keys: command.type.result.flatMap(\.keys))
  }

  /// Expects the JSON result of a command line to have only declared keys, with values of their
  /// types.
  static func expect(in output: [UInt8], of words: [String]) {
    guard words.contains("--json"),
      let result = try? PropertyList.decode(output, as: .json).value,
      result["exitStatus"] != nil
    else { return }
    let keys = common + own(of: words)
    for leaf in leaves(result, of: keys) where !keys.contains(where: { $0.allows(leaf) }) {
      let path = leaf.path.joined(separator: ".")
      Issue.record("\(words): \(path) is not declared, or its type is not \(leaf.value)")
    }
  }

  /// Returns the keys that the result of a command line can have, except for the common ones.
  private static func own(of words: [String]) -> [ResultKey] {
    let named = commands.last { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
    // A group without a subcommand, such as `sign`, runs its first one.
    guard let command = named ?? commands.first(where: { $0.name.hasPrefix("\(words[0]) ") }) else {
      return []
    }
    var others: [String] = []
    if words.contains("--draft") { others.append("sign folder") }
    if words.contains("--dry-run"), command.keys == keys(of: "publish") { others.append("diff") }
    if command.name == "sign import" { others += ["publish", "purge", "maintenance", "resign"] }
    return command.keys + others.flatMap(keys)
  }

  private static func keys(of name: String) -> [ResultKey] {
    commands.first { $0.name == name }?.keys ?? []
  }

  /// A value of a result: one without members and items, or one whose key has the type `any`.
  typealias Leaf = (path: [String], value: Value)

  /// Returns the leaves of a result; the step of a list's items is `[]`.
  static func leaves(_ value: Value, of keys: [ResultKey], at path: [String] = []) -> [Leaf] {
    if keys.contains(where: { $0.type == .any && $0.matches(path) }) { return [(path, value)] }
    if let members = value.members, !members.isEmpty {
      return members.flatMap { leaves($0.value, of: keys, at: path + [$0.key]) }
    }
    if let items = value.items, !items.isEmpty {
      return items.flatMap { leaves($0, of: keys, at: path + ["[]"]) }
    }
    return [(path, value)]
  }
}

extension ResultKey {
  /// The names on the path, `*` for any name, and `[]` for the items of a list.
  var steps: [String] {
    path.filter { $0 != "?" }.split(separator: ".").flatMap { step -> [String] in
      step.hasSuffix("[]") ? [String(step.dropLast(2)), "[]"] : [String(step)]
    }
  }

  func matches(_ other: [String]) -> Bool {
    steps.count == other.count && begins(with: other)
  }

  private func begins(with other: [String]) -> Bool {
    steps.count >= other.count
      && zip(steps, other).allSatisfy { $0 == "*" && $1 != "[]" || $0 == $1 }
  }

  /// Returns `true` if a leaf can belong to the key.
  ///
  /// An empty list or dictionary is a leaf, too. Its path is only the beginning of the key's path.
  fileprivate func allows(_ leaf: DeclaredKeys.Leaf) -> Bool {
    if matches(leaf.path) { return type.accepts(leaf.value) }
    let isContainer = leaf.value.items != nil
    return (isContainer || leaf.value.members != nil)
      && begins(with: leaf.path + (isContainer ? ["[]"] : []))
  }
}

extension ResultType {
  /// Returns `true` if a value in a JSON result has the type.
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (.any, _), (.string, .string), (.integer, .integer), (.number, .integer),
      (.number, .real), (.boolean, .boolean):
      true
    case (.moment, .string(let text)): Instant(rfc3339: text) != nil
    default: false
    }
  }
}
