import ContentBuild
import ContentModel
import SharedGzip
import System
import Testing

/// A small build: objects under invented digests, links, files, and a config that lists the
/// reachable objects.
struct Release: Sendable {
  var objects: [(digest: Digest, bytes: [UInt8])]
  var files: [(path: String, bytes: [UInt8])]

  /// Creates a release with an object for each text.
  init(_ texts: String..., files: [(String, String)] = []) throws {
    objects = try texts.map {
      (
        digest: try sampleDigest(from: $0),
        bytes: Array(String(repeating: $0 + "\n", count: 20).utf8)
      )
    }
    self.files = files.map { ($0.0, Array($0.1.utf8)) }
  }

  static let configPath = "preview/config.plist"

  /// The content of config: one object digest per line.
  var config: [UInt8] { Array(objects.map { $0.digest.hex + "\n" }.joined().utf8) }

  @discardableResult
  func write(to folder: String, steps: StoreSteps = .live) throws -> BuildSummary {
    let writer = try BuildWriter(folder: folder, steps: steps)
    try stage(in: writer)
    return try writer.commit(config: Self.configPath, bytes: config)
  }

  func stage(in writer: BuildWriter) throws {
    for (digest, bytes) in objects {
      try writer.add(object: digest, extension: "plist", bytes: bytes, compress: true)
      let name = "preview/latest/\(digest.hex.prefix(8)).plist"
      try writer.add(file: name, linkingTo: digest, extension: "plist")
    }
    for (path, bytes) in files { try writer.add(file: path, bytes: bytes) }
  }

  /// The sorted paths of all files in the build.
  var paths: [String] {
    let all = objects.flatMap {
      [path(of: $0.digest), path(of: $0.digest) + ".gz", latest(of: $0.digest)]
    }
    return (all + files.map(\.path) + [Self.configPath]).sorted()
  }

  /// Returns `true` if config belongs to this release and all reachable objects are present, byte
  /// for byte.
  func isWhole(in folder: TemporaryFolder, _ out: String = "out") -> Bool {
    guard folder.read("\(out)/\(Self.configPath)") == config else { return false }
    return objects.allSatisfy { digest, bytes in
      guard folder.read("\(out)/\(path(of: digest))") == bytes else { return false }
      guard let gzip = folder.read("\(out)/\(path(of: digest)).gz") else { return true }
      return (try? Gzip.decompress(gzip, limit: bytes.count)) == bytes
    }
  }
}

func path(of digest: Digest) -> String { "objects/\(digest.hex.prefix(2))/\(digest.hex).plist" }

func latest(of digest: Digest) -> String { "preview/latest/\(digest.hex.prefix(8)).plist" }

/// Returns a distinct digest for each text, without SHA-256.
func sampleDigest(from text: String) throws -> Digest {
  var state: UInt64 = 0xCBF2_9CE4_8422_2325
  let bytes = (0..<32).map { round in
    for byte in text.utf8 { state = (state ^ UInt64(byte) ^ UInt64(round)) &* 0x100_0000_01B3 }
    return UInt8(truncatingIfNeeded: state >> 32)
  }
  return try #require(Digest(bytes: bytes))
}
