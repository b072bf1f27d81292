import ArgumentParser
import ContentBuild
import ContentModel
import Diagnostics

/// The fast path for the flags of `build`, which may run on every save.
///
/// Starting the argument parser takes longer than checking the stamps of a thousand files.
extension BuildCall {
  /// The call that plain flags describe; `nil` for any other arguments.
  ///
  /// A plain flag has its full name and occurs at most once. The argument parser reads these flags
  /// with the same meaning, and handles all other spellings and all errors.
  init?(plain arguments: some Sequence<String>) {
    guard
      let flags = PlainFlags(
        arguments, options: ["--content", "--out", "--cache", "--diagnostics"],
        switches: [
          "--gzip", "--no-gzip", "--fresh", "--pseudo", "--json", "--quiet", "-q",
          "--warnings-as-errors",
        ]),
      !(flags.has("--gzip") && flags.has("--no-gzip"))
    else { return nil }
    var form: DiagnosticFormat?
    if let name = flags["--diagnostics"] {
      guard let known = DiagnosticFormat(rawValue: name), !known.isOfFile else { return nil }
      form = known
    }
    let policy = WarningPolicy(allAreErrors: flags.has("--warnings-as-errors"))
    self.init(
      request: BuildRequest(
        content: flags["--content"] ?? ProjectLocation.found.content,
        out: OutputOptions.folder(flags["--out"], content: flags["--content"]),
        compresses: !flags.has("--no-gzip"),
        isFresh: flags.has("--fresh"), cache: flags["--cache"], judgedBy: policy,
        hasPseudoLocales: flags.has("--pseudo")),
      style: ReportStyle(
        json: flags.has("--json"), quiet: flags.has("--quiet") || flags.has("-q"),
        diagnostics: form, policy: policy),
      isContentNamed: flags["--content"] != nil)
  }
}

extension BuildCommand {
  /// The command that the argument parser reads; `nil` if it reports an error or prints help.
  init?(parsing arguments: some Sequence<String>) {
    guard let command = try? Self.parse(Array(arguments)) else { return nil }
    self = command
  }
}

/// Flags in their plain spellings: `--name`, `--name value` or `--name=value`.
///
/// They are in lists, since a process's first set of strings takes more time than all of them.
private struct PlainFlags {
  private var values: [(name: String, value: String)] = []
  private var switches: [String] = []

  /// Reads the flags; returns `nil` if one is unknown, occurs twice or lacks a plain value.
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
        !value.hasBytePrefix("-")
      else { return nil }
      values.append((name, value))
    }
  }

  subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }

  func has(_ name: String) -> Bool { switches.contains(name) }
}
