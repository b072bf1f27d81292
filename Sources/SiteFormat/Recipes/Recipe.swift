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
  /// The fewest bytes of a bundle for which a recipe is made; a request costs more than a recipe of
  /// less would save.
  package static let smallestBundle = 4_096
  /// The most bytes of a recipe.
  package static let maximumSize = 4 << 20

  /// The bundle.
  private let value: Value
  /// The numbers of entries that are written early and late, in turns, in order of ids.
  ///
  /// Empty if all entries are written in order of ids.
  private let turns: [Int]

  /// The fault of a recipe.
  package struct Damage: Error, Hashable {
    /// A phrase such as "the recipe is no JSON".
    package let reason: String
  }

  /// Finds the recipe of a bundle; `nil` if no recipe makes these bytes, or one is not worth making.
  package init?(of bundle: [UInt8]) {
    guard bundle.count >= Self.smallestBundle,
      let entries = try? BinaryPropertyList(bundle).root["entries"]?.members,
      let value = try? PropertyList.decode(bundle, as: .binary).value
    else { return nil }
    (self.value, turns) = (value, Self.turns(ofObjects: entries.map(\.value.number)))
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
    // In a bundle, each value has at least a reference of a byte. A mark adds two values.
    let limit = min(PropertyList.valueLimit, 64 + 3 * max(0, min(size, PropertyList.valueLimit)))
    guard
      let recipe = try? PropertyList.decode(text, as: .json, valueLimit: limit).value,
      let value = Self.bundle(in: recipe)
    else { throw Damage(reason: "the recipe has no value") }
    let turns = recipe["turns"].map { $0.items?.map(\.number) } ?? []
    guard let turns, turns.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else {
      throw Damage(reason: "the recipe has no valid turns")
    }
    (self.value, self.turns) = (value, turns.compactMap(\.self))
  }

  /// Returns the bundle in the value of a recipe; `nil` if there is none.
  package static func bundle(in recipe: Value) -> Value? { recipe["value"]?.unmarked }

  /// The recipe as canonical JSON; `nil` if a value has no JSON form, or the text is too large.
  package var text: [UInt8]? {
    var members: Members = ["value": value.marked]
    if !turns.isEmpty { members["turns"] = .array(turns.map { .integer(Int64($0)) }) }
    let text = try? PropertyList.encode(.dictionary(members), as: .json)
    return text.flatMap { $0.count <= Self.maximumSize ? $0 : nil }
  }

  /// Makes the bundle.
  ///
  /// - Throws: `Damage` if the value is no bundle.
  package func made() throws(Damage) -> [UInt8] {
    guard let root = value.members, let entries = root["entries"]?.members,
      let order = root["order"]?.items
    else { throw Damage(reason: "the recipe makes no bundle") }
    do {
      return try BinaryLinker.bundle(root, entries, in: sequence(of: entries), order: order)
    } catch { throw Damage(reason: "the recipe cannot be written: \(error)") }
  }

  /// The positions of entries in the order in which they are written.
  private func sequence(of entries: Members) -> [Int] {
    var (early, late, isLate) = ([Int](), [Int](), false)
    var position = 0
    for count in turns where position < entries.count {
      let end = position + min(count, entries.count - position)
      if isLate { late += position..<end } else { early += position..<end }
      (position, isLate) = (end, !isLate)
    }
    return early + (position..<entries.count) + late
  }

  /// Returns the turns of entries, from the number of each entry's object in order of ids.
  private static func turns(ofObjects numbers: [Int]) -> [Int] {
    let sequence = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    guard let last = zip(sequence, sequence.dropFirst()).first(where: { $0 > $1 })?.0 else {
      return []
    }
    let lastEarly = numbers[last]
    var (turns, isLate) = ([0], false)
    for number in numbers {
      if (number > lastEarly) != isLate {
        isLate.toggle()
        turns.append(0)
      }
      turns[turns.count - 1] += 1
    }
    return turns
  }
}
