import ContentCompiler
import ContentModel
import ContentSource
import SharedGzip
import System

extension SharedBuild {
  /// Packs a finished build for other machines; returns `nil` if an object cannot be read.
  static func packing(
    _ staged: StagedBuild, as build: RememberedBuild, state: NamedState?, from file: MemoryFile
  ) -> (shared: SharedBuild, packs: [[UInt8]])? {
    guard case .everything(let files, let links, let config) = staged.change,
      let input = staged.input,
      let notes = build.notes, let names = file.outputStamps()?.paths(below: "objects")
    else { return nil }
    var shared = SharedBuild(
      notes: notes, state: state?.bytes ?? [], validFrom: input.validFrom,
      validBefore: input.validBefore,
      config: config, pages: files, links: links, packs: [], objects: [])
    var packs: [[UInt8]] = [[]]
    let compressed = Set(names: names.filter { $0.hasByteSuffix(".gz") })
    for name in names.sorted(by: { $0.precedesInBytes($1) }) where !name.hasByteSuffix(".gz") {
      guard let object = Object(named: name), let plain = file.stored(name) else { return nil }
      let gzip = compressed.contains("\(name).gz") ? file.stored("\(name).gz") : nil
      if packs[packs.count - 1].count >= packSize { packs.append([]) }
      packs[packs.count - 1] += gzip ?? plain
      shared.objects.append(
        Object(
          digest: object.digest, fileExtension: object.fileExtension, size: plain.count,
          pack: packs.count - 1,
          packedSize: (gzip ?? plain).count, isCompressed: gzip != nil))
    }
    shared.packs = packs.map { Digest(of: $0) }
    return (shared, packs)
  }

  /// An object out of a pack.
  struct UnpackedObject {
    var name: Object
    var plain: [UInt8]
    /// The bytes of the `.gz` file; `nil` if there is none.
    var compressed: [UInt8]?
  }

  /// Unpacks the objects of one pack; returns `nil` if one of them does not have the hash that is
  /// its name.
  func unpack(_ bytes: [UInt8], ofPack pack: Int) -> [UnpackedObject]? {
    var offset = 0
    var unpacked: [UnpackedObject] = []
    for object in objects where object.pack == pack {
      guard object.packedSize <= bytes.count - offset else { return nil }
      let own = Array(bytes[offset..<offset + object.packedSize])
      offset += object.packedSize
      guard let plain = object.isCompressed ? Gzip.decompress(own, size: object.size) : own,
        Digest(of: plain) == object.digest
      else { return nil }
      unpacked.append(
        UnpackedObject(name: object, plain: plain, compressed: object.isCompressed ? own : nil))
    }
    return offset == bytes.count ? unpacked : nil
  }
}

extension SharedBuild.Object {
  /// Creates an object from a path such as `objects/3f/3fa9….plist`, without its size and pack.
  fileprivate init?(named path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.firstIndex(of: "."), let digest = Digest(hex: String(name[..<dot])) else {
      return nil
    }
    self.init(
      digest: digest, fileExtension: String(name[name.index(after: dot)...]), size: 0, pack: 0,
      packedSize: 0,
      isCompressed: false)
  }
}
