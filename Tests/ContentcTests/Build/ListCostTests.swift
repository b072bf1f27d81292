import SystemC
import Testing

@testable import TestCommands

/// Lists that an author may make as long as wanted: twice the items must not cost more than twice
/// the time and memory, with some room for noise.
///
/// The program runs as a process of its own, since its times and its memory would otherwise be
/// those of all tests.
@Suite(.serialized) struct ListCostTests {
  typealias Files = [(path: String, text: String)]

  /// A list of a content folder, and the folder for a number of items.
  struct List: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A number for which the time is that of the items, not that of the program's start.
    var count: Int
    var files: @Sendable (Int) -> Files

    init(_ name: String, _ count: Int, files: @escaping @Sendable (Int) -> Files) {
      (testDescription, self.count, self.files) = (name, count, files)
    }
  }

  private static let project = """
    app: shop
    sourceLocale: en
    locales: [en, fr]
    bundles: {all: {include: "**"}}

    """
  private static let note = """
    fields:
      title: {type: string, localized: true}
      page: markdown
      links: {type: list, of: reference}
      pictures: {type: list, of: asset}
      items:
        type: list
        of: {type: object, fields: {id: string, label: {type: string, localized: true}, size: integer}}
      more: any

    """

  private static func folder(_ files: Files) -> Files {
    [("content/content.yaml", project), ("content/datatypes/note.yaml", note)]
      + files.map { ("content/\($0.path)", $0.text) }
  }

  /// Returns the entries of `note`, the first of which has a text of several lines.
  private static func entries(_ text: String, _ count: Int, line: (Int) -> String) -> Files {
    [("entries/note.yaml", text + (0..<count).map { line($0) + "\n" }.joined())]
  }

  private static func assets(_ count: Int) -> Files {
    (0..<count).map { ("assets/pictures/p\($0).txt", "\($0)") }
  }

  static let lists: [List] = [
    List("references of an entry", 1_200) { count in
      entries("a:\n  links:\n", count) { "    - note/b\($0)" }
        + [("entries/note/b.yaml", "title: b\n")]
        + (0..<count).map { ("entries/note/b\($0).yaml", "title: b\n") }
    },
    List("references to one entry", 3_000) { count in
      entries("b: {title: b}\na:\n  links:\n", count) { _ in "    - note/b" }
    },
    List("broken references", 3_000) { count in
      entries("a:\n  links:\n", count) { "    - note/b\($0)" }
    },
    List("links and pictures of a page", 1_500) { count in
      entries("b: {title: b}\na:\n  page: |\n", count) {
        "    [b](note/b) and ![p](pictures/p\($0 % 20).txt)\n"
      } + assets(20)
    },
    List("mistakes of a page", 1_500) { count in
      entries("a:\n  page: |\n", count) {
        "    [b](http://a.b/\($0))\n"
      }
    },
    List("assets of an entry", 1_000) { count in
      entries("a:\n  pictures:\n", count) { "    - pictures/p\($0).txt" } + assets(count)
    },
    List("assets that are not there", 500) { count in
      entries("a:\n  pictures:\n", count) { "    - pictures/q\($0).txt" } + assets(count)
    },
    List("folders of assets that are not there", 2_000) { count in
      entries("a:\n  pictures:\n", count) { "    - q\($0)/p.txt" } + assets(20)
    },
    List("fields that are not declared", 2_000) { count in
      entries("a:\n", count) { "  field\($0): x" }
    },
    List("fields of a datatype", 2_000) { count in
      entries("a:\n", count) { "  field\($0): x" } + [
        (
          "datatypes/note.yaml",
          "fields:\n" + (0..<count).map { "  field\($0): string\n" }.joined()
        )
      ]
    },
    List("parts of a text with commas", 2_000) { count in
      [("entries/note.yaml", "a: {title: x\((0..<count).map { ", k\($0)" }.joined())}\n")]
    },
    List("items that an overlay extends", 1_500) { count in
      entries("a:\n  items:\n", count) { "    - {id: i\($0), label: x}" } + [
        (
          "entries/note.fr.yaml",
          "a:\n  items:\n" + (0..<count).map { "    - {id: i\($0), label: y}\n" }.joined()
        )
      ]
    },
    List("items of an overlay that are not there", 1_000) { count in
      entries("a:\n  items:\n", count) { "    - {id: i\($0), label: x}" } + [
        (
          "entries/note.fr.yaml",
          "a:\n  items:\n" + (0..<count).map { "    - {id: j\($0), label: y}\n" }.joined()
        )
      ]
    },
    List("items without a required value", 2_000) { count in
      entries("a:\n  items:\n", count) { "    - {id: i\($0)}" } + [
        (
          "datatypes/note.yaml",
          """
          fields:
            items: {type: list, of: {type: object, fields: {id: string, label: {type: string, required: true}}}}

          """
        )
      ]
    },
    List("items with a condition", 1_500) { count in
      entries("a:\n  more:\n", count) { "    - {x: \($0), when: {country: [FR, DE]}}" }
    },
    List("texts of a catalog", 6_000) { count in
      [
        ("strings/app.en.yml", "en:\n" + (0..<count).map { "  k\($0): x\n" }.joined()),
        ("strings/app.fr.yml", "fr:\n" + (0..<count).reversed().map { "  k\($0): y\n" }.joined()),
      ]
    },
    List("texts of a translation that the source lacks", 2_000) { count in
      [
        ("strings/app.en.yml", "en:\n" + (0..<count).map { "  k\($0): x\n" }.joined()),
        ("strings/app.fr.yml", "fr:\n" + (0..<count).map { "  l\($0): y\n" }.joined()),
      ]
    },
    List("overlays without an entry", 2_000) { count in
      [("entries/note.fr.yaml", (0..<count).map { "b\($0): {title: x}\n" }.joined())]
    },
    List("entries in two files", 1_000) { count in
      entries("", count) { "x\($0): {title: x}" }
        + (0..<count).map { ("entries/note/x\($0).yaml", "title: x\n") }
    },
    List("files with a syntax error", 1_000) { count in
      (0..<count).map { ("entries/note/x\($0).yaml", "title: \"x\n") }
    },
    List("keys that occur twice", 3_000) { count in
      entries("a:\n  more:\n", count) { "    k: \($0)" }
    },
    List("anchors and aliases", 3_000) { count in
      entries("a:\n  more:\n", count) { "    - &a\($0) x\n    - *a\($0)" }
    },
    List("lines of a quoted text", 20_000) { count in
      entries("a:\n  title: \"x\n", count) { "  y \($0)" }.map { ($0.path, $0.text + "  \"\n") }
    },
    List("comments that look like texts", 3_000) { count in
      entries("a:\n  more:\n", count) { "    - x #1 \($0)" }
    },
    List("datatypes", 400) { count in
      (0..<count).flatMap {
        [
          ("datatypes/d\($0).yaml", "fields: {title: string}\n"),
          ("entries/d\($0)/a.yaml", "title: x\n"),
        ]
      }
    },
    List("bundles", 400) { count in
      entries("", count) { "b\($0): {title: x}" } + [
        (
          "content.yaml",
          project.replacing("bundles: {all: {include: \"**\"}}\n", with: "bundles:\n")
            + (0..<count).map { "  b\($0): {include: note/b\($0)}\n" }.joined()
        )
      ]
    },
    List("steps of a flow", 2_000) { count in
      [
        ("datatypes/step.yaml", "flow: true\nfields: {next: reference}\n"),
        (
          "entries/step.yaml",
          (0..<count).map { "s\($0): {next: step/s\(($0 + 1) % count)}\n" }.joined()
        ),
      ]
    },
  ]

  @Test(arguments: lists) func costsAtMostItsLength(_ list: List) throws {
    try expectLinear { count in
      try Sandbox(Self.folder(list.files(count * list.count)))
    } run: {
      try usage(of: ["check"], in: $0)
    }
  }

  /// A build trusts no time of a file that changed just before it, so the next build reads all.
  @Test func theFirstBuildWithoutChangesCostsAtMostTheLengthOfItsAssets() throws {
    try expectLinear { count in
      let files =
        Self.entries("a:\n  pictures:\n", count * 1_000) { "    - pictures/p\($0).txt" }
        + Self.assets(count * 1_000)
      return try Sandbox(Self.folder(files))
    } run: { sandbox in
      _ = try sandbox.run("build", "--quiet")
      return try usage(of: ["build", "--quiet"], in: sandbox)
    }
  }

  /// Each config has all key documents, as far as there is room for them.
  @Test(arguments: [["keys", "show", "qa"], ["publish", "qa"]])
  func keyDocumentsCostAtMostTheirLength(_ command: [String]) throws {
    try expectLinear { times in
      let shop = try SignedShop()
      // The signer of documents is in the settings, so that each new document is signed at once.
      try shop.writeSettings([
        ("qa", "keys", "keys"), ("qa", "release", "release"), ("qa", "fresh", "release"),
      ])
      for _ in 1..<(times * 15) { try shop.succeed("keys", "renew", "qa") }
      return shop.sandbox
    } run: { sandbox in
      try usage(
        of: command, in: sandbox,
        environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    }
  }

  /// A broken import may have a hundred thousand mistakes.
  @Test func aMistakeTakesFewerThanAThousandBytes() throws {
    let count = 6_000
    let peaks = try ["10", "1_0"].map { size in
      let sandbox = try Sandbox(
        Self.folder(Self.entries("", count) { "a\($0): {items: [{size: \(size)}]}" }))
      return try usage(of: ["check"], in: sandbox).bytes
    }
    #expect(peaks[1] - peaks[0] < count * 1_000, "\(peaks)")
  }

  // MARK: Measuring

  struct Usage {
    /// The processor's time, in microseconds.
    var time: Int
    /// The greatest size in memory, in bytes; 0 where the system does not tell it.
    var bytes: Int
  }

  /// Expects that twice the items cost at most 2.5 times as much.
  ///
  /// Other processes disturb times, so the best of some measurements counts.
  private func expectLinear(
    _ make: (_ times: Int) throws -> Sandbox, run: (Sandbox) throws -> Usage
  ) throws {
    var found: [(once: Usage, twice: Usage)] = []
    for _ in 0..<4 {
      let pair = (once: try run(make(1)), twice: try run(make(2)))
      found.append(pair)
      if isLinear(found) { return }
    }
    Issue.record("twice the items cost too much: \(found)")
  }

  private func isLinear(_ found: [(once: Usage, twice: Usage)]) -> Bool {
    guard let once = found.map(\.once.time).min(), let twice = found.map(\.twice.time).min() else {
      return false
    }
    let bytes = found.map { ($0.once.bytes, $0.twice.bytes) }
    return twice * 2 < once * 5 && bytes.allSatisfy { $1 * 2 <= $0 * 5 }
  }

  /// Runs `contentc` to its end, and returns what it used.
  private func usage(
    of arguments: [String], in sandbox: Sandbox, environment: [String] = []
  ) throws -> Usage {
    let process = try sandbox.start(Sandbox.binary, arguments, environment: environment)
    var (status, used, peak) = (Int32(0), rusage(), 0)
    while wait4(process, &status, WNOHANG, &used) == 0 {
      // The kernel's figure at the end would include the memory of these tests, which started it.
      peak = max(peak, Self.peak(of: process))
      usleep(1_000)
    }
    let exit = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    #expect([0, 1].contains(exit), "\(arguments) ended with \(exit)")
    return Usage(
      time: Self.microseconds(used.ru_utime) + Self.microseconds(used.ru_stime), bytes: peak)
  }

  private static func microseconds(_ time: timeval) -> Int {
    Int(time.tv_sec) * 1_000_000 + Int(time.tv_usec)
  }

  /// Returns the greatest size of a process in memory so far, in bytes; 0 without Linux's `/proc`.
  private static func peak(of process: pid_t) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&buffer, 1, buffer.count, file)
    let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
  }
}
