import ArgumentParser
import ContentBuild
import ContentModel
import ContentcCommands
import PropertyLists
import System
import SystemC
import TestInputs

@testable import TestCommands

/// A project with a history in two channels of a folder target.
///
/// Each mutation changes a file of the target, of `out/` or of `content/`, runs a command and
/// restores every file. The process changes into the project's folder, and the commands run there.
struct HostileProject {
  private let sandbox: Sandbox
  private let original: [String: [UInt8]]
  private let target: HostileFiles
  private let output: HostileFiles
  /// The paths of the content's YAML files.
  private let content: [String]
  /// The parsed commands by command line, because parsing takes longer than most commands.
  private let commands: [String: any ParsableCommand]
  /// The numbers in all files, in a fixed order.
  let places: [HostilePlace]
  /// The stamps of the files that still have their original content.
  private var stamps: [String: FileStamp]

  init() throws {
    // Few contexts suffice, because each mutation reads every file.
    sandbox = try Sandbox(
      EditingShop.files.filter { $0.path != "content/entries/product.de.yaml" }.map { path, text in
        (path, text.replacing("[en, fr, de]", with: "[en, fr]").replacing(", tablet: {}", with: ""))
      })
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      ttl: {app: 10m, edge: 5m, origin: 1s, staleWhileRevalidate: 30s, staleIfError: 1d, offline: 7d}
      stalenessLimit: 30d
      minimumApp: "1.2.3"
      channels:
        qa: {target: site}
        production: {target: site}
        edge:
          target: site
          url: http://127.0.0.1:9/v1
          originTimeout: 30s
          cdn: [nginx, varnish]
      E
      """)
    guard chdir(sandbox.root) == 0 else {
      throw Sandbox.Problem(message: "no folder \(sandbox.root)")
    }
    for line in [
      "build -q", "publish qa -q", "maintenance on qa -q --until 2100-01-01T00:00:00Z",
      "maintenance off qa -q",
      "promote qa production -q", "purge product/tulip --channel qa --reason bad -q",
      "publish qa -q --unpurge all",
      "purge product/lily --channel qa --reason bad -q", "build -q",
    ] {
      let outcome = try sandbox.run(Sandbox.binary, Self.words(line))
      guard outcome.status == 0 else { throw Sandbox.Problem(message: "'\(line)': \(outcome)") }
    }
    try Self.writeMarks(in: sandbox)
    var files: [String: [UInt8]] = [:]
    for (path, bytes) in sandbox.tree() { files[path] = bytes }
    original = files
    target = HostileFiles(files, below: "site/")
    output = HostileFiles(files, below: "out/")
    commands = try Self.parsed(
      HostileCommands.target + HostileCommands.output + HostileCommands.content)
    content = files.keys.filter {
      $0.utf8.starts(with: "content/".utf8) && $0.utf8.suffix(5).elementsEqual(".yaml".utf8)
    }
    .sorted { $0.precedesInBytes($1) }
    places = Self.places(target, output, content.map { ($0, files[$0] ?? []) })
    stamps = [:]
    try restore(original.keys)
  }

  /// Writes the notes of a prune about one object, which is still waiting, and about a record.
  private static func writeMarks(in sandbox: Sandbox) throws {
    let keys = sandbox.tree("site").map { String($0.path.dropFirst("site/".count)) }
    let time = Value.date(Instant(secondsSince1970: 1_800_000_000))
    func times(_ folder: String) -> Value {
      .dictionary(Members(keys.filter { $0.contains(folder) }.prefix(1).map { ($0, time) }))
    }
    let marks: Value = ["format": 1, "marked": times("objects/"), "seen": times("releases/")]
    try sandbox.write(
      "site/prune/marks.plist", bytes: PropertyList.encode(marks, as: .binary))
  }

  /// Returns the places of all numbers, first those in a channel's own files.
  private static func places(
    _ target: HostileFiles, _ output: HostileFiles, _ content: [(path: String, bytes: [UInt8])]
  ) -> [HostilePlace] {
    ["qa", "production"].flatMap { channel in
      let commands = HostileCommands.reading(channel: channel)
      return ["config.", "releases/", "purges/", "retired."].flatMap { name in
        target.numbers(readBy: commands) { $0.hasPrefix("site/\(channel)/\(name)") }
      } + target.names(below: "site/\(channel)/", readBy: commands)
    } + target.numbers(readBy: HostileCommands.prunes) { $0.hasPrefix("site/prune/") }
      + target.numbers(readBy: HostileCommands.objects) { $0.contains("/objects/") }
      + output.numbers(readBy: HostileCommands.output) { _ in true }
      + content.flatMap { path, bytes in
        HostilePlace.numbers(
          inFile: path, String(decoding: bytes, as: UTF8.self), readBy: HostileCommands.content)
      }
  }

  private static func parsed(_ lines: [String]) throws -> [String: any ParsableCommand] {
    try Dictionary(
      lines.filter { !HostileCommands.isBuild($0) && !["preview", "convert"].contains($0) }.map {
        ($0, try Contentc.parseAsRoot(words($0)))
      }
    ) { first, _ in first }
  }

  /// The number of cases: each extreme for each number, with each command that reads it.
  var caseCount: Int { places.reduce(0) { $0 + $1.caseCount } }

  /// Changes one number, runs one command and restores the files.
  ///
  /// `announce` gets the change before the command runs.
  mutating func apply(caseAt index: Int, announce: (String) -> Void) throws {
    var rest = index
    guard
      let place = places.first(where: {
        rest -= $0.caseCount
        return rest < 0
      })
    else { throw Sandbox.Problem(message: "no case \(index)") }
    let (extreme, command) = (rest + place.caseCount).quotientAndRemainder(
      dividingBy: place.commands.count)
    let (changes, mutation) = place.change(extreme)
    try run(place.commands[command], on: changes, mutation, announce)
  }

  /// Changes a file at random, runs a command and restores the files.
  mutating func apply(_ values: inout HostileValues, announce: (String) -> Void) throws {
    let changes: [String: [UInt8]]
    let (commands, mutation): ([String], String)
    switch values.random.below(8) {
    case 0:
      commands = HostileCommands.content
      let path =
        values.random.below(2) == 0
        ? "content/content.yaml" : content[values.random.below(content.count)]
      let text = values.mutated(yaml: String(decoding: original[path] ?? [], as: UTF8.self))
      (changes, mutation) = ([path: Array(text.utf8)], "\(path): \(values.mutation)")
    case 1:
      commands = HostileCommands.output
      (changes, mutation) = output.mutated(&values)
    default:
      commands = HostileCommands.target
      (changes, mutation) = target.mutated(&values)
    }
    let command = commands[values.random.below(commands.count)]
    try run(command, on: changes, mutation, announce)
  }

  private mutating func run(
    _ command: String, on changes: [String: [UInt8]], _ mutation: String,
    _ announce: (String) -> Void
  ) throws {
    announce("\(command) with \(mutation)")
    for (path, bytes) in changes { try sandbox.write(path, bytes: bytes) }
    switch command {
    case "preview": HostilePreview.ask()
    case "convert":
      for path in changes.keys.sorted(by: { $0.precedesInBytes($1) }) {
        for format in ["json", "xml", "openstep"] { try run("convert \(path) --to \(format)") }
      }
    default: try run(command)
    }
    try restore(changes.keys)
  }

  /// Runs a command in this process.
  ///
  /// A build runs in a separate one, as of a user.
  private func run(_ line: String) throws {
    if HostileCommands.isBuild(line) {
      let status = Sandbox.wait(for: try sandbox.start(Sandbox.binary, Self.words(line)))
      if status < 0 || status >= 128 { abort() }
    } else {
      var command = try commands[line] ?? Contentc.parseAsRoot(Self.words(line))
      // The command may fail; it must only not crash.
      try? command.run()
    }
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  /// Restores the files that the trial changed, and those that the command changed according to
  /// their stamps.
  private mutating func restore(_ changed: some Sequence<String>) throws {
    for path in changed { stamps[path] = nil }
    var found = Set<String>()
    for path in sandbox.files() {
      found.insert(path)
      guard let own = original[path] else {
        unlink(path)
        continue
      }
      if stamps[path] == nil || stamps[path] != FileStamp(at: path) { try restore(path, own) }
    }
    for (path, bytes) in original where !found.contains(path) { try restore(path, bytes) }
  }

  private mutating func restore(_ path: String, _ bytes: [UInt8]) throws {
    if sandbox.read(path) != bytes { try sandbox.write(path, bytes: bytes) }
    stamps[path] = FileStamp(at: path)
  }
}

extension Sandbox {
  /// Replaces a file by a new one, and creates the folders above it.
  func write(_ path: String, bytes: [UInt8]) throws {
    unlink("\(root)/\(path)")
    try write(path, "")
    guard let file = fopen("\(root)/\(path)", "w") else {
      throw Problem(message: "cannot write \(path)")
    }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Problem(message: "cannot write \(path)")
    }
  }
}
