import ContentModel
import Diagnostics
import Foundation
import TestInputs
import TestServers
import Testing
import Translations

/// Checks the files with third-party readers; `Scripts/judge.py` lists these.
@Suite(.nightly) struct ForeignJudgeTests {
  /// A unit as the script reads it.
  private struct Expected: Encodable {
    var id: String
    var source: String
    var target: String?
    var state: String

    init(_ unit: TranslationUnit) {
      (id, source, target) = (unit.id.text, unit.source, unit.target)
      state = "\(unit.state)"
    }
  }

  @Test func satisfiesThirdPartyReaders() throws {
    let folder = try ScratchFolder()
    try write(Samples.units, named: "a-sample", in: folder)
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: seed)
      try write(generator.units(20), named: "seed-\(seed)", in: folder)
    }
    try judge(folder)
  }

  /// The sample units have only texts that LibreOffice keeps; it replaces some control characters.
  @Test func survivesLibreOffice() throws {
    let folder = try ScratchFolder()
    try write(Samples.units, named: "sample", in: folder)
    try judge(folder, office: "/usr/bin/soffice")
  }

  private func judge(_ folder: ScratchFolder, office: String? = nil) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Scripts/judge.py").path
    let python = Program.tool("translations/bin/python3")
    let output = folder.path("output.txt")
    let program = try Program(
      python,
      [script, Program.tool("translations/schemas"), folder.path] + (office.map { [$0] } ?? []),
      output: output)
    let status = program.wait()
    let report = try folder.read("output.txt")
    #expect(status == 0, "\(report)")
  }

  private func write(_ units: [TranslationUnit], named name: String, in folder: ScratchFolder)
    throws
  {
    for format in TranslationFormat.allCases {
      let written = TranslationFile(
        format, from: Samples.english, to: Samples.french, units: units
      ).encoded()
      try #require(written.diagnostics == [])
      let path = folder.path("\(name).\(format.name)")
      try Data(written.output).write(to: URL(fileURLWithPath: path))
    }
    let expected = try JSONEncoder().encode(units.map(Expected.init))
    try expected.write(to: URL(fileURLWithPath: folder.path("\(name).json")))
  }
}
