import ContentModel
import ContentSource
import YAML

/// The fingerprints of all layers of a datatype's entries; they show which entries an edit changed.
///
/// They stay encoded and unchecked until they are opened.
struct LayerFingerprints: Sendable {
  /// The digest of the bytes.
  private(set) var digest: Digest
  private(set) var bytes: ArraySlice<UInt8>

  /// The fingerprints of each entry's layers, in order.
  init(_ fingerprints: some Sequence<UInt64>) {
    var output = ByteBuilder()
    for print in fingerprints { output.append(print) }
    (bytes, digest) = (output.bytes[...], Digest(of: output.bytes))
  }

  /// Encoded fingerprints, which must have the digest when they are opened.
  init(encoded bytes: ArraySlice<UInt8>, digest: Digest) {
    (self.bytes, self.digest) = (bytes, digest)
  }

  /// Decodes the fingerprints of all entries.
  func opened(of entries: [CompiledState.EntryState]) throws(CompiledState.Damaged) -> Opened {
    let own = Array(bytes)
    guard own.count == 8 * entries.reduce(0, { $0 + $1.layers.count }), Digest(of: own) == digest
    else {
      throw CompiledState.Damaged()
    }
    let all = own.withUnsafeBytes { buffer in
      (0..<buffer.count / 8).map {
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
      }
    }
    var starts: [Int] = []
    var next = 0
    for entry in entries {
      starts.append(next)
      next += entry.layers.count
    }
    return Opened(all: all, starts: starts)
  }

  /// The fingerprints by entry and layer.
  struct Opened {
    fileprivate(set) var all: [UInt64]
    fileprivate let starts: [Int]

    /// The fingerprint of a layer of an entry, both by place.
    subscript(entry: Int, layer: Int) -> UInt64 {
      get { all[starts[entry] + layer] }
      set { all[starts[entry] + layer] = newValue }
    }
  }
}

extension CompiledState {
  /// Updates the fingerprints of layers in changed files.
  mutating func updateFingerprints(
    of tree: ContentTree, in scope: EditScope
  ) throws(Damaged) {
    let (isRead, changed) = (Set(scope.files), Set(scope.changedFiles))
    for place in scope.recordedDatatypes {
      let items = datatypes[place].items
      var fingerprints = try self.fingerprints[place].opened(of: scope.parts.entries(of: place))
      for ((entry, number), known) in zip(zip(tree.entries, scope.entries), scope.earlierEntries)
      where items.contains(number) {
        let read = known.layers.indices.filter { isRead.contains(known.layers[$0].file) }
        for (layer, index) in zip(entry.layers, read)
        where changed.contains(known.layers[index].file) {
          fingerprints[number - items.lowerBound, index] = entry.fingerprint(of: layer)
        }
      }
      self.fingerprints[place] = LayerFingerprints(fingerprints.all)
    }
  }
}

extension Entry {
  /// The fingerprint of a layer; 0 for a string catalog, whose layers are not compared.
  func fingerprint(of layer: Layer) -> UInt64 { datatype.shape.isCatalog ? 0 : layer.node.print }
}
