import ContentModel
import ContentTargets

extension ReleaseContent {
  /// Returns the objects that the readers of some locales and devices reach, ordered by their keys.
  ///
  /// If the content does not have a locale or a device, its readers get the content for another one,
  /// as apps do.
  ///
  /// - Throws: `BakeError` for damaged or missing objects; the errors of reading them.
  package func objects(forLocales locales: [String], devices: [String]) throws -> [ReleaseObject] {
    let known = Dictionary(firstOf: objects.map { ($0.key, $0) })
    let files = PublishedFiles(name: "the release") { [file] key in
      try known[key].map { try file($0).body.bytes }
    }
    var order = BakeOrder()
    let names = members["devices"]?.members ?? Members()
    order.locales = Set(names: locales.map(servedLocale)).names
    order.devices = Set(names: devices.map { names[$0] == nil ? "any" : $0 }).names
    let config = BakedConfig(members: members, format: format)
    return try BakeWalk(config: config, files: files, order: order).run().compactMap {
      known[$0.key]
    }
  }

  /// Returns the locale that readers of a locale get: the rule of docs/reference/locales.md.
  private func servedLocale(_ wanted: String) -> String {
    var rest = wanted[...]
    while !rest.isEmpty {
      if let match = members["matches"]?[String(rest)]?.text { return match }
      if members["indexes"]?[String(rest)] != nil { return String(rest) }
      rest = rest.lastIndex(of: "-").map { rest[..<$0] } ?? ""
    }
    return members["sourceLocale"]?.text ?? wanted
  }
}
