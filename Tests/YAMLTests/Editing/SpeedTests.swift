import Testing

@testable import YAML

@Suite struct SpeedTests {
  private func time(_ body: () throws -> Void) rethrows -> Duration {
    try ContinuousClock().measure(body)
  }

  /// An unoptimized program needs about ten times as long as a release build.
  private let limit = Duration.seconds(20)

  @Test func makesTenThousandEditsInOnePass() throws {
    var text = ""
    var edits: [YAMLEdit] = []
    for number in 0..<10_000 {
      text +=
        "key\(number):\n  title: A text of some words, number \(number)\n  note: |\n    lines\n    and more\n"
      let name = number.isMultiple(of: 3) ? "title" : number.isMultiple(of: 2) ? "note" : "new"
      edits.append(YAMLEdit([.member("key\(number)"), .member(name)], text: "changed \(number)\n"))
    }
    var edited: [UInt8] = []
    let elapsed = try time { edited = try YAMLFile(Array(text.utf8), path: "a").applying(edits) }
    #expect(edited.split(separator: 0x0A).count { $0.starts(with: "    changed".utf8) } == 10_000)
    #expect(elapsed < limit)
    print("10000 edits of \(text.utf8.count) bytes in \(elapsed)")
  }

  @Test func namesTheReasonsOfTenThousandRefusals() {
    let text = (0..<10_000).map { "k\($0): !!int 1\n" }.joined()
    let edits = (0..<10_000).map { YAMLEdit([.member("k\($0)")], text: "new") }
    var failure: YAMLEditFailure?
    let elapsed = time {
      failure = #expect(throws: YAMLEditFailure.self) {
        try YAMLFile(Array(text.utf8), path: "a").applying(edits)
      }
    }
    #expect(failure?.problems.count == 10_000)
    #expect(elapsed < limit)
  }

  @Test(arguments: ["blanks", "flow", "list", "merges", "missing", "aliases"])
  func survivesLargeFilesOfOneForm(_ form: String) throws {
    let count = 10_000
    var (text, path) = ("", "k")
    switch form {
    case "blanks": text = "k: |+\n  x\n" + String(repeating: "\n", count: 200_000)
    case "flow":
      text = "k: old\nf: {" + (0..<count).map { "a\($0): " }.joined(separator: ", ") + "}\n"
      path = "f/a%"
    case "list":
      text = "l:\n" + (0..<count).map { "- id: i\($0)\n" }.joined()
      path = "l/#i%/t"
    case "merges":
      text = "a: &x {t: old}\n" + (0..<count).map { "b\($0): {<<: *x}\n" }.joined()
      path = "b%/t"
    case "missing":
      text = (0..<count).map { "b\($0):\n" }.joined()
      path = "b%"
    default:
      text = "a: &x {t: old}\n" + (0..<count).map { "b\($0): *x\n" }.joined()
      path = "b%/t"
    }
    let paths = path.contains("%") ? (0..<count).map { path.replacing("%", with: "\($0)") } : [path]
    let edits = paths.map { YAMLEdit(YAMLEdit.steps($0), text: "new") }
    let elapsed = try time { _ = try YAMLFile(Array(text.utf8), path: "a").applying(edits) }
    #expect(elapsed < limit, "\(form)")
    print("\(form): \(elapsed)")
  }
}
