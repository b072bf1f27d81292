import ContentModel
import Diagnostics

extension Channel {
  /// Names that stand for something else in `out/` and at a target.
  private static let reserved = ["preview", "objects", "maintenance"]

  /// Reads `channels`: names to targets.
  static func readAll(_ node: YAMLNode) -> Diagnosed<[Channel]> {
    guard node.kind == .mapping else {
      return Diagnosed([], [.wrongType("'channels'", must: "map a name to its target", at: node.place)])
    }
    var all = Diagnosed<[Channel]>([])
    for (key, value) in node.members {
      guard Project.name(key.text) != nil, !reserved.contains(key.text) else {
        let rule =
          reserved.contains(key.text) ? "not be one of \(reserved.joined(separator: ", "))" : "be of a-z, 0-9 and '-'"
        all.diagnostics.append(.wrongType("a channel's name", must: rule, at: key.place))
        continue
      }
      var reader = RecordReader(value, of: "channel '\(key.text)'")
      let target = reader.required("target", must: "be a folder, s3://… or rclone:…") { node in
        node.scalarText.flatMap { $0.isEmpty ? nil : $0 }
      }
      let url = reader.optional("url", must: "begin with https:// or http://") { node in
        node.scalarText.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
      }
      let caches = reader.optional("cdn").map(readCaches)
      reader.report(caches?.diagnostics ?? [])
      all.diagnostics += reader.finish()
      all.output.append(
        Channel(name: key.text, location: key.location, target: target ?? "", url: url, caches: caches?.output ?? []))
    }
    return all
  }

  /// The caches from the origin outward: each a name, or a name with its settings, which its adapter reads.
  private static func readCaches(_ node: YAMLNode) -> Diagnosed<[CacheLayer]> {
    var caches = Diagnosed<[CacheLayer]>([])
    for item in node.kind == .sequence ? Array(node.items) : [node] {
      let name = item.kind == .mapping && item.members.count == 1 ? item.members[0].key : item
      if let cache = CacheLayer(name.kind == .scalar ? name.text : "") {
        caches.output.append(cache)
      } else if name.kind == .scalar {
        caches.diagnostics.append(
          .unknown("cache", name.text, id: "unknown-cache", known: CacheLayer.known, at: name.location))
      } else {
        caches.diagnostics.append(
          .wrongType(
            "an item of 'cdn'", must: "be a cache's name, or map one name to its settings", at: item.location.firstLine)
        )
      }
    }
    return caches
  }
}
