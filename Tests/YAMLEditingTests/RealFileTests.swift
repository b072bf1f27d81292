import ContentModel
import Diagnostics
import Foundation
import SourceYAML
import TestInputs
import Testing

@testable import YAMLEditing

/// Edits of files that others wrote, which `Scripts/install-yaml-files.sh` installs.
///
/// `CONTENTC_YAML_FILES` names another folder with such files.
@Suite struct RealFileTests {
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
    guard !files.isEmpty else { return print("skipped: Scripts/install-yaml-files.sh was not run") }
    var all: [Edited] = []
    var counts: [YAMLSyntax.Form: Int] = [:]
    for file in files {
      guard let edited = try edit(file, counts: &counts) else { continue }
      all.append(edited)
    }
    #expect(all.count >= 200)
    print("edited \(all.count) of \(files.count) files: \(counts.map { "\($0.value) \($0.key)" })")
    try comparePyYAML(all)
  }

  private func files() throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["CONTENTC_YAML_FILES"]
    let folder = named.map { URL(fileURLWithPath: $0) } ?? root.appending(path: ".build/tools/yaml")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
      .map { folder.appending(path: $0) }
  }

  /// Edits texts of each style; returns `nil` for a file that contentc does not read.
  private func edit(_ url: URL, counts: inout [YAMLSyntax.Form: Int]) throws -> Edited? {
    guard let data = try? Data(contentsOf: url), data.count < 300_000 else { return nil }
    let (bytes, name) = ([UInt8](data), url.lastPathComponent)
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
        "\(url.path) \(place.path.shown): \(edit.text.debugDescription)")
    }
    let after = try file.applying(edits)
    let new = try #require(reader.read(after, path: name).output)
    var texts: [String: String] = [:]
    for edit in edits { texts[edit.path.shown] = edit.text }
    #expect(
      kinds(new.meaning(replacing: texts)) == kinds(old.meaning(replacing: texts)), "\(url.path)")
    return Edited(
      name: url.path, before: data, after: Data(after),
      edits: edits.map { Edited.Edit(path: $0.path.map(shown), text: $0.text) })
  }

  /// Meanings as one text, since an array of strings compares them canonically.
  private func kinds(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  private func shown(_ step: YAMLEdit.Step) -> String {
    switch step {
    case .key(let key): "." + key.text
    case .index(let index): "#\(index)"
    case .item(let id): "." + id.text
    }
  }

  /// Returns `true` if the bytes before and after a range of the old file are those of the new one.
  private func isSame(
    outside range: Range<Int>, before: [UInt8], after: [UInt8], in syntax: YAMLSyntax
  ) -> Bool {
    // A byte-order mark is no part of the syntax; other characters of its offsets are.
    let mark = before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let rest = max(0, before.count - mark - range.upperBound)
    return after.starts(with: before.prefix(mark + range.lowerBound))
      && after.suffix(rest).elementsEqual(before.suffix(rest))
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
