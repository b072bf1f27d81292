import ContentBuild
import ContentCompiler
import ContentModel
import PropertyLists
import System
import SystemC
import TestInputs
import Testing

@testable import TestCommands

/// A project whose build memory and compiled state receive hostile values with valid checksums.
///
/// After each mutation a build runs, with or without an edit of the content. The next mutation
/// changes the files that this build saves.
struct HostileMemory {
  private let sandbox: Sandbox
  private let memory: String
  private let state: String
  /// The files that the last build saved or accepted.
  private var saved: (memory: [UInt8], state: [UInt8])
  /// The extremes for each number in the notes, with the path of its node.
  private let notes: [(node: [String], new: HostileValue)]
  /// The offsets of bytes in the memory's stamps and in the state's head.
  private let offsets: (stamps: [Int], head: [Int])

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    _ = try sandbox.run("build", "-q")
    let names = sandbox.tree(".contentc").map(\.path)
    memory = try #require(names.first { $0.hasSuffix(".memory") })
    state = try #require(names.first { $0.hasSuffix(".state") })
    saved = (try #require(sandbox.read(memory)), try #require(sandbox.read(state)))
    let known = try #require(BuildMemory(saved.memory))
    let value = try PropertyList.decode(known.notes, as: .binary).value
    notes = value.paths.flatMap { path in
      let node = value.node(path)
      guard let node, node.isNumeral else { return [(node: [String], new: HostileValue)]() }
      return HostileValue.extremes(of: node).map { (node: path, new: $0) }
    }
    // With a prime step over a table, each byte of a number gets its turn.
    offsets = (
      Array(stride(from: 0, to: saved.memory.count - 40, by: 31)),
      Array(stride(from: 0, to: Self.head(of: saved.state) - 8, by: 31))
    )
  }

  /// The number of cases: each extreme for each number, without and with an edit of the content.
  var caseCount: Int { 2 * (notes.count + (offsets.stamps.count + offsets.head.count) * 3) }

  /// Changes one number in the files of the last build, and builds.
  mutating func apply(caseAt index: Int, announce: (String) -> Void) throws {
    let (place, isEdited) = (index / 2, index % 2 == 1)
    guard let known = BuildMemory(saved.memory) else {
      throw Sandbox.Problem(message: "the build saved no memory")
    }
    try sandbox.write(state, bytes: saved.state)
    let changed: (bytes: [UInt8], mutation: String)?
    if place < notes.count {
      let (node, new) = notes[place]
      let value = try PropertyList.decode(known.notes, as: .binary).value
      changed = (
        Self.changing(value, at: node, to: new, in: known).encoded().flatMap { Array($0) },
        "notes: \(node.joined(separator: ".")) = \(new)"
      )
    } else {
      let (offset, number) = (place - notes.count).quotientAndRemainder(dividingBy: 3)
      let extreme: (number: Int64, width: Int) = [(.max, 8), (-1, 4), (.min, 8)][number]
      if offset < offsets.stamps.count {
        changed = Self.changingBody(of: saved.memory) {
          Self.setting(extreme.number, extreme.width, at: offsets.stamps[offset], in: $0)
        }
      } else {
        changed = changingState(known) {
          let place = offsets.head[offset - offsets.stamps.count]
          return Self.setting(extreme.number, extreme.width, at: place, in: $0)
        }
      }
    }
    guard let changed else { throw Sandbox.Problem(message: "the memory has no such place") }
    try sandbox.write(memory, bytes: changed.bytes)
    try build("-q", title: isEdited ? index : nil, with: changed.mutation, announce)
    // If the build did not rewrite the memory, the file still has the change, so it is restored.
    if let new = sandbox.read(memory), new != changed.bytes, let state = sandbox.read(state) {
      saved = (new, state)
    } else {
      try sandbox.write(memory, bytes: saved.memory)
    }
  }

  private static func setting(
    _ number: Int64, _ width: Int, at start: Int, in bytes: [UInt8]
  ) -> (bytes: [UInt8], mutation: String) {
    var bytes = bytes
    let end = min(start + width, bytes.count)
    withUnsafeBytes(of: number.littleEndian) {
      bytes.replaceSubrange(min(start, end)..<end, with: $0.prefix(max(end - start, 0)))
    }
    return (bytes, "\(number) in \(width) bytes at \(start)")
  }

