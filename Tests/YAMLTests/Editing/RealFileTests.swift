import ContentModel
import Diagnostics
import Foundation
import TestInputs
import TestServers
import Testing

@testable import YAML

/// Edits of third-party files, which `make setup-judges` installs.
///
/// `CONTENTC_YAML_FILES` names another folder with such files.
@Suite(.nightly) struct RealFileTests {
  /// One file and its edits, for a comparison by PyYAML.
  private struct Edited: Encodable {
    struct Edit: Encodable {
      /// Keys, and indices as `#` and the number.
      var path: [String]
      var text: String
    }
    var name: String
    var before: Data
    var after: Data
    var edits: [Edit]
  }

  @Test func changesOnlyTheEditedTextsOfRealFiles() throws {
    let files = try files()
    try #require(!files.isEmpty, "'make setup-judges' installs the files")
    var all: [Edited] = []
    var counts: [YAMLSyntax.Form: Int] = [:]
    for file in files {
      guard let data = try? Data(contentsOf: file), data.count < 300_000 else { continue }
      let original = [UInt8](data)
      for bytes in [original, onWindows(original)] {
        if let edited = try edit(bytes, name: file.path, counts: &counts) { all.append(edited) }
      }
    }
    #expect(files.count < 200 || all.count >= 400)
    print(
      "edited \(all.count) texts of \(files.count) files: \(counts.map { "\($0.value) \($0.key)" })"
    )
    try comparePyYAML(all)
  }

  private func files() throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["CONTENTC_YAML_FILES"]
    let folder = named.map { URL(fileURLWithPath: $0) } ?? root.appending(path: ".build/tools/yaml")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
      .map { folder.appending(path: $0) }
  }

  /// The file as some editors write it: with a byte-order mark, and CR LF at the end of each line.
  private func onWindows(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.contains(0x0D), !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return [] }
    return [0xEF, 0xBB, 0xBF] + bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
  }

  /// Edits texts of each style; returns `nil` for a file that contentc does not read.
  private func edit(
    _ bytes: [UInt8], name: String, counts: inout [YAMLSyntax.Form: Int]
  ) throws -> Edited? {
    var reader = YAMLReader()
    reader.duplicateKeys = .warning
    let read = reader.read(bytes, path: name)
    guard let old = read.output, !read.diagnostics.contains(where: { $0.severity == .error }),
      let syntax = YAMLSyntax(of: bytes, path: name)
    else { return nil }
    var random = SeededGenerator(seed: bytes.count)
    let places = RandomEdits(syntax).some(4, using: &random)
    guard !places.isEmpty else { return nil }
    var edits: [YAMLEdit] = []
    let file = YAMLFile(bytes, path: name, reader: reader)
    for place in places {
      counts[place.form, default: 0] += 1
      let edit = YAMLEdit(place.path, text: RandomEdits.text(using: &random))
      edits.append(edit)
      let after = try file.applying([edit])
      #expect(
        isSame(outside: place.range, before: bytes, after: after, in: syntax),
        "\(name) \(place.path.shown): \(edit.text.debugDescription)")
    }
    if old.kind == .mapping {
      let edit = YAMLEdit([.member("a new key"), .member("below")], text: "new")
      do {
        let after = try file.applying([edit])
        #expect(endsInBlock(syntax) || isInsertion(before: bytes, after: after), "\(name)")
        edits.append(edit)
      } catch {
        guard case .notation? = error.problems.first?.reason else { throw error }
      }
    }
    let after = try file.applying(edits)
    let new = try #require(reader.read(after, path: name).output)
    let expected = edits.reduce(Meaning(old)) { $0.setting($1.path[...], to: $1.text) }
    #expect(Meaning(new) == expected, "\(name)")
    return Edited(
      name: name, before: Data(bytes), after: Data(after),
      edits: edits.map { Edited.Edit(path: $0.path.map(shown), text: $0.text) })
  }

  /// Returns `true` if the file ends in a block scalar without a line break.
  ///
  /// The header of the scalar must change if lines follow.
  private func endsInBlock(_ syntax: YAMLSyntax) -> Bool {
    syntax.bytes.last.map { $0 != 0x0A && $0 != 0x0D } ?? false
      && syntax.nodes.contains {
        $0.form.isBlockScalar && $0.inner.upperBound >= syntax.bytes.count
      }
  }

  /// Returns `true` if the new file is the old one with lines in one place.
  private func isInsertion(before: [UInt8], after: [UInt8]) -> Bool {
    let (before, after) = (Data(before), Data(after))
    let limit = min(before.count, after.count)
    let prefix = largest(limit) { before.prefix($0) == after.prefix($0) }
    let suffix = largest(limit) { before.suffix($0) == after.suffix($0) }
    return prefix + suffix >= before.count
  }

  /// Returns the largest number up to a limit for which a condition holds.
  ///
  /// The condition must hold for all smaller numbers, too.
  private func largest(_ limit: Int, holds: (Int) -> Bool) -> Int {
    var range = 0...limit
    while range.count > 1 {
      let middle = (range.lowerBound + range.upperBound + 1) / 2
      range = holds(middle) ? middle...range.upperBound : range.lowerBound...middle - 1
    }
    return range.lowerBound
  }

  private func shown(_ step: YAMLEdit.Step) -> String {
    switch step {
    case .key(let key): "." + key.text
    case .index(let index): "#\(index)"
    case .item(let id): "." + id.text
    }
  }

  /// Returns `true` if both files have the same bytes outside a range of the old one.
  private func isSame(
    outside range: Range<Int>, before: [UInt8], after: [UInt8], in syntax: YAMLSyntax
  ) -> Bool {
    // Offsets of the syntax do not count a byte-order mark.
    let mark = before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let rest = max(0, before.count - mark - range.upperBound)
    // Tests are compiled without optimization. Then only `Data` compares bytes fast.
    let (before, after) = (Data(before), Data(after))
    return after.prefix(mark + range.lowerBound) == before.prefix(mark + range.lowerBound)
      && after.suffix(rest) == before.suffix(rest)
  }

  /// Compares all files by another parser, which has its own rules for plain words.
  private func comparePyYAML(_ edited: [Edited]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yaml-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let list = folder.appending(path: "edits.json")
    try JSONEncoder().encode(edited).write(to: list)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Scripts/compare-edits.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, list.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    print(text)
  }
}
