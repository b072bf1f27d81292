import ContentBuild
import ContentModel
import ContentSource

/// The files of a build's folder, with the fields that a well-configured web server sends.
struct BuildFiles: Sendable {
  let folder: ServedFolder
  /// Files that replace those in the folder.
  let fresh: FreshFiles

  init(_ source: PreviewSource) { (folder, fresh) = (ServedFolder(path: source.out), source.fresh) }

  /// The names at the top of the folder that are served; the others are internal to the builder.
  static let topLevelNames = ["preview", "objects", "maintenance"]

  /// Returns the representation of the requested file; `nil` if there is none.
  func representation(for request: PreviewRequest) -> Representation? {
    let names = request.target.segments
    guard let name = names.last else { return nil }
    let type = String.contentType(of: Self.fileExtension(of: name))
    guard let digest = Self.objectDigest(of: names) else {
      return bytes(names).map { Representation(bytes: $0, type: type) }
    }
    guard let content = content(names) else { return nil }
    let plain = Representation(
      content: content, tag: EntityTag(digest.hex), type: type, cacheControl: .forever)
    // Players request ranges of the plain file, whatever encodings their browser accepts.
    if type.hasPrefix("audio/") || type.hasPrefix("video/") { return plain }
    guard let packed = folder.open(names.dropLast() + ["\(name).gz"]) else { return plain }
    var chosen = plain
    chosen.varies = true
    if AcceptedEncodings(request["accept-encoding"]).prefersGzip {
      chosen.content = .file(packed)
      chosen.encoding = "gzip"
      chosen.tag = EntityTag("\(digest.hex)-gzip")
    }
    return chosen
  }

  /// Returns the bytes of a file; `nil` if there is none.
  func bytes(_ names: [String]) -> [UInt8]? {
    fresh[names.joined(separator: "/")] ?? folder.open(names)?.bytes
  }

  /// Returns the bytes of an object; `nil` if there is none.
  func bytes(ofObject digest: Digest, format: PropertyListFormat) -> [UInt8]? {
    bytes(Self.names(ofObject: digest, extension: format.fileExtension))
  }

  /// Returns the names in the path of an object.
  static func names(ofObject digest: Digest, extension fileExtension: String) -> [String] {
    digest.objectPath(extension: fileExtension).split(separator: "/").map(String.init)
  }

  private func content(_ names: [String]) -> Representation.Content? {
    fresh[names.joined(separator: "/")].map { .bytes($0) } ?? folder.open(names).map { .file($0) }
  }

  /// The bytes of the build's config; `nil` before the first build.
  var config: [UInt8]? {
    ["config.plist", "config.json"].lazy.compactMap { bytes(["preview", $0]) }.first
  }

  /// Returns the digest in an object's path, such as `objects/3f/3fa9….plist`.
  ///
  /// A compressed copy (`.gz`) is not the object with that digest.
  static func objectDigest(of names: [String]) -> Digest? {
    guard names.count == 3, names[0] == "objects", let dot = names[2].firstIndex(of: "."),
      !names[2].hasByteSuffix(".gz"), let digest = Digest(hex: String(names[2][..<dot])),
      names[1] == digest.hex.prefix(2)
    else { return nil }
    return digest
  }

  /// Returns the part of a name after the last dot.
  static func fileExtension(of name: String) -> String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }
}

/// The content codings that a client accepts (RFC 9110, section 12.5.3).
struct AcceptedEncodings {
  private var weights: [(name: String, weight: Double)] = []

  /// Parses the field `Accept-Encoding`; without it, only the identity coding is accepted.
  init(_ field: String?) {
    for part in (field ?? "").split(separator: ",") {
      let words = part.split(separator: ";").map {
        $0.filter { $0 != " " && $0 != "\t" }.lowercased()
      }
      guard let name = words.first, !name.isEmpty else { continue }
      let quality = words.dropFirst().first { $0.hasBytePrefix("q=") }
      weights.append((name, quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1))
    }
  }

  /// `true` if gzip is accepted and its weight is not below that of the identity coding.
  var prefersGzip: Bool {
    guard let gzip = weight(of: ["gzip", "x-gzip"]) ?? weight(of: ["*"]), gzip > 0 else {
      return false
    }
    return gzip >= weight(of: ["identity"]) ?? 0
  }

  private func weight(of names: [String]) -> Double? {
    weights.first { names.contains($0.name) }?.weight
  }
}