  private static func head(of state: [UInt8]) -> Int {
    state.count < 4 ? 0 : (0..<4).reduce(0) { $0 | Int(state[$1]) << (8 * $1) }
  }

  /// Builds the content unchanged or, if `title` is set, with another title of an entry.
  private func build(
    _ style: String, title: Int?, with mutation: String, _ announce: (String) -> Void
  ) throws {
    if let title {
      try sandbox.write(
        "content/entries/product/rose.yaml",
        "title: Rose \(title)\nprice: 3\npicture: rose.bin\nnext: product/lily\n")
    }
    announce("build \(style) with \(mutation), title \(title.map { "\($0)" } ?? "unchanged")")
    let status = Sandbox.wait(for: try sandbox.start(Sandbox.binary, ["build", style]))
    if status < 0 || status >= 128 { abort() }
  }

  func apply(_ hostile: inout HostileValues, announce: (String) -> Void) throws {
    var description = "no memory"
    if hostile.random.below(20) > 0, let stored = sandbox.read(memory),
      let known = BuildMemory(stored)
    {
      let (new, mutation) = mutated(known, stored, &hostile)
      description = mutation
      try sandbox.write(memory, bytes: new)
    } else {
      // The files may still contain a refused change, so they are removed.
      for path in [memory, state] { unlink("\(sandbox.root)/\(path)") }
    }
    let title = hostile.random.below(3) > 0 ? hostile.random.below(1_000) : nil
    let style = hostile.random.below(2) == 0 ? "-q" : "--json"
    try build(style, title: title, with: description, announce)
  }

  /// Returns a memory with a hostile value in it or in the state that it names.
  private func mutated(
    _ known: BuildMemory, _ stored: [UInt8], _ hostile: inout HostileValues
  ) -> (bytes: [UInt8], mutation: String) {
    var known = known
    switch hostile.random.below(3) {
    case 0:
      guard let notes = try? PropertyList.decode(known.notes, as: .binary).value else {
        return (stored, "nothing")
      }
      let (node, new) = hostile.change(of: notes)
      known = Self.changing(notes, at: node, to: new, in: known)
      return (known.encoded().flatMap { Array($0) }, "notes: \(hostile.mutation)")
    case 1:
      return Self.changingBody(of: stored) { hostile.exchanged($0) } ?? (stored, "nothing")
    default: return changingState(known) { hostile.exchanged($0) } ?? (stored, "nothing")
    }
  }

  private static func changing(
    _ notes: Value, at node: [String], to new: HostileValue, in memory: BuildMemory
  ) -> BuildMemory {
    var memory = memory
    let changed = notes.setting(node, to: new.value) ?? .dictionary(Members())
    if let bytes = new.bytes(of: changed, as: .binary) { memory.notes = bytes }
    return memory
  }

  /// Changes the stamps of files and folders.
  ///
  /// The file has a magic line, a checksum and the body.
  private static func changingBody(
    of stored: [UInt8], _ change: ([UInt8]) -> (bytes: [UInt8], mutation: String)
  ) -> (bytes: [UInt8], mutation: String)? {
    guard let line = stored.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let (body, mutation) = change(Array(stored[(line + 9)...]))
    var sum = Checksum()
    body.withUnsafeBytes { sum.update($0) }
    let checksum = withUnsafeBytes(of: sum.value.littleEndian) { Array($0) }
    return (stored[...line] + checksum + body, "memory: \(mutation)")
  }

  /// Changes the state's head, which has the hashes of its parts, and the state's hash in the
  /// memory.
  private func changingState(
    _ known: BuildMemory, _ change: ([UInt8]) -> (bytes: [UInt8], mutation: String)
  ) -> (bytes: [UInt8], mutation: String)? {
    guard case .dictionary(var notes)? = try? PropertyList.decode(known.notes, as: .binary).value,
      let old = sandbox.read(state), old.count > 8
    else { return nil }
    let head = 4 + Self.head(of: old)
    guard head < old.count else { return nil }
    let (new, mutation) = change(Array(old[4..<head]))
    let bytes = old[..<4] + new + old[head...]
    guard (try? sandbox.write(state, bytes: Array(bytes))) != nil else { return nil }
    notes["state"] = .data(CompiledState.name(of: Array(bytes)).bytes)
    var known = known
    if let bytes = try? PropertyList.encode(.dictionary(notes), as: .binary) { known.notes = bytes }
    return (known.encoded().flatMap { Array($0) }, "state: \(mutation)")
  }
}
