import ContentModel
import ContentSource
import PropertyLists

/// What binary bundles need of an entry, encoded once.
struct BinaryImage: Sendable {
  /// What the places lead into.
  let fragments: BinaryFragments
  let id, datatype: BinaryFragments.Place
  let ttl: BinaryFragments.Place?
  /// By value of the resolution; no value where circumstances decide.
  let members: [BinaryFragments.Member]

  /// What no bundle asks for.
  static let none = BinaryImage()

  private init() { (fragments, id, datatype, ttl, members) = (.none, 0, 0, nil, []) }

  /// Encodes those values of an entry that are wanted.
  ///
  /// - Throws: what the format cannot carry.
  init(
    of entry: EntryImage.Subject, isWanted: [Bool], _ evaluation: Evaluation
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
    let keys = entry.resolution.keys.map { writer.place(of: $0) }
    var members: [BinaryFragments.Member] = []
    members.reserveCapacity(isWanted.count)
    for place in isWanted.indices {
      var member = BinaryFragments.Member(
        key: keys[entry.resolution.values[place].keyPlace], value: nil)
      if isWanted[place], let value = entry.resolution.values[place].value {
        member.value = writer.place
        do { try writer.append(value, evaluation) } catch {
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
  /// Encodes a text, and tells where.
  mutating func place(of text: String) -> BinaryFragments.Place {
    let place = self.place
    append(text)
    return place
  }

  /// Encodes a value as all readers get it.
  fileprivate mutating func append(_ value: Resolved, _ evaluation: Evaluation)
    throws(PropertyListEncodingError)
  {
    switch value.shape {
    case .scalar(let value): try append(value)
    case .link(let id): append(id.text)
    case .address(let text): append(text)
    case .asset: try append(evaluation.value(value))
    case .list(let items):
      beginArray(count: items.count)
      for index in items.indices {
        do { try append(items[index], evaluation) } catch { throw error.inside(String(index)) }
      }
    case .object(let members):
      beginDictionary(count: members.count)
      for index in members.indices {
        append(members[index].key)
        do { try append(members[index].value, evaluation) } catch {
          throw error.inside(members[index].key)
        }
      }
    }
  }
}
