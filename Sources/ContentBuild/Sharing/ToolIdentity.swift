import ContentModel
import ContentSource
import System
import SystemC

/// The identity of the running executable, which its copies on other machines share.
///
/// A version is not enough: two builds of one version may write different bytes, and even their
/// executables may have the same size.
enum ToolIdentity {
  /// The versions of contentc and of its time zones: builds with others start afresh.
  static var versions: [String] {
    ["contentc \(ContentcVersion.current)", "tzdata \(TimeZoneDatabase.current.release)"]
  }

  /// The SHA-256 of the hash that the linker has stored in the executable, or else of the whole
  /// executable.
  ///
  /// Hashing 100 MB takes 60 to 200 ms, which every build with a cache would wait for.
  static var current: String {
    guard let file = try? Descriptor(Executable.path, flags: O_RDONLY),
      let size = try? file.status().st_size
    else { return "unknown" }
    let id = buildID(inHead: bytes(of: file, count: 4_096))
    return Digest(of: id ?? bytes(of: file, count: Int(size))).hex
  }

  /// Returns the hash in the note `NT_GNU_BUILD_ID`, which linkers write near the beginning of an
  /// ELF file; `nil` if there is none.
  static func buildID(inHead head: [UInt8]) -> [UInt8]? {
    // Three words, the size of the name, the size of the hash and the type 3, and the name.
    let mark: [UInt8] = [3, 0, 0, 0] + Array("GNU\0".utf8)
    guard let type = head.indices.first(where: { head[$0...].starts(with: mark) }), type >= 8 else {
      return nil
    }
    let (count, start) = (Int(head[type - 4]), type + mark.count)
    guard (8...64).contains(count), start + count <= head.count else { return nil }
    return Array(head[start..<start + count])
  }

  private static func bytes(of file: borrowing Descriptor, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
    }
  }
}
