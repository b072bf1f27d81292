import ContentModel
import ContentSource
import PropertyLists

/// The fragments of an entry for binary bundles.
struct BinaryImage: Sendable {
  /// The fragments that the places refer to.
  let fragments: BinaryFragments
  let id, datatype: BinaryFragments.Place
  let ttl: BinaryFragments.Place?
  /// By value of the resolution; without a value if circumstances decide on it.
  let members: [BinaryFragments.Member]

  /// The image of an entry in no binary bundle.
  static let none = BinaryImage()

  private init() { (fragments, id, datatype, ttl, members) = (.none, 0, 0, nil, []) }

  /// Encodes the wanted values of an entry.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  init(
    of entry: EntryImage.Subject, isWanted: [Bool], evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    var writer = FragmentWriter(capacity: 1 << 14)
    id = writer.place(of: entry.id)
    datatype = writer.place(of: entry.datatype.name)
    if let seconds = entry.datatype.ttl {
      ttl = writer.place
      try writer.append(.integer(Int64(seconds.seconds)))
    } else {
      ttl = nil
    }
    let keys = entry.resolution.keys.map { writer.place(of: $0.text) }
    var members: [BinaryFragments.Member] = []
    members.reserveCapacity(isWanted.count)
    for place in isWanted.indices {
      var member = BinaryFragments.Member(
        key: keys[entry.resolution.values[place].keyPlace], value: nil)
      if isWanted[place], let value = entry.resolution.values[place].value {
        member.value = writer.place
        do { try writer.append(value, by: evaluation) } catch {
          throw entry.error(error, inValueAt: place)
        }
      }
      members.append(member)
    }
    self.members = members
    fragments = writer.finish()
  }
}

extension FragmentWriter {
  /// Encodes a text, and returns its place.
  mutating func place(of text: String) -> BinaryFragments.Place {
    let place = self.place
    append(text)
    return place
  }

  /// Encodes a value that all readers get alike.
  fileprivate mutating func append(
    _ value: Resolved, by evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    switch value.shape {
    case .scalar(let value): try append(value)
    case .link(let id): append(id.text)
    case .address(let text): append(text)
    case .asset, .markdown, .plural: try append(evaluation.value(value))
    case .list(let items):
      beginArray(count: items.count)
      for index in items.indices {
        do { try append(items[index], by: evaluation) } catch { throw error.inside(String(index)) }
      }
    case .object(let members):
      beginDictionary(count: members.count)
      for index in members.indices {
        append(members[index].key.text)
        do { try append(members[index].value, by: evaluation) } catch {
          throw error.inside(members[index].key.text)
        }
      }
    }
  }
}
