import ContentModel
import Diagnostics
import PropertyLists

/// A reading of the JSON of a string catalog, which leaves out keys that are not well-formed.
struct CatalogParsing: ~Copyable {
  /// A mistake in the JSON of a key, and the key if it can be read.
  struct Damage {
    var problem: TranslationProblem
    var key: String?
  }

  /// The readable keys of a catalog, and the damaged ones.
  struct Catalog {
    var root: JSONNode
    var damaged: [Damage]
    /// The text with spaces instead of the damaged keys; the places of nodes are offsets in it.
    var input: TextInput
  }

  private enum Outcome {
    case root(JSONNode)
    case mistake(TextMistake, in: DamagedEntry?)
  }

  private struct DamagedEntry {
    var key: String?
    /// The bytes of the entry and of the comma after it or, for the last entry, before it.
    var range: Range<Int>
    /// The keys of further entries that are lost before the next readable entry.
    var lost: [(key: String, place: Range<Int>)]
  }

  private let bytes: [UInt8]
  private var reader: JSONReader

  /// Reads a string catalog.
  ///
  /// An entry that is not well-formed is replaced by spaces, and all others are read.
  static func parse(_ input: TextInput) throws(TranslationProblem) -> Catalog {
    var (rest, damaged): (TextInput, [Damage]) = (input, [])
    while true {
      switch outcome(of: rest.bytes) {
      case .root(let root): return Catalog(root: root, damaged: damaged, input: rest)
      case .mistake(let mistake, let entry):
        let problem = problem(mistake, in: &rest)
        // Further mistakes may follow from the first one.
        guard damaged.count < input.mostDamagedUnits, let entry else {
          throw damaged.first?.problem ?? problem
        }
        damaged.append(Damage(problem: problem, key: entry.key))
        for (key, place) in entry.lost {
          let problem = TranslationProblem(
            "the file must be well-formed JSON around this text", at: rest.location(place))
          damaged.append(Damage(problem: problem, key: key))
        }
        rest.blank(entry.range)
      }
    }
  }

  private static func outcome(of bytes: [UInt8]) -> Outcome {
    bytes.withUnsafeBufferPointer { buffer in
      do throws(TextMistake) {
        var parsing = CatalogParsing(bytes: bytes, reader: try JSONReader(buffer))
        do throws(TextMistake) {
          return .root(try parsing.reader.readDocument(list: "strings"))
        } catch {
          return .mistake(error, in: parsing.damagedEntry())
        }
      } catch {
        return .mistake(error, in: nil)
      }
    }
  }

  private static func problem(
    _ mistake: TextMistake, in input: inout TextInput
  ) -> TranslationProblem {
    let (rule, advice): (String, String?) =
      switch mistake.reason {
      case .tooDeep: ("values must be at most \(JSONNode.depthLimit) deep", nil)
      case .duplicateKey(let key): ("key '\(key.shortened)' must occur once", nil)
      case .forbiddenCharacter(let scalar):
        (
          "a string must not contain a line end or another control character",
          scalar == "\n" ? "write '\\n'" : "write it as an escape, such as '\\t'"
        )
      case .badEscape: ("an escape must be one of JSON", #"write a backslash as '\\'"#)
      default: ("the file must be well-formed JSON: \(mistake.reason)", nil)
      }
    let place = input.location(mistake.offset..<mistake.offset)
    return TranslationProblem(rule, at: place, advice: advice)
  }

  // MARK: Damaged entries

  /// The most bytes that are read to find the end of a damaged entry: a bound for hostile files.
  private static let mostSearchedBytes = 4 << 20

  /// Returns the entry of `strings` that cannot be read; `nil` if there is none, or its end is not
  /// found.
  private mutating func damagedEntry() -> DamagedEntry? {
    guard let (start, key) = reader.lastEntry, let range = rangeOfEntry(at: start) else {
      return nil
    }
    // After a trailing comma, the entry begins where the object ends.
    let others = min(start + 1, range.upperBound)..<range.upperBound
    return DamagedEntry(key: key, range: range, lost: lostEntries(in: others))
  }

  private mutating func rangeOfEntry(at start: Int) -> Range<Int>? {
    if let next = nextEntry(after: start) { return start..<next }
    // The last entry: the comma is before it, and the object ends after it.
    let before = bytes[..<start].lastIndex { !$0.isWhitespace } ?? start
    let begin = before < start && bytes[before] == UInt8(ascii: ",") ? before : start
    var end = bytes.count
    for _ in 0..<JSONNode.depthLimit {
      guard let close = bytes[start..<end].lastIndex(of: UInt8(ascii: "}")) else { return nil }
      if endsCatalog(at: close) { return begin < close ? begin..<close : nil }
      end = close
    }
    return nil
  }

  /// Returns the keys of the unreadable entries in a range.
  ///
  /// Ids of the content have a `#`; keys inside a value, such as `localizations`, have none.
  private mutating func lostEntries(in range: Range<Int>) -> [(key: String, place: Range<Int>)] {
    var lost: [(key: String, place: Range<Int>)] = []
    reader.offset = range.lowerBound
    while let quote = bytes[reader.offset..<range.upperBound].firstIndex(of: UInt8(ascii: "\"")) {
      reader.offset = quote
      let key = try? reader.readString()
      let end = reader.offset
      reader.skipWhitespace()
      guard let key, key.utf8.contains(UInt8(ascii: "#")), reader.take(UInt8(ascii: ":")) else {
        reader.offset = min(quote + 1, range.upperBound)
        continue
      }
      lost.append((key, quote..<end))
      reader.offset = min(reader.offset, range.upperBound)
    }
    return lost
  }

  private mutating func nextEntry(after start: Int) -> Int? {
    var (next, budget) = (start + 1, Self.mostSearchedBytes)
    while budget > 0, next < bytes.count,
      let quote = bytes[next...].firstIndex(of: UInt8(ascii: "\""))
    {
      if isEntry(at: quote) { return quote }
      budget -= max(reader.offset, quote + 1) - next
      next = quote + 1
    }
    return nil
  }

  /// Returns `true` if a well-formed entry of a string catalog begins at an offset.
  private mutating func isEntry(at start: Int) -> Bool {
    reader.offset = start
    guard (try? reader.readString()) != nil else { return false }
    reader.skipWhitespace()
    guard reader.take(UInt8(ascii: ":")), let value = try? reader.readNode(depth: 2) else {
      return false
    }
    reader.skipWhitespace()
    let known: [ExactString] = [
      "comment", "extractionState", "localizations", "shouldTranslate",
    ]
    return known.contains { value[$0] != nil }
      && (reader.current == UInt8(ascii: ",") || reader.current == UInt8(ascii: "}"))
  }

  /// Returns `true` if the object `strings` ends at an offset, and only the catalog's other members
  /// follow.
  private mutating func endsCatalog(at start: Int) -> Bool {
    reader.offset = start + 1
    reader.skipWhitespace()
    while reader.take(UInt8(ascii: ",")) {
      reader.skipWhitespace()
      guard reader.current == UInt8(ascii: "\""), (try? reader.readString()) != nil else {
        return false
      }
      reader.skipWhitespace()
      guard reader.take(UInt8(ascii: ":")), (try? reader.readNode(depth: 1)) != nil else {
        return false
      }
      reader.skipWhitespace()
    }
    guard reader.take(UInt8(ascii: "}")) else { return false }
    reader.skipWhitespace()
    return reader.current == nil
  }
}
