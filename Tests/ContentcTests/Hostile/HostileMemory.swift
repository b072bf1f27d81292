import ContentCompiler
import ContentModel
import ContentStore
import PropertyLists
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A project whose build memory and compiled state receive hostile values with valid checksums.
///
/// Each mutation is followed by a build, with or without an edit of the content; what that build
/// saves is changed next.
struct HostileMemory {
  private let sandbox: Sandbox
  private let memory: String
  private let state: String

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    _ = try sandbox.run("build", "-q")
    let names = sandbox.tree(".contentc").map(\.path)
    memory = try #require(names.first { $0.hasSuffix(".memory") })
    state = try #require(names.first { $0.hasSuffix(".state") })
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
      // A refused change can stay in the files; this begins anew.
      for path in [memory, state] { unlink("\(sandbox.root)/\(path)") }
    }
    var edit = "no edit"
    if hostile.random.below(3) > 0 {
      edit =
        "title: Rose \(hostile.random.below(1_000))\nprice: 3\npicture: rose.bin\nnext: product/lily\n"
      try sandbox.write("content/entries/product/rose.yaml", edit)
    }
    let style = hostile.random.below(2) == 0 ? "-q" : "--json"
    announce("build \(style) with \(description), \(edit)")
    let status = Sandbox.wait(for: try sandbox.start(Sandbox.binary, ["build", style]))
    if status < 0 || status >= 128 { abort() }
  }

  /// The file of a memory with a hostile value in it, or in the state that it names.
  private func mutated(
    _ known: BuildMemory, _ stored: [UInt8], _ hostile: inout HostileValues
  ) -> (bytes: [UInt8], mutation: String) {
    var known = known
    switch hostile.random.below(3) {
    case 0:
      guard let notes = try? PropertyList.decode(known.notes, as: .binary).value else {
        return (stored, "nothing")
      }
      if let bytes = hostile.bytes(of: hostile.mutated(notes), as: .binary) { known.notes = bytes }
      return (known.encoded().flatMap { Array($0) }, "notes: \(hostile.mutation)")
    case 1:
      // The stamps of files and folders: a magic line, a checksum and the body.
      guard let line = stored.firstIndex(of: UInt8(ascii: "\n")) else { return (stored, "nothing") }
      let (body, mutation) = hostile.exchanged(Array(stored[(line + 9)...]))
      var sum = Checksum()
      body.withUnsafeBytes { sum.update($0) }
      let checksum = withUnsafeBytes(of: sum.value.littleEndian) { Array($0) }
      return (stored[...line] + checksum + body, "memory: \(mutation)")
    default: return mutatedState(known, stored, &hostile)
    }
  }

  /// Changes the head of the state, whose hash the memory has, or one of its parts, whose hash the
  /// head has.
  private func mutatedState(
    _ known: BuildMemory, _ stored: [UInt8], _ hostile: inout HostileValues
  ) -> (bytes: [UInt8], mutation: String) {
    guard case .dictionary(var notes)? = try? PropertyList.decode(known.notes, as: .binary).value,
      let old = sandbox.read(state), old.count > 8
    else { return (stored, "nothing") }
    let head = 4 + (0..<4).reduce(0) { $0 | Int(old[$1]) << (8 * $1) }
    guard head < old.count else { return (stored, "nothing") }
    let (new, mutation) = hostile.exchanged(Array(old[4..<head]))
    let bytes = old[..<4] + new + old[head...]
    guard (try? sandbox.write(state, bytes: Array(bytes))) != nil else {
      return (stored, "nothing")
    }
    notes["state"] = .data(CompiledState.name(of: Array(bytes)).bytes)
    var known = known
    if let bytes = try? PropertyList.encode(.dictionary(notes), as: .binary) { known.notes = bytes }
    return (known.encoded().flatMap { Array($0) }, "state: \(mutation)")
  }
}
