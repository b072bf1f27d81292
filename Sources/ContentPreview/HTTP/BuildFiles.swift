import ContentBuild
import ContentModel
import ContentSource

/// The files of a build's folder, as a web server that was set up for them would send them.
struct BuildFiles: Sendable {
  let folder: ServedFolder
  /// Files that take the place of those in the folder.
  let fresh: FreshFiles

  init(_ source: PreviewSource) { (folder, fresh) = (ServedFolder(path: source.out), source.fresh) }

  /// What is served of the folder; the rest of it is the builder's own.
  static let tops = ["preview", "objects", "maintenance"]

  /// The representation of a file that a question asks for; `nil` if there is none.
  func representation(_ request: PreviewRequest) -> Representation? {
    let names = request.target.segments
    guard let name = names.last else { return nil }
    let type = String.contentType(of: Self.fileExtension(of: name))
    guard let digest = Self.object(names) else { return bytes(names).map { named($0, type) } }
    guard let content = content(names) else { return nil }
    let plain = Representation(
      content: content, tag: EntityTag(digest.hex), type: type, cacheControl: Self.forever)
    // Players ask for parts of the sound itself, whatever else their browser accepts.
    if type.hasPrefix("audio/") || type.hasPrefix("video/") { return plain }
    guard let packed = folder.open(names.dropLast() + ["\(name).gz"]) else { return plain }
    var chosen = plain
    chosen.varies = true
    if AcceptedEncodings(request["accept-encoding"]).prefersGzip {
      (chosen.content, chosen.encoding) = (.file(packed), "gzip")
      chosen.tag = EntityTag("\(digest.hex)-gzip")
    }
    return chosen
  }

  /// A file under a name that later builds give to another: its bytes make its tag, and clients ask
  /// every time.
  private func named(_ bytes: [UInt8], _ type: String) -> Representation {
    Representation(
      content: .bytes(bytes), tag: EntityTag(Digest(of: bytes).hex), type: type,
      cacheControl: "no-cache")
  }

  /// The bytes of a file; `nil` if there is none.
  func bytes(_ names: [String]) -> [UInt8]? {
    fresh[names.joined(separator: "/")] ?? folder.open(names)?.bytes
  }

  private func content(_ names: [String]) -> Representation.Content? {
    fresh[names.joined(separator: "/")].map { .bytes($0) } ?? folder.open(names).map { .file($0) }
  }

  /// The bytes of what leads to everything else; `nil` where nothing was built yet.
  var config: [UInt8]? {
    ["config.plist", "config.json"].lazy.compactMap { bytes(["preview", $0]) }.first
  }

  /// The digest that an object's path names, such as `objects/3f/3fa9….plist`.
  ///
  /// A packed copy that is asked for by its own name is another file, whatever stands before its
  /// ending.
  static func object(_ names: [String]) -> Digest? {
    guard names.count == 3, names[0] == "objects", let dot = names[2].firstIndex(of: "."),
      !names[2].hasSuffix(".gz"), let digest = Digest(hex: String(names[2][..<dot])),
      names[1] == digest.hex.prefix(2)
    else { return nil }
    return digest
  }

  /// What comes after the last dot.
  static func fileExtension(of name: String) -> String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }

  /// For what never changes (RFC 8246).
  static let forever = "public, max-age=31536000, immutable"
}
