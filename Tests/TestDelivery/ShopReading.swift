import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import ContentReleases
@testable import ContentTargets

extension ChannelPlace {
  /// Returns an entry's field by locale, as readers see it.
  ///
  /// Locales without the entry are absent.
  func shown(_ id: String, _ field: String = "title") throws -> [String: String] {
    let reader = ReleaseReader(try #require(try live()).content(at: target))
    var shown: [String: String] = [:]
    for context in reader.contexts {
      for row in try reader.rows(context)
      where row.bundle.hasPrefix("product/") || row.bundle == "home" {
        guard let entry = try reader.entries(of: row.object)[id] else { continue }
        shown[context.locale] = entry["content"]?[field]?.text ?? "nothing"
      }
    }
    return shown
  }

  /// Returns all values of an entry's field that readers of any locale get.
  func values(_ id: String, _ field: String) throws -> Set<Value> {
    let reader = ReleaseReader(try #require(try live()).content(at: target))
    let rows = try reader.contexts.flatMap(reader.rows)
    return Set(try rows.compactMap { try reader.entries(of: $0.object)[id]?["content"]?[field] })
  }

  /// Returns the objects that the live release names and that are missing or damaged.
  func broken() throws -> [String] {
    let live = try #require(try live())
    let content = live.content(at: target)
    let reader = ReleaseReader(content)
    var named = Set(content.objects.map(\.digest))
    for object in content.objects {
      let stored = try target.read(object.key)
      if stored.map({ Digest(of: $0.bytes) == object.digest && $0.bytes.count == object.size })
        != true
      {
        continue
      }
      named.remove(object.digest)
    }
    var broken = named.map(\.hex)
    for context in reader.contexts {
      for row in try reader.rows(context) where reader.object(row.object) == nil {
        broken.append("\(row)")
      }
      for row in try reader.rows(context) {
        guard let object = reader.object(row.object) else { continue }
        let order = try reader.value(of: row.object)["order"]?.items?.count
        if order != (try reader.entries(of: row.object)).count {
          broken.append("order of \(row.bundle), \(object.key)")
        }
      }
    }
    return broken
  }

  /// Returns the keys of all files at the target that contain a text.
  func files(holding text: String) throws -> [String] {
    let wanted = Array(text.utf8)
    return try target.list(below: "").map(\.key).filter { key in
      try target.readAny(key)?.bytes.firstIndex(of: wanted) != nil
    }
  }
}
