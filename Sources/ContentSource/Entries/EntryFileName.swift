import ContentModel

/// What the path of a file says: which entry, which locale, which device.
///
/// `product/country-charm.fr@ipad.yaml` is `product/country-charm`, `fr`, `ipad`.
struct EntryFileName: Hashable {
  /// The path without locale, device and ending.
  var stem: String
  var locale: String?
  var device: String?

  /// A file's name in parts; `nil` where the ending is neither `.yaml` nor `.yml`.
  init?(_ path: String) {
    guard let ending = [".yaml", ".yml"].first(where: path.hasSuffix) else { return nil }
    let bare = path.dropLast(ending.count)
    let folderEnd = bare.lastIndex(of: "/").map(bare.index(after:)) ?? bare.startIndex
    var name = bare[folderEnd...]
    if let at = name.firstIndex(of: "@") {
      device = String(name[name.index(after: at)...])
      name = name[..<at]
    }
    if let dot = name.firstIndex(of: ".") {
      locale = String(name[name.index(after: dot)...])
      name = name[..<dot]
    }
    stem = String(bare[..<folderEnd]) + name
  }
}
