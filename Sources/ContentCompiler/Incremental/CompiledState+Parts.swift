import ContentModel
import ContentSource

extension CompiledState.Part {
  /// Decodes the entries of the part.
  func entries() throws(CompiledState.Damaged) -> [CompiledState.EntryState] {
    try decoded { input throws(ByteReader.Malformed) in
      let kinds = try input.list { input throws(ByteReader.Malformed) in
        CompiledState.LayerKind(locale: try input.text(), device: try input.text())
      }
      return try input.list { input throws(ByteReader.Malformed) in try input.entry(kinds) }
    }
  }

  /// Decodes the files of the part.
  func files() throws(CompiledState.Damaged) -> [CompiledState.FileState] {
    try decoded { input throws(ByteReader.Malformed) in
      try input.list { input throws(ByteReader.Malformed) in
        CompiledState.FileState(
          name: try input.text(), size: Int(try input.number(Int64.self)),
          digest: try input.digest(),
          isWithheld: try input.flag(),
          datatypes: try input.list { input throws(ByteReader.Malformed) in try input.place() })
      }
    }
  }

  /// Decodes the bytes, and checks their hash and the number of items.
  private func decoded<Item>(
    _ read: (inout ByteReader) throws(ByteReader.Malformed) -> [Item]
  ) throws(CompiledState.Damaged) -> [Item] {
    let own = Array(bytes)
    guard Digest(of: own) == digest else { throw CompiledState.Damaged() }
    let found = own.withUnsafeBytes { buffer -> [Item]? in
      var input = ByteReader(buffer)
      return try? read(&input)
    }
    guard let found, found.count == items.count else { throw CompiledState.Damaged() }
    return found
  }
}

extension CompiledState.EntryState {
  /// The bytes that a part's `entries()` reads.
  static func encode(_ entries: [CompiledState.EntryState]) -> [UInt8] {
    var kinds: [CompiledState.LayerKind: Int] = [:]
    for layer in entries.flatMap(\.layers) where kinds[layer.kind] == nil {
      kinds[layer.kind] = kinds.count
    }
    var output = ByteBuilder()
    output.append(kinds.sorted { $0.value < $1.value }) { output, kind in
      output.append(kind.key.locale)
      output.append(kind.key.device)
    }
    output.append(entries) { $0.append($1, kinds: kinds) }
    return output.bytes
  }
}

extension CompiledState.FileState {
  /// The bytes that a part's `files()` reads.
  static func encode(_ files: [CompiledState.FileState]) -> [UInt8] {
    var output = ByteBuilder()
    output.append(files) { output, file in
      output.append(file.name)
      output.append(Int64(file.size))
      output.append(file.digest)
      output.append(UInt8(file.isWithheld ? 1 : 0))
      output.append(file.datatypes) { $0.append(UInt32($1)) }
    }
    return output.bytes
  }
}

extension ByteBuilder {
  fileprivate mutating func append(
    _ entry: CompiledState.EntryState, kinds: [CompiledState.LayerKind: Int]
  ) {
    append(entry.rest)
    append(entry.layers) { output, layer in
      output.append(UInt32(layer.file))
      output.append(UInt32(kinds[layer.kind] ?? 0))
    }
    append(UInt8(entry.isShared ? 1 : 0))
    append(entry.presence) { $0.append(UInt8($1 ? 1 : 0)) }
    append(UInt8(entry.isWithheld ? 1 : 0))
    append(entry.fingerprints) { $0.append($1) }
    append(entry.assets) { $0.append($1) }
  }
}

extension ByteReader {
  fileprivate mutating func entry(
    _ kinds: [CompiledState.LayerKind]
  ) throws(Malformed) -> CompiledState.EntryState {
    CompiledState.EntryState(
      rest: try text(),
      layers: try list { input throws(Malformed) in
        let (file, kind) = (try input.place(), try input.place())
        guard kinds.indices.contains(kind) else { throw Malformed() }
        return CompiledState.LayerState(file: file, kind: kinds[kind])
      }, isShared: try flag(), presence: try list { input throws(Malformed) in try input.flag() },
      isWithheld: try flag(),
      fingerprints: try list { input throws(Malformed) in try input.number() },
      assets: try list { input throws(Malformed) in try input.digest() })
  }
}
