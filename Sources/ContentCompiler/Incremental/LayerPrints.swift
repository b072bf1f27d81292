import Hashing
import SourceYAML
import ContentModel
import ContentSource

/// Prints of what every layer of a datatype's entries says: which entries an edit of a file changed
/// is seen by them.
///
/// They stay encoded, and unchecked, until they are opened.
struct LayerPrints: Sendable {
  /// Of the encoded prints.
  private(set) var digest: Digest
  private(set) var bytes: ArraySlice<UInt8>

  /// Prints entry by entry, of each its layers in order.
  init(_ prints: some Sequence<UInt64>) {
    var output = ByteBuilder()
    for print in prints { output.append(print) }
    (bytes, digest) = (output.bytes[...], Digest(of: output.bytes))
  }

  /// Prints that were encoded, if they are what the digest says.
  init(encoded bytes: ArraySlice<UInt8>, digest: Digest) {
    (self.bytes, self.digest) = (bytes, digest)
  }

  /// The prints of some entries, which are all that there are.
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

  /// Prints by entry and layer.
  struct Opened {
    fileprivate(set) var all: [UInt64]
    fileprivate let starts: [Int]

    /// The print of a layer, both by their places.
    subscript(entry: Int, layer: Int) -> UInt64 {
      get { all[starts[entry] + layer] }
      set { all[starts[entry] + layer] = newValue }
    }
  }
}

extension CompiledState {
  /// Notes what the layers of a scope's entries say now, as far as they stand in files that
  /// changed.
  mutating func reprint(_ tree: ContentTree, of scope: EditScope) throws(Damaged) {
    let (isRead, changed) = (Set(scope.read), Set(scope.changed))
    for place in scope.datatypes {
      let items = datatypes[place].items
      var prints = try self.prints[place].opened(of: scope.parts.entries(of: place))
      for ((entry, number), known) in zip(zip(tree.entries, scope.entries), scope.known)
      where items.contains(number) {
        let read = known.layers.indices.filter { isRead.contains(known.layers[$0].file) }
        for (layer, index) in zip(entry.layers, read)
        where changed.contains(known.layers[index].file) {
          prints[number - items.lowerBound, index] = entry.print(of: layer)
        }
      }
      self.prints[place] = LayerPrints(prints.all)
    }
  }
}

extension Entry {
  /// The print of one of its layers; the same for all of a string catalog, of which nobody asks
  /// which layers changed.
  func print(of layer: Layer) -> UInt64 { datatype.shape.isCatalog ? 0 : layer.node.print }
}
