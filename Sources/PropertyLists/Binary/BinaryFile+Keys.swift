import ContentModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension BinaryFile {
  /// The keys of a dictionary in the file's order, each once.
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

  /// Which member of a dictionary has a key; no member's key is made into a string.
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

  /// What halving finds; in a file of which the keys are in another order, it may miss a key that
  /// is there.
  private func placeIfSorted(
    of wanted: UnsafeRawBufferPointer, in object: Object
  ) throws(PropertyListDecodingError) -> Int? {
    var (low, high) = (0, object.count)
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

  /// Below zero if a key comes before the wanted one by code point, above if after, zero if they
  /// are the same bytes.
  private func order(
    _ index: Int, of object: Object, against wanted: UnsafeRawBufferPointer
  ) throws(PropertyListDecodingError) -> Int {
    let key = try key(index, of: object)
    if key.kind == .ascii {
      let content = UnsafeRawBufferPointer(rebasing: bytes[key.content..<key.end])
      let order = content.order(against: wanted)
      // ASCII that is none must not pass for the UTF-8 that it looks like.
      if order == 0, !content.isASCII { throw failure(.badString, at: key.start) }
      return order
    }
    var text = try string(key)
    return text.withBytes { $0.order(against: wanted) }
  }
}

extension UnsafeRawBufferPointer {
  /// Below zero, zero or above as these bytes come before others, are equal to them, or come after.
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
  /// As `withUTF8`, with typed throws.
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
