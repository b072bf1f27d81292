import ContentModel
import SystemC

extension BinaryFile {
  /// Returns the keys of a dictionary in the file's order.
  ///
  /// - Throws: `duplicateKey` if a key occurs twice, `keyIsNotString` if a key is no string.
  func keys(of object: Object) throws(PropertyListDecodingError) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(object.count)
    for index in 0..<object.count { keys.append(try string(key(index, of: object))) }
    do { _ = try DictionaryShape(keys) } catch {
      let offset = try offset(of: reference(error.place, of: object))
      throw failure(.duplicateKey(keys[error.place]), at: offset)
    }
    return keys
  }

  /// Returns the index of the member with a key, or `nil`, without decoding ASCII keys to strings.
  ///
  /// If the keys are not sorted, a search for one key reads all of them, as making an index would.
  /// For many keys, callers ask `hasSortedKeys` once and make an index of their own.
  func place(of key: String, in object: Object) throws(PropertyListDecodingError) -> Int? {
    var key = key
    return try key.withBytes { wanted throws(PropertyListDecodingError) in
      if let place = try placeIfSorted(of: wanted, in: object) { return place }
      for place in 0..<object.count where try order(place, of: object, against: wanted) == 0 {
        return place
      }
      return nil
    }
  }

  /// Returns `true` if the keys are sorted by code point, each once, so that a binary search misses
  /// none of them.
  func hasSortedKeys(_ object: Object) throws(PropertyListDecodingError) -> Bool {
    guard object.count > 1 else { return true }
    var previous = try string(key(0, of: object))
    for index in 1..<object.count {
      let comparison = try previous.withBytes { bytes throws(PropertyListDecodingError) in
        try order(index, of: object, against: bytes)
      }
      guard comparison > 0 else { return false }
      previous = try string(key(index, of: object))
    }
    return true
  }

  /// Returns the index that a binary search finds; it can miss a key if the keys are not sorted.
  func placeIfSorted(
    of wanted: UnsafeRawBufferPointer, in object: Object
  ) throws(PropertyListDecodingError) -> Int? {
    var low = 0
    var high = object.count
    while low < high {
      let middle = (low + high) / 2
      let order = try order(middle, of: object, against: wanted)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func key(_ index: Int, of object: Object) throws(PropertyListDecodingError) -> Object {
    let offset = try offset(of: reference(index, of: object))
    guard isString(at: offset) else { throw failure(.keyIsNotString, at: offset) }
    return try self.object(at: offset)
  }

  /// Compares a key with the wanted one by code point: negative if the key sorts first, positive
  /// if it sorts last, zero if the bytes are equal.
  private func order(
    _ index: Int, of object: Object, against wanted: UnsafeRawBufferPointer
  ) throws(PropertyListDecodingError) -> Int {
    let key = try key(index, of: object)
    if key.kind == .ascii {
      let content = UnsafeRawBufferPointer(rebasing: bytes[key.content..<key.end])
      let order = content.order(against: wanted)
      // An ASCII object with bytes from 0x80 must not match a key with the same UTF-8 bytes.
      if order == 0, !content.isASCII { throw failure(.badString, at: key.start) }
      return order
    }
    var text = try string(key)
    return text.withBytes { $0.order(against: wanted) }
  }
}

extension UnsafeRawBufferPointer {
  /// Compares bytes lexicographically: negative if these sort first, positive if `other` does.
  func order(against other: Self) -> Int {
    let shared = Swift.min(count, other.count)
    if shared > 0, let a = baseAddress, let b = other.baseAddress {
      let order = memcmp(a, b, shared)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes, as `withUTF8` does, with typed throws.
  mutating func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = withUTF8 { bytes -> Result<Value, Failure> in
      do throws(Failure) { return .success(try body(UnsafeRawBufferPointer(bytes))) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
