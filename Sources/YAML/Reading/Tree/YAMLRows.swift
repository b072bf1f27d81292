/// The nodes of a tree and their details.
///
/// The nodes of one collection are next to each other, keys and values in turn.
///
/// The properties are pointers, since each access to a node would retain an array. The memory is
/// constant, and lives as long as the tree's region. Callers pass only indices that the builder
/// made.
struct YAMLRows {
  private let nodes: UnsafeRawPointer
  /// The base of the texts in each stretch of packed nodes; `nil` if the nodes are not packed.
  private let bases: UnsafePointer<UInt32>?
  private let details: UnsafePointer<YAMLRow>

  /// The number of nodes that share a base.
  private static let stretch = 16

  /// Writes the rows into memory of at least the size that `size` returned; packed, if `words` are
  /// given.
  init(
    _ nodes: [YAMLRow], packed words: [UInt32]?, details: [YAMLRow],
    at start: UnsafeMutableRawPointer
  ) {
    self.nodes = UnsafeRawPointer(start)
    var end = start
    if let words {
      end = Self.write(words, at: start)
      bases = UnsafePointer((start + 4 * nodes.count).assumingMemoryBound(to: UInt32.self))
      if !words.count.isMultiple(of: 2) { end += 4 }
    } else {
      end = Self.write(nodes, at: start)
      bases = nil
    }
    self.details = UnsafePointer(end.assumingMemoryBound(to: YAMLRow.self))
    _ = Self.write(details, at: end)
  }

  private static func write<Element: BitwiseCopyable>(
    _ elements: [Element], at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let end = start + elements.count * MemoryLayout<Element>.stride
    _ = UnsafeMutableBufferPointer(
      start: start.bindMemory(to: Element.self, capacity: elements.count), count: elements.count
    ).initialize(fromContentsOf: elements)
    return end
  }

  /// The bytes that rows take, a multiple of 8.
  static func size(_ nodes: [YAMLRow], packed words: [UInt32]?, details: [YAMLRow]) -> Int {
    let size = words.map { ($0.count + 1) / 2 * 8 } ?? nodes.count * MemoryLayout<YAMLRow>.stride
    return size + details.count * MemoryLayout<YAMLRow>.stride
  }

  /// Nodes in 4 bytes each, and after them the base of each stretch; `nil` if a node does not fit.
  static func packed(_ nodes: [YAMLRow]) -> [UInt32]? {
    let stretches = (nodes.count + stretch - 1) / stretch
    var words: [UInt32] = []
    words.reserveCapacity(nodes.count + stretches)
    var bases: [UInt32] = []
    bases.reserveCapacity(stretches)
    for first in Swift.stride(from: 0, to: nodes.count, by: stretch) {
      let places = first..<min(first + stretch, nodes.count)
      var base = UInt32.max
      for place in places where nodes[place].isWrittenScalar {
        base = min(base, nodes[place].place)
      }
      for place in places {
        guard let word = nodes[place].packed(at: place, base: base) else { return nil }
        words.append(word)
      }
      bases.append(base)
    }
    return words + bases
  }

  /// One node.
  subscript(index: Int) -> YAMLRow {
    guard let bases else { return nodes.load(fromByteOffset: index &* 8, as: YAMLRow.self) }
    let word = nodes.load(fromByteOffset: index &* 4, as: UInt32.self)
    return YAMLRow(packed: word, at: index, base: bases[index >> 4])
  }

  /// One detail.
  func detail(_ index: Int) -> YAMLRow { details[index] }
}

extension YAMLRow {
  /// A Boolean value that indicates whether `place` is the offset of a text in the file.
  fileprivate var isWrittenScalar: Bool { kind == .scalar && !hasDetails }
}
