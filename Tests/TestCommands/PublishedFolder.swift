import ContentModel
import PropertyLists
import Testing

/// A built folder as an app reads it: config, then an index, then bundles.
struct PublishedFolder {
  let sandbox: Sandbox
  let folder: String
  let config: Value

  init(_ sandbox: Sandbox, folder: String = "out", config: String = "preview/config.plist") throws {
    (self.sandbox, self.folder) = (sandbox, folder)
    self.config = try sandbox.value("\(folder)/\(config)")
  }

  /// Returns the object with a hash.
  func object(_ hash: Value?) throws -> Value {
    guard case .data(let bytes)? = hash, let digest = Digest(bytes: bytes) else {
      throw Sandbox.Problem(message: "\(String(describing: hash)) is no hash")
    }
    return try sandbox.value("\(folder)/objects/\(digest.hex.prefix(2))/\(digest.hex).plist")
  }

  /// Returns the index of a context.
  func index(_ locale: String, _ device: String) throws -> Value {
    try object(config["indexes"][locale][device])
  }

  /// Returns a bundle of a context; a bundle of a split one has a name such as
  /// `product/country-charm` or `stores/t0123`.
  func bundle(_ name: String, _ locale: String, _ device: String) throws -> Value {
    let index = try index(locale, device)
    if let row = index["bundles"][name].found { return try object(row["object"]) }
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    let row = index["bundles"][parts[0]]
    if let tiles = row["tiles"].found {
      return try object(try object(tiles)["tiles"][String(parts[1].dropFirst())]["object"])
    }
    return try object(try object(row["list"])["entries"][parts[1]]["object"])
  }
}

extension Value? {
  /// The member of a dictionary.
  subscript(key: String) -> Value? {
    guard case .dictionary(let members)? = self else { return nil }
    return members[key]
  }

  /// The item of a list.
  subscript(index: Int) -> Value? {
    guard case .array(let items)? = self, items.indices.contains(index) else { return nil }
    return items[index]
  }

  /// The value itself, so that a chain of subscripts can end in a binding.
  var found: Value? { self }
}

extension Value {
  /// The item of a list.
  subscript(index: Int) -> Value? { Value?.some(self)[index] }
}

extension Value? {
  /// The text of a string.
  var text: String? { if case .string(let text)? = self { text } else { nil } }

  /// The items of a list.
  var items: [Value]? { if case .array(let items)? = self { items } else { nil } }
}
