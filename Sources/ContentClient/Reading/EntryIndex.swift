import ContentModel
import PropertyLists
import SiteFormat

/// The bundles that have an entry, for some bundles of a release.
///
/// Without it, the first reading of an entry whose bundle is not named would open all bundles.
struct EntryIndex: Sendable {
  /// A bundle with an entry.
  struct Place: Sendable {
    var bundle: BundleName
    /// The number of the entry's fields in this bundle.
    var fieldCount: Int
  }

  /// The bundles whose entries are in the index.
  let bundles: [BundleName]
  /// The seconds after a check for which at least one entry is shown, whatever its dates are; `nil`
  /// without entries.
  let longestLifetime: Double?
  private let entries: BinaryPropertyList.Node

  private static let format = 1
  private static let hashSize = 32
  /// The seconds that stand for a lifetime without end.
  private static let endless = 1e15

  /// Returns the file with the index of bundles, each of which is needed only for a moment: the hash
  /// of a property list, and the list.
  static func file(of bundles: some Sequence<OpenBundle>) -> [UInt8]? {
    var (places, names): ([EntryID: [Value]], [Value]) = ([:], [])
    var longestLifetime: Double?
    for bundle in bundles {
      for entry in bundle.ids.compactMap({ bundle.entry($0) }) {
        places[entry.id, default: []] += [
          .integer(Int64(names.count)), .integer(Int64(entry.fieldCount)),
        ]
      }
      names.append(.string(bundle.name.text))
      longestLifetime = [longestLifetime, bundle.longestLifetime].compactMap(\.self).max()
    }
    var members: Members = [
      "format": .integer(Int64(Self.format)), "bundles": .array(names),
      "entries": .dictionary(Members(places.map { ($0.key.text, .array($0.value)) })),
    ]
    members["longestLifetime"] = longestLifetime.map { .real(min($0, Self.endless)) }
    let list = try? PropertyList.encode(.dictionary(members), as: .binary)
    return list.map { Digest(of: $0).bytes + $0 }
  }

  /// Reads a file; `nil` for one that is damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > Self.hashSize else { return nil }
    let list = Array(bytes[Self.hashSize...])
    guard Digest(of: list).bytes.elementsEqual(bytes[..<Self.hashSize]),
      let root = try? BinaryPropertyList(list).root,
      root.member("format")?.contentsIfReadable?.number == Self.format,
      let names = root.member("bundles")?.contentsIfReadable?.items,
      let entries = root.member("entries")
    else { return nil }
    bundles = names.compactMap { $0.text.flatMap { BundleName($0) } }
    longestLifetime = root.member("longestLifetime")?.contentsIfReadable?.real
      .map { $0 < Self.endless ? $0 : .infinity }
    self.entries = entries
    guard bundles.count == names.count else { return nil }
  }

  /// Returns the bundles with an entry.
  func places(of id: EntryID) -> [Place] {
    let numbers = (try? entries.member(id.text)?.items.compactMap { try $0.integer }) ?? []
    return stride(from: 0, to: numbers.count - 1, by: 2).compactMap { start in
      let number = Int(numbers[start])
      return bundles.indices.contains(number)
        ? Place(bundle: bundles[number], fieldCount: Int(numbers[start + 1])) : nil
    }
  }
}
