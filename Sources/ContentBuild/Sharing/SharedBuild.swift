import ContentCompiler
import ContentModel
import ContentSource
import System

/// A build in a shared cache, with the hashes of the packs that have its objects.
struct SharedBuild {
  /// The name of one object, and the place of its bytes.
  struct Object {
    var digest: Digest
    var fileExtension: String
    /// The number of bytes, uncompressed.
    var size: Int
    /// The number of its pack.
    var pack: Int
    /// The number of its bytes in the pack.
    var packedSize: Int
    /// `true` if the packed bytes are those of its `.gz` file.
    var isCompressed: Bool
  }

  /// The approximate number of bytes of a pack; one request for each object would take longer.
  static let packSize = 2 << 20

  var notes: [UInt8]
  var state: [UInt8]
  var validFrom: Instant?
  var validBefore: Instant?
  var config: OutputFile
  var pages: [OutputFile]
  var links: [OutputLink]
  var packs: [Digest]
  var objects: [Object]

  func isValid(at instant: Instant) -> Bool {
    (validFrom.map { $0 <= instant } ?? true) && (validBefore.map { instant < $0 } ?? true)
  }
}

extension SharedBuild {
  /// The build as bytes that `init(_:)` reads.
  var encoded: [UInt8] {
    var output = ByteBuilder()
    output.append(counted: notes)
    output.append(counted: state)
    for moment in [validFrom, validBefore] {
      output.append(UInt8(moment == nil ? 0 : 1))
      output.append((moment?.secondsSinceReferenceDate ?? 0).bitPattern)
    }
    output.append(UInt32(pages.count + 1))
    for file in [config] + pages {
      output.append(file.path)
      output.append(counted: file.bytes)
    }
    output.append(UInt32(links.count))
    for link in links {
      output.append(link.path)
      output.append(raw: link.digest.bytes)
      output.append(link.fileExtension)
    }
    output.append(UInt32(packs.count))
    for pack in packs { output.append(raw: pack.bytes) }
    output.append(UInt32(objects.count))
    for object in objects {
      output.append(raw: object.digest.bytes)
      output.append(object.fileExtension)
      output.append(UInt64(object.size))
      output.append(UInt32(object.pack))
      output.append(UInt32(object.packedSize))
      output.append(UInt8(object.isCompressed ? 1 : 0))
    }
    return output.bytes
  }

  /// Reads a result of `encoded`; `nil` for any other bytes.
  init?(_ bytes: [UInt8]) {
    let build = bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return try? SharedBuild(from: &reader)
    }
    guard let build else { return nil }
    self = build
  }

  private init(from input: inout ByteReader) throws(ByteReader.Malformed) {
    notes = Array(try input.counted())
    state = Array(try input.counted())
    validFrom = try Self.moment(from: &input)
    validBefore = try Self.moment(from: &input)
    var files: [OutputFile] = []
    for _ in 0..<(try input.count(ofAtLeast: 8)) {
      files.append(OutputFile(path: try input.text(), bytes: Array(try input.counted())))
    }
    guard !files.isEmpty else { throw ByteReader.Malformed() }
    config = files.removeFirst()
    pages = files
    links = []
    for _ in 0..<(try input.count(ofAtLeast: 40)) {
      links.append(
        OutputLink(
          path: try input.text(), digest: try Self.digest(from: &input),
          fileExtension: try input.text()))
    }
    packs = []
    for _ in 0..<(try input.count(ofAtLeast: 32)) { packs.append(try Self.digest(from: &input)) }
    objects = []
    for _ in 0..<(try input.count(ofAtLeast: 53)) { objects.append(try Self.object(from: &input)) }
    guard input.isAtEnd, objects.allSatisfy({ packs.indices.contains($0.pack) }) else {
      throw ByteReader.Malformed()
    }
  }

  private static func digest(from input: inout ByteReader) throws(ByteReader.Malformed) -> Digest {
    guard let digest = Digest(raw: try input.raw(32)) else { throw ByteReader.Malformed() }
    return digest
  }

  private static func moment(from input: inout ByteReader) throws(ByteReader.Malformed) -> Instant?
  {
    let isThere = try input.number(UInt8.self) == 1
    let bits = try input.number(UInt64.self)
    return isThere ? Instant(secondsSinceReferenceDate: Double(bitPattern: bits)) : nil
  }

  private static func object(from input: inout ByteReader) throws(ByteReader.Malformed) -> Object {
    let digest = try digest(from: &input)
    let fileExtension = try input.text()
    guard let size = Int(exactly: try input.number(UInt64.self)), size < 1 << 32 else {
      throw ByteReader.Malformed()
    }
    return Object(
      digest: digest, fileExtension: fileExtension, size: size,
      pack: Int(try input.number(UInt32.self)),
      packedSize: Int(try input.number(UInt32.self)),
      isCompressed: try input.number(UInt8.self) == 1)
  }
}
