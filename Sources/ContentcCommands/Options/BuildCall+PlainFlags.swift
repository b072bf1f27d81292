import ArgumentParser
import ContentBuild
import Diagnostics

/// `build` runs on every save, and to start the argument parser takes it longer than to look at a
/// thousand files.
extension BuildCall {
  /// What some flags ask for in their plain spellings, each at most once; `nil` for all others.
  ///
  /// What is read here means what the argument parser takes it for. That is left what is wrong, or
  /// spelled otherwise.
  init?(plain arguments: some Sequence<String>) {
    guard
      let flags = PlainFlags(
        arguments, options: ["--content", "--out", "--cache", "--diagnostics"],
        switches: [
          "--gzip", "--no-gzip", "--fresh", "--json", "--quiet", "-q", "--warnings-as-errors",
        ]),
      !(flags.has("--gzip") && flags.has("--no-gzip"))
    else { return nil }
    var form: DiagnosticFormat?
    if let name = flags["--diagnostics"] {
      guard let known = DiagnosticFormat(rawValue: name) else { return nil }
      form = known
    }
    let policy = WarningPolicy(allAreErrors: flags.has("--warnings-as-errors"))
    self.init(
      request: BuildRequest(
        content: flags["--content"] ?? ProjectLocation.found.content,
        out: OutputOptions.folder(flags["--out"], content: flags["--content"]),
        compresses: !flags.has("--no-gzip"),
        isFresh: flags.has("--fresh"), cache: flags["--cache"], judgedBy: policy),
      style: ReportStyle(
        json: flags.has("--json"), quiet: flags.has("--quiet") || flags.has("-q"),
        diagnostics: form, policy: policy),
      isContentNamed: flags["--content"] != nil)
  }
}

extension BuildCommand {
  /// The command of flags in any spelling, as the argument parser reads them; `nil` where it has
  /// something to say.
  init?(parsing arguments: some Sequence<String>) {
    guard let command = try? Self.parse(Array(arguments)) else { return nil }
    self = command
  }
}

/// Flags as they were typed: `--name`, `--name value` or `--name=value`.
///
/// Kept in lists: they are few, and the first set of strings in a process costs it more than all of
/// them together.
private struct PlainFlags {
  private var values: [(name: String, value: String)] = []
  private var switches: [String] = []

  /// `nil` where something is not known, stands twice, or lacks a plain value.
  init?(_ arguments: some Sequence<String>, options: [String], switches known: [String]) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      if known.contains(argument) {
        if has(argument) { return nil }
        switches.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard options.contains(name), self[name] == nil,
        let value = parts.count == 2 ? String(parts[1]) : rest.next(), !value.isEmpty,
        !value.hasPrefix("-")
      else { return nil }
      values.append((name, value))
    }
  }

  subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }

  func has(_ name: String) -> Bool { switches.contains(name) }
}
