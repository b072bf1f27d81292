import ContentModel

@testable import YAML

/// The content of a file, without its notation and without the order of members.
indirect enum Meaning: Equatable {
  case null
  case scalar([UInt8])
  case list([Meaning])
  case mapping([ExactString: Meaning])

  init(_ node: YAMLNode) {
    switch node.kind {
    case .scalar: self = node.isNull ? .null : .scalar(Array("\(node.scalar) \(node.text)".utf8))
    case .sequence: self = .list(node.items.map(Meaning.init))
    case .mapping:
      self = .mapping(
        [ExactString: Meaning](firstOf: node.members.map { ($0.key.text, Meaning($0.value)) }))
    }
  }

  /// Returns the content with a text at a path; missing parents are added.
  func setting(_ path: ArraySlice<YAMLEdit.Step>, to text: String) -> Meaning {
    guard let step = path.first else { return .scalar(Array("text \(text)".utf8)) }
    let rest = path.dropFirst()
    switch step {
    case .key(let key):
      var members: [ExactString: Meaning] = [:]
      if case .mapping(let old) = self { members = old }
      members[key] = (members[key] ?? .null).setting(rest, to: text)
      return .mapping(members)
    case .index, .item:
      var items: [Meaning] = []
      if case .list(let old) = self { items = old }
      let index = items.firstIndex { $0.isNamed(by: step) } ?? items.count
      if case .index(let index) = step, index < items.count {
        items[index] = items[index].setting(rest, to: text)
      } else if index < items.count {
        items[index] = items[index].setting(rest, to: text)
      } else if case .item(let id) = step {
        let new = Meaning.mapping([ExactString("id"): .scalar(Array("text \(id.text)".utf8))])
        items.append(new.setting(rest, to: text))
      } else {
        items.append(Meaning.null.setting(rest, to: text))
      }
      return .list(items)
    }
  }

  private func isNamed(by step: YAMLEdit.Step) -> Bool {
    guard case .item(let id) = step, case .mapping(let members) = self,
      case .scalar(let text)? = members[ExactString("id")]
    else { return false }
    return text == Array("text \(id.text)".utf8)
  }

  /// The paths of all texts, and of new members and items in each collection.
  func paths(_ path: [YAMLEdit.Step] = []) -> [[YAMLEdit.Step]] {
    switch self {
    case .null, .scalar: return [path]
    case .list(let items):
      return items.enumerated().flatMap { $1.paths(path + [.index($0)]) }
        + [path + [.index(items.count)], path + [.item(withID: "new"), .member("title")]]
    case .mapping(let members):
      return members.names.flatMap { key in
        members[ExactString(key)]?.paths(path + [.member(key)]) ?? []
      } + [path + [.member("new")], path + [.member("a: b"), .member("deep"), .member("new")]]
    }
  }
}
