/// Finds the assets among the files: `name@2x.png` is a scale of `name.png`.
enum AssetCollector {
  /// The assets below `assets/`, by path in order of code points.
  static func collect(_ files: [String]) -> [Asset] {
    var assets: [String: Asset] = [:]
    for file in files where file.hasPrefix("assets/") {
      let (path, scale) = split(String(file.dropFirst("assets/".count)))
      assets[path, default: Asset(path: path, variants: [])].variants.append((scale: scale, file: file))
    }
    return assets.values.map { asset in
      Asset(path: asset.path, variants: asset.variants.sorted { $0.scale < $1.scale })
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// A path without its scale, and the scale: `a/rose@2x.png` is `a/rose.png` and 2.
  private static func split(_ path: String) -> (path: String, scale: Int) {
    let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let dot = path[nameStart...].lastIndex(of: ".") ?? path.endIndex
    guard let at = path[nameStart..<dot].lastIndex(of: "@") else { return (path, 1) }
    let mark = path[path.index(after: at)..<dot]
    guard mark.hasSuffix("x"), let scale = Int(mark.dropLast()), (1...9).contains(scale) else { return (path, 1) }
    return (String(path[..<at]) + path[dot...], scale)
  }
}
