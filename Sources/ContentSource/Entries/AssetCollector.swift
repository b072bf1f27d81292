import ContentModel
import Diagnostics

/// The search for assets among the files: `name@2x.png` is a scale of `name.png`.
enum AssetCollector {
  /// Returns the assets below `assets/`, by path in order of code points.
  static func collect(_ files: [String]) -> [Asset] {
    var assets: [ExactString: Asset] = [:]
    for file in files where file.hasBytePrefix("assets/") {
      let (path, scale) = split(file.dropping("assets/"))
      assets[path, default: Asset(path: path, variants: [])].variants.append(
        (scale: scale, file: file))
    }
    return assets.values.map { asset in
      Asset(path: asset.path, variants: asset.variants.sorted { $0.scale < $1.scale })
    }.sorted { $0.path.precedesInBytes($1.path) }
  }

  /// Returns a warning for each picture without scale 1 whose file at scale 1 probably differs in
  /// capital letters only.
  static func warnings(of assets: [Asset], in folder: ContentFolder) -> [Diagnostic] {
    let withoutFirst = assets.filter { $0.variants[0].scale > 1 }
    guard !withoutFirst.isEmpty else { return [] }
    let twins = Dictionary(
      firstOf: assets.filter { $0.variants[0].scale == 1 }.map {
        ($0.path.lowercased(), $0)
      })
    return withoutFirst.compactMap { asset in
      guard let twin = twins[asset.path.lowercased()] else { return nil }
      let (parts, others) = (asset.path.pathParts, twin.path.pathParts)
      let isInSameFolder = zip(parts, others).dropLast().allSatisfy { $0.hasSameBytes(as: $1) }
      let advice =
        isInSameFolder
        ? "rename this file to '\(parts.last ?? asset.path)'"
        : "move this file to 'assets/\(asset.path)'"
      return .warning(
        .assetScale, at: SourceLocation(path: folder.shownPath(twin.variants[0].file)),
        message:
          "'\(asset.path)' has no picture at scale 1, for which '\(twin.path)' does not count; \(advice)"
      )
    }
  }

  /// Returns a path without its scale, and the scale: `a/rose.png` and 2 for `a/rose@2x.png`.
  static func split(_ path: String) -> (path: String, scale: Int) {
    // The search is by bytes, since Swift merges a character with a combining mark after it.
    let bytes = path.utf8
    let nameStart =
      bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
    let dot = bytes[nameStart...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    guard let at = bytes[nameStart..<dot].lastIndex(of: UInt8(ascii: "@")) else { return (path, 1) }
    let mark = path[bytes.index(after: at)..<dot]
    guard mark.utf8.last == UInt8(ascii: "x"), let scale = Int(mark.dropLast()),
      (1...9).contains(scale)
    else {
      return (path, 1)
    }
    return (String(path[..<at]) + path[dot...], scale)
  }
}
