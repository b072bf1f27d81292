import ArgumentParser
import ContentModel
import ContentcCommands
import PropertyLists

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A project with a history in two channels of a folder target.
///
/// Each mutation changes a file of the target, of `out/` or of `content/`, runs a command and
/// restores every file. The process changes into the project's folder: its commands run there as if
/// they were typed.
struct HostileProject {
  private let sandbox: Sandbox
  private let original: [String: [UInt8]]
  private let target: HostileFiles
  private let output: HostileFiles
  /// The paths of the content's YAML files.
  private let content: [String]
  /// By command line: parsing takes longer than most commands.
  private let commands: [String: any ParsableCommand]

  init() throws {
    // Few contexts: each mutation reads every file.
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
      "purge product/lily --channel qa --reason bad --leave-references -q", "build -q",
    ] {
      let outcome = try sandbox.run(Sandbox.binary, Self.words(line))
      guard outcome.status == 0 else { throw Sandbox.Problem(message: "'\(line)': \(outcome)") }
    }
    var files: [String: [UInt8]] = [:]
    for (path, bytes) in sandbox.tree() { files[path] = bytes }
    original = files
    target = HostileFiles(files, below: "site/")
    output = HostileFiles(files, below: "out/")
    commands = try Self.parsed(Self.targetCommands + Self.outputCommands + Self.contentCommands)
    content = files.keys.filter {
      $0.utf8.starts(with: "content/".utf8) && $0.utf8.suffix(5).elementsEqual(".yaml".utf8)
    }
    .sorted { $0.precedesInBytes($1) }
  }

  private static func parsed(_ lines: [String]) throws -> [String: any ParsableCommand] {
    try Dictionary(
      lines.filter { !isBuild($0) && !["preview", "convert"].contains($0) }.map {
        ($0, try Contentc.parseAsRoot(words($0)))
      }
    ) { first, _ in first }
  }

  private static let targetCommands = [
    "status", "status qa --json", "history qa", "history production --json", "diff qa --built",
    "diff production --built --json", "publish qa --built", "publish qa --built --dry-run",
    "publish qa --if-due",
    "publish qa --built --repair --unpurge all", "promote qa production",
    "promote production qa --dry-run",
    "rollback qa", "rollback qa --to 1", "rollback qa --dry-run",
    "purge product/rose --channel qa --reason x --leave-references",
    "purge product/rose --channel qa --reason x --dry-run",
    "purge product/tulip --channel qa --reason x --restore",
    "purge product/lily --channel qa --reason x --restore",
    "purge --release 2 --channel qa --reason x",
    "purge product/tulip --channel qa --reason x --history",
    "purge product/rose --field title --channel qa --reason x",
    "purge --channel qa", "purge product/lily --channel production --reason x --leave-references",
    "maintenance on qa",
    "maintenance off qa", "maintenance status qa --json", "maintenance on production --dry-run",
    "prune qa --keep 1", "prune qa --dry-run", "staleness", "preview",
  ]
  private static let outputCommands = [
    "publish qa --built", "publish qa --built --dry-run", "diff qa --built",
    "diff production --built --json",
    "preview", "build -q", "server haproxy qa", "convert",
  ]
  private static let contentCommands = [
    "check", "check --json", "explain product/rose --locale fr", "explain product/tulip --json",
    "coverage", "locales",
    "locales zh-HK fr-CA --json", "staleness", "server nginx edge", "server haproxy edge",
    "server varnish edge",
    "status",
    "maintenance on qa --dry-run", "build -q", "diff qa", "publish qa --dry-run",
  ]

  /// Changes a file, runs a command and restores the files; `announce` learns of the mutation
  /// before the command runs.
  func apply(_ values: inout HostileValues, announce: (String) -> Void) throws {
    switch values.random.below(8) {
    case 0: try changeContent(&values, announce)
    case 1: try change(output, Self.outputCommands, &values, announce)
    default: try change(target, Self.targetCommands, &values, announce)
    }
    try restore()
  }

  private func change(
    _ files: HostileFiles, _ commands: [String], _ values: inout HostileValues,
    _ announce: (String) -> Void
  ) throws {
    let (changes, mutation) = files.mutated(&values)
    let command = commands[values.random.below(commands.count)]
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
  }

  private func changeContent(_ values: inout HostileValues, _ announce: (String) -> Void) throws {
    let path =
      values.random.below(2) == 0
      ? "content/content.yaml" : content[values.random.below(content.count)]
    let command = Self.contentCommands[values.random.below(Self.contentCommands.count)]
    let text = values.mutated(yaml: String(decoding: original[path] ?? [], as: UTF8.self))
    announce("\(command) with \(path): \(values.mutation)")
    try sandbox.write(path, bytes: Array(text.utf8))
    try run(command)
  }

  /// Runs a command in this process; a build runs in its own, since a process holds its output
  /// folder until it ends.
  private func run(_ line: String) throws {
    if Self.isBuild(line) {
      let status = Sandbox.wait(for: try sandbox.start(Sandbox.binary, Self.words(line)))
      if status < 0 || status >= 128 { abort() }
    } else {
      var command = try commands[line] ?? Contentc.parseAsRoot(Self.words(line))
      // The status does not matter, only that the process lives.
      try? command.run()
    }
  }

  private static func isBuild(_ line: String) -> Bool {
    ["build", "publish", "diff"].contains { line.hasPrefix($0) } && !line.contains("--built")
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }

  private func restore() throws {
    var found = Set<String>()
    for (path, bytes) in sandbox.tree() {
      found.insert(path)
      if let own = original[path] {
        if own != bytes { try sandbox.write(path, bytes: own) }
      } else {
        unlink(path)
      }
    }
    for (path, bytes) in original where !found.contains(path) {
      try sandbox.write(path, bytes: bytes)
    }
  }
}

extension Sandbox {
  /// Replaces a file by a new one, and makes the folders above it.
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
