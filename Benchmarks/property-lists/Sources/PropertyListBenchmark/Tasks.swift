import CPropertyList
import ContentModel
import PropertyLists

/// What can be timed; ours and libplist's, the freeing of results included in both.
struct Tasks {
  private let folder: String
  private let bundle: Value
  private let files: [String: [UInt8]]
  private let libplistBundle: plist_t?

  init(folder: String) throws {
    self.folder = folder
    var files: [String: [UInt8]] = [:]
    let names = [
      "bundle.bin", "large.bin", "flowers.bin", "flowers.xml", "flowers.openstep", "flowers.json", "served.json",
    ]
    for name in names { files[name] = try readFile("\(folder)/\(name)") }
    self.files = files
    bundle = try PropertyList.decode(files["bundle.bin"] ?? []).value
    libplistBundle = Self.libplist(files["bundle.bin"] ?? [], plist_from_bin)
  }

  func seconds(_ task: String, iterations: Int) throws -> Double {
    let words = task.split(separator: ":").map(String.init)
    guard words.count == 3, let body = body(words[0], words[1], words[2]) else { throw BadUse() }
    let time = try ContinuousClock().measure { for _ in 0..<iterations { try body() } }
    return time / .seconds(1) / Double(iterations)
  }

  private func body(_ who: String, _ verb: String, _ name: String) -> (() throws -> Void)? {
    let bytes = files[name] ?? []
    switch (who, verb) {
    case ("ours", "write"): return { keep(try PropertyList.encode(bundle, as: .binary)) }
    case ("ours", "read"): return { keep(try PropertyList.decode(bytes).value) }
    case ("ours", "decode"): return { keep(try ValueDecoder().decode(Bundle.self, from: bytes)) }
    case ("ours", "field"): return { keep(try title(in: BinaryPropertyList(bytes))) }
    case ("ours", "mapped-field"): return { keep(try title(in: BinaryPropertyList(mapping: "\(folder)/\(name)"))) }
    case ("libplist", "read-file"):
      return { plist_free(Self.libplist(try readFile("\(folder)/\(name)"), plist_from_bin)) }
    case ("libplist", "write"): return { writeWithLibplist() }
    case ("libplist", "read"):
      return { plist_free(Self.libplist(bytes, name.hasSuffix("xml") ? plist_from_xml : plist_from_bin)) }
    default: return nil
    }
  }

  private func title(in list: BinaryPropertyList) throws -> String? {
    try list.root["entries"]?["product/flower-0207"]?["content"]?["title"]?.string
  }

  private func writeWithLibplist() {
    var (text, length): (UnsafeMutablePointer<CChar>?, UInt32) = (nil, 0)
    plist_to_bin(libplistBundle, &text, &length)
    plist_to_bin_free(text)
  }

  private static func libplist(
    _ bytes: [UInt8], _ read: (UnsafePointer<CChar>?, UInt32, UnsafeMutablePointer<plist_t?>?) -> Void
  ) -> plist_t? {
    var result: plist_t?
    bytes.withUnsafeBytes { read($0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32($0.count), &result) }
    return result
  }
}

/// Sees to it that a result is made, whatever the optimizer thinks of it.
@inline(never)
func keep<Result>(_ result: Result) {
  withExtendedLifetime(result) {}
}

/// A bundle as an app declares it.
struct Bundle: Decodable {
  struct Entry: Decodable {
    let datatype: String
    let content: Product
    let ttl: Int?
  }

  struct Product: Decodable {
    let title: String
    let subtitle: String
    let price: Double
    let stock: Int
    let available: Bool
    let care: String
    let tags: [String]
    let badges: [Badge]
  }

  struct Badge: Decodable {
    let id: String
    let label: String
    let height: Int
  }

  let format: Int
  let bundle: String
  let order: [String]
  let entries: [String: Entry]
}
