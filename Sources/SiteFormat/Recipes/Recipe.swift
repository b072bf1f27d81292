package import ContentModel
import PropertyLists

/// The text from which a reader makes a binary bundle, byte by byte.
///
/// Binary bundles refer to their values by number, which compresses badly. The same values as JSON
/// take about 60 % of the compressed bytes. docs/reference/output.md defines the text.
package struct Recipe: Sendable {
  /// The number of the layout in rows of indexes: the order in which the linker writes objects.
  package static let layout = 1
  /// The extension of a recipe's file, without the dot; those of assets have at most 8 characters.
  package static let fileExtension = "bundletext"
  /// The fewest bytes of a bundle with a recipe.
  ///
  /// A recipe of a smaller bundle would save little.
  package static let smallestBundle = 4_096
  /// The most bytes of a recipe.
  package static let maximumSize = 4 << 20

  /// The bundle without its entries; without `order` if the entries are in order of ids.
  private let root: Members
  /// The entries that the linker wrote first, in order of ids, and those that it wrote after them.
  private let early, late: Members

  /// The fault of a recipe.
  package struct Damage: Error, Hashable {
    /// A phrase such as "the recipe cannot be read".
    package let reason: String
  }

  /// Finds the recipe of a bundle.
  ///
  /// Returns `nil` if the bundle is small, or if no recipe makes exactly its bytes.
  package init?(of bundle: [UInt8]) {
    guard bundle.count >= Self.smallestBundle,
      let nodes = try? BinaryPropertyList(bundle).root["entries"]?.members,
      var root = try? PropertyList.decode(bundle, as: .binary).value.members,
      let entries = root["entries"]?.members, entries.count == nodes.count
    else { return nil }
    let isLate = Self.late(ofObjects: nodes.map(\.value.number))
    early = entries.keeping { !isLate[$0] }
    late = entries.keeping { isLate[$0] }
    root["entries"] = nil
    if root["order"]?.items == Self.order(of: entries) { root["order"] = nil }
    self.root = root
    guard (try? made()) == bundle else { return nil }
  }

  /// Reads a recipe for a bundle of `size` bytes.
  ///
  /// The recipe may be foreign: its values are limited by the size of the bundle.
  ///
  /// - Throws: `Damage`.
  package init(_ text: [UInt8], size: Int) throws(Damage) {
    guard text.count <= Self.maximumSize else {
      throw Damage(reason: "the recipe has more than \(Self.maximumSize) bytes")
    }
    // In a bundle, each value has at least a reference of a byte. A mark adds one value.
    let limit = min(PropertyList.valueLimit, 64 + 2 * max(0, min(size, PropertyList.valueLimit)))
    guard let recipe = try? PropertyList.decode(text, as: .json, valueLimit: limit).value,
      let read = Recipe(recipe)
    else { throw Damage(reason: "the recipe cannot be read") }
    self = read
  }

  private init?(_ recipe: Value) {
    guard let root = recipe["value"]?.unmarked?.members,
      let early = (recipe["early"] ?? [:]).unmarked?.members,
      let late = (recipe["late"] ?? [:]).unmarked?.members
    else { return nil }
    (self.root, self.early, self.late) = (root, early, late)
    guard entries.count == early.count + late.count else { return nil }
  }

  /// Returns the entries in the value of a recipe, by id; `nil` if there are none.
  package static func entries(in recipe: Value) -> Members? { Recipe(recipe)?.entries }

  /// The recipe as canonical JSON; `nil` if a value has no JSON form, or the text is too large.
  package var text: [UInt8]? {
    var members = Members([
      ("early", Value.dictionary(early).marked), ("value", Value.dictionary(root).marked),
    ])
    if !late.isEmpty { members["late"] = Value.dictionary(late).marked }
    let text = try? PropertyList.encode(.dictionary(members), as: .json)
    return text.flatMap { $0.count <= Self.maximumSize ? $0 : nil }
  }

  /// Makes the bundle.
  ///
  /// - Throws: `Damage` if a value has no binary form.
  package func made() throws(Damage) -> [UInt8] {
    let entries = entries
    let order = root["order"]?.items ?? Self.order(of: entries)
    do {
      return try BinaryLinker.bundle(root, early: early, late: late, of: entries, order: order)
    } catch { throw Damage(reason: "the recipe cannot be written: \(error)") }
  }

  private var entries: Members { late.isEmpty ? early : Members(Array(early) + Array(late)) }

  private static func order(of entries: Members) -> [Value] { entries.keys.map(Value.string) }

  /// Returns which entries the linker wrote late, from the number of each entry's object in order of
  /// ids.
  ///
  /// The numbers rise among the early entries, and again among the late ones.
  private static func late(ofObjects numbers: [Int]) -> [Bool] {
    let sequence = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    let last = zip(sequence, sequence.dropFirst()).first { $0 > $1 }?.0
    let lastEarly = last.map { numbers[$0] } ?? .max
    return numbers.map { $0 > lastEarly }
  }
}

extension Members {
  /// The members at the positions for which a condition is true.
  fileprivate func keeping(_ isKept: (Int) -> Bool) -> Members {
    let kept = indices.filter(isKept)
    return Members(canonicalKeys: kept.map { keys[$0] }, values: kept.map { values[$0] })
  }
}
