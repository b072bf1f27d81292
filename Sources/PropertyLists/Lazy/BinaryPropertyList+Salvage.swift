package import ContentModel

/// The reading of what is well-formed in a malformed file.
extension BinaryPropertyList.Node {
  /// Returns the value without the parts that are malformed; `nil` if the value itself is.
  ///
  /// An item of an array is left out as a whole if one of its keys is malformed, or the value of
  /// `itemKey`, since that value may say whether the item counts. The walk over shared parts is
  /// bounded by the size of the file and by ``PropertyList/valueLimit``, so a hostile file takes no
  /// more time and memory than an honest one. A value with more values than that is `nil`.
  package func salvagedValue(withWhole itemKey: String) -> Value? {
    do { return try value } catch {
      // Too many values are no damage: reading them again would take as much memory.
      guard object.isContainer, error.reason != .tooManyValues else { return nil }
    }
    return try? contents.withFile { file in
      var salvage = BinarySalvage(file, itemKey: itemKey)
      return salvage.value(of: object, depth: depth, isItem: false)
    }
  }

  /// The member of a key; `nil` if the dictionary lacks the key, or if this is no dictionary.
  ///
  /// Malformed keys of other members are passed over.
  package func salvagedMember(_ key: String) -> Self? {
    do { return try self[key] } catch {
      return salvagedMembers.first { $0.key.hasSameBytes(as: key) }?.value
    }
  }

  /// The members whose key and place of the value are well-formed, in the file's order.
  ///
  /// Of too many members, these are the first ones.
  package var salvagedMembers: [(key: String, value: Self)] {
    guard object.kind == .dictionary else { return [] }
    return (0..<salvagedCount).compactMap { index in
      guard let key = try? node(index)?.string, let value = node(object.count + index) else {
        return nil
      }
      return (key: key, value: value)
    }
  }

  /// The numbers of those objects of a dictionary's values that are malformed or have a malformed
  /// part.
  ///
  /// All values are read in one walk, so that objects that they share are not read for each of them.
  package var malformedValues: Set<Int> {
    guard object.kind == .dictionary else { return [] }
    let numbers = try? contents.withFile { file in
      BinaryReader.malformedValues(of: object, in: file, depth: depth)
    }
    return numbers ?? []
  }

  /// The items whose place is well-formed, in order; empty if this is no array.
  ///
  /// Of too many items, these are the first ones.
  package var salvagedItems: [Self] {
    guard object.kind == .array else { return [] }
    return (0..<salvagedCount).compactMap { node($0) }
  }

  /// The number of items or members that are read: each takes one byte of a file, and a node eighty
  /// of memory.
  private var salvagedCount: Int { min(object.count, PropertyList.valueLimit) }

  /// Returns the node of a reference of this container; `nil` if it leads to no object.
  private func node(_ index: Int) -> Self? {
    try? contents.withFile { file throws(PropertyListDecodingError) in
      try child(index, in: file)
    }
  }
}

/// A walk through the well-formed parts of a value.
private struct BinarySalvage {
  let file: BinaryFile
  let itemKey: String
  /// The number of references that may still be followed, which bounds the unfolding of shared
  /// containers.
  private var stepsLeft: Int
  /// The number of bytes of scalars that may still be read, which bounds the copies of shared ones.
  private var bytesLeft: Int

  init(_ file: BinaryFile, itemKey: String) {
    (self.file, self.itemKey) = (file, itemKey)
    stepsLeft = min(file.bytes.count, PropertyList.valueLimit)
    bytesLeft = 16 * file.bytes.count
  }

  /// Returns a value without its malformed parts.
  mutating func value(of object: BinaryFile.Object, depth: Int, isItem: Bool) -> Value? {
    switch object.kind {
    case .array:
      var items: [Value] = []
      for index in 0..<object.count {
        if stepsLeft <= 0 { break }
        guard let child = self.child(index, of: object, depth: depth),
          let item = value(of: child, depth: depth + 1, isItem: true)
        else { continue }
        items.append(item)
      }
      return .array(items)
    case .dictionary: return members(of: object, depth: depth, isItem: isItem)
    default: return scalar(object)
    }
  }

  /// Returns the members of a dictionary; `nil` for an item that does not count.
  private mutating func members(
    of dictionary: BinaryFile.Object, depth: Int, isItem: Bool
  ) -> Value? {
    var members: [(String, Value)] = []
    for index in 0..<dictionary.count {
      guard let key = self.key(index, of: dictionary, depth: depth) else {
        if isItem { return nil }
        if stepsLeft <= 0 { break }
        continue
      }
      let isEssential = isItem && key.hasSameBytes(as: itemKey)
      let child = self.child(dictionary.count + index, of: dictionary, depth: depth)
      let value = child.flatMap { child in
        isEssential
          ? wholeValue(of: child, depth: depth + 1)
          : self.value(of: child, depth: depth + 1, isItem: false)
      }
      if let value { members.append((key, value)) } else if isEssential { return nil }
    }
    return .dictionary(Members(members))
  }

  /// Returns a value none of whose parts is malformed.
  private mutating func wholeValue(of object: BinaryFile.Object, depth: Int) -> Value? {
    guard object.isContainer else { return scalar(object) }
    let isArray = object.kind == .array
    var (items, members): ([Value], [(String, Value)]) = ([], [])
    for index in 0..<object.count {
      let place = isArray ? index : object.count + index
      guard let child = self.child(place, of: object, depth: depth),
        let value = wholeValue(of: child, depth: depth + 1)
      else { return nil }
      if isArray {
        items.append(value)
      } else {
        guard let key = self.key(index, of: object, depth: depth) else { return nil }
        members.append((key, value))
      }
    }
    return isArray ? .array(items) : .dictionary(Members(members))
  }

  private mutating func key(
    _ index: Int, of dictionary: BinaryFile.Object, depth: Int
  ) -> String? {
    guard let object = child(index, of: dictionary, depth: depth),
      case .string(let key)? = scalar(object)
    else { return nil }
    return key
  }

  private mutating func scalar(_ object: BinaryFile.Object) -> Value? {
    bytesLeft -= object.end - object.start
    guard bytesLeft >= 0, !object.isContainer else { return nil }
    return try? file.scalar(object)
  }

  private mutating func child(
    _ index: Int, of container: BinaryFile.Object, depth: Int
  ) -> BinaryFile.Object? {
    stepsLeft -= 1
    guard stepsLeft >= 0,
      let object = try? file.object(at: file.offset(of: file.reference(index, of: container))),
      !object.isContainer || depth + 1 < PropertyList.depthLimit
    else { return nil }
    return object
  }
}
