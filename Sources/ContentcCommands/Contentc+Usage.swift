import ArgumentParser
import ContentModel
import Diagnostics

extension Contentc {
  /// Parses the arguments of all commands and runs the one that they name.
  static func parseAndRun(_ arguments: [String]) throws {
    // `contentc help rules` prints the list of rules, as `contentc rules` does.
    let words = arguments == ["help", Rules._commandName] ? [Rules._commandName] : arguments
    if let failure = unknownCommand(words) { throw failure }
    var command = try parseAsRoot(words)
    try command.run()
  }

  /// Ends the process after an error of the argument parser or of a command; help and versions are
  /// such errors, too.
  ///
  /// Help is at least 80 columns wide. In a narrower terminal, examples would wrap, and could not
  /// be copied.
  static func end(with error: any Error, _ arguments: [String]) -> Never {
    if let failure = error as? Failure { end(with: failure, usage: "", arguments) }
    if error is ExitCode { exit(withError: error) }
    let code = exitCode(for: error)
    // A shell that completes a word would print the message of a script from another version into
    // the line that the user types.
    if arguments.first == "---completion", code != .success {
      exit(withError: ExitCode(code.rawValue))
    }
    if code == .validationFailure {
      let text = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      let usage = text.drop { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }.joined(
        separator: "\n")
      end(with: failure(message(for: error), of: arguments), usage: usage, arguments)
    }
    guard code == .success else {
      try? Terminal.error.write(fullMessage(for: error) + "\n")
      exit(withError: code)
    }
    if fullMessage(for: error) == ContentcVersion.current {
      try? Terminal.output.write(versionLines)
      exit()
    }
    let width = Terminal.output.isInteractive ? max(80, Terminal.output.width) : 80
    try? Terminal.output.write(fullMessage(for: error, columns: width) + "\n")
    exit()
  }

  /// Prints an error of the arguments, with `--json` also as a JSON object, and ends the process.
  private static func end(with failure: Failure, usage: String, _ arguments: [String]) -> Never {
    var style = ReportStyle()
    style.json = arguments.prefix { $0 != "--" }.contains("--json")
    try? style.show(failure)
    if !style.json, !usage.isEmpty { try? Terminal.error.write(usage + "\n") }
    exit(withError: failure.status.code)
  }

  /// Returns the failure of a first word that is not a command; `nil` if it is one.
  private static func unknownCommand(_ arguments: [String]) -> Failure? {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    let commands = configuration.subcommands
    guard let group = commands.first(where: { $0._commandName == words.first }),
      !group.configuration.subcommands.isEmpty
    else { return unknown(words.first, among: commands, of: "contentc") }
    // Other words are arguments of the default subcommand.
    if group.configuration.defaultSubcommand != nil { return nil }
    return unknown(
      words.dropFirst().first, among: group.configuration.subcommands,
      of: "contentc \(group._commandName)")
  }

  private static func unknown(
    _ word: String?, among commands: [any ParsableCommand.Type], of group: String
  ) -> Failure? {
    let known = commands.map { $0._commandName }
    guard let word, !word.hasBytePrefix("-"), word != "help", !known.contains(word) else {
      return nil
    }
    let meant = word.meant(among: known).map { "; did you mean '\($0)'?" } ?? ""
    return Failure(
      .usage, .unknownCommand, "unknown command '\(word)'\(meant)",
      notes: [
        "the commands are \(known.joined(separator: ", "))",
        "'\(group == "contentc" ? "contentc help" : "\(group) --help")' describes each of them",
      ])
  }

  /// Returns the failure for a message of the argument parser or of a command's `validate`.
  private static func failure(_ message: String, of arguments: [String]) -> Failure {
    let lines = message.split(separator: "\n").map { String($0).asMessage }
    guard let first = lines.first else {
      return Failure(.usage, .usage, "the arguments are not valid")
    }
    if let failure = singleDash(in: arguments) { return failure }
    if first.hasBytePrefix("unknown option '"), let failure = unknownOption(first, in: arguments) {
      return failure
    }
    if let swapped = swappedMaintenance(arguments) { return swapped }
    if let failure = unknownValue(lines) { return failure }
    let rule: Rule = first.hasBytePrefix("unknown rule ") ? .unknownRule : .usage
    return Failure(.usage, rule, first, notes: lines.dropFirst() + meantSubcommand(of: arguments))
  }

  /// Returns a note with the subcommand that was probably meant; empty if no word resembles one.
  ///
  /// The parser takes a misspelt subcommand for an argument of the default subcommand.
  private static func meantSubcommand(of arguments: [String]) -> [String] {
    let group = configuration.subcommands.first { $0._commandName == arguments.first }
    guard let group, group.configuration.defaultSubcommand != nil, arguments.count > 1 else {
      return []
    }
    let known = group.configuration.subcommands.map { $0._commandName }
    guard !known.contains(arguments[1]), let meant = arguments[1].meant(among: known) else {
      return []
    }
    return ["did you mean 'contentc \(group._commandName) \(meant)'?"]
  }

  /// Returns the failure of `maintenance qa on`, whose words are in the wrong order.
  private static func swappedMaintenance(_ arguments: [String]) -> Failure? {
    let words = Array(arguments.dropFirst().prefix { !$0.hasBytePrefix("-") })
    guard arguments.first == Maintenance._commandName, words.count == 2,
      Maintenance.Action(rawValue: words[0]) == nil, Maintenance.Action(rawValue: words[1]) != nil
    else { return nil }
    let meant = "contentc maintenance \(words[1]) \(words[0])"
    return Failure(.usage, .usage, "'\(words[1])' must be before the channel: \(meant)")
  }

  /// Returns the failure of a value that is none of those that an argument or option takes.
  ///
  /// The message of the argument parser is as in `the value 'stauts' is invalid for '<action>'. Please
  /// provide one of 'on', 'off' or 'status'`. More than five values are further lines.
  private static func unknownValue(_ lines: [String]) -> Failure? {
    let parts = lines[0].split(separator: "'").map(String.init)
    guard parts.count > 4, parts[2] == " is invalid for ",
      parts[4].hasPrefix(". Please provide one of ")
    else { return nil }
    let mark = "  - "
    let known =
      parts.count > 5
      ? stride(from: 5, to: parts.count, by: 2).map { parts[$0] }
      : lines.dropFirst().filter { $0.hasBytePrefix(mark) }.map { $0.dropping(mark) }
    let meant = parts[1].meant(among: known).map { "; did you mean '\($0)'?" } ?? ""
    return Failure(
      .usage, .usage, "'\(parts[3])' cannot be '\(parts[1])'\(meant)",
      notes: ["the values are \(known.joined(separator: ", "))"])
  }

  /// Returns the failure of an option with one dash, such as `-reason`.
  ///
  /// The argument parser takes its letters for flags and its value for an argument, and reports what
  /// follows from that.
  private static func singleDash(in arguments: [String]) -> Failure? {
    guard let (name, command) = leaf(of: arguments) else { return nil }
    let known = options(of: command)
    let words = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    guard let word = words.first(where: { $0.hasBytePrefix("-") && known.contains("-\($0)") })
    else { return nil }
    return Failure(
      .usage, .usage, "'\(name)' has no option '\(word)'; did you mean '-\(word)'?")
  }

  /// Returns the failure of an option that the command lacks, with a similar option or the commands
  /// that have the option.
  ///
  /// The suggestion of the argument parser is left out, because it can be any option.
  private static func unknownOption(_ message: String, in arguments: [String]) -> Failure? {
    guard
      let option = message.split(separator: "'", maxSplits: 2).dropFirst().first.map(String.init),
      let (name, command) = leaf(of: arguments)
    else { return nil }
    let others = leaves.filter { options(of: $0.command).contains(option) }.map(\.name)
    let meant = others.isEmpty ? option.meant(among: options(of: command)) : nil
    return Failure(
      .usage, .usage,
      "'\(name)' has no option '\(option)'" + (meant.map { "; did you mean '\($0)'?" } ?? ""),
      notes: others.isEmpty ? [] : ["it is an option of \(others.joined(separator: ", "))"])
  }

  /// Returns the command without subcommands that some arguments name.
  private static func leaf(
    of arguments: [String]
  ) -> (name: String, command: any ParsableCommand.Type)? {
    let words = arguments.prefix { !$0.hasBytePrefix("-") }
    return leaves.last { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
  }

  /// The commands without subcommands; the default command of a group has the name of the group.
  private static var leaves: [(name: String, command: any ParsableCommand.Type)] {
    commands.map { words, command in
      let group = words.prefix { $0 != " " }
      let usual = configuration.subcommands.first { $0._commandName == group }?
        .configuration.defaultSubcommand
      return (usual == command ? String(group) : words, command)
    }
  }

  /// Returns the long options of a command, as its help lists them.
  static func options(of command: any ParsableCommand.Type) -> [String] {
    let lines = helpMessage(for: command, columns: 200).split(separator: "\n")
    return lines.filter { $0.hasPrefix("  -") }.flatMap { line in
      // As in `  -q, --quiet` and `  --out <folder>`. Help may name a default: `(default: --gzip)`.
      let words = line.split { $0 == " " || $0 == "," || $0 == "/" }
      let names = words.prefix { $0.hasPrefix("-") }
      return names.filter { $0.hasPrefix("--") }.map(String.init)
    }
  }
}

extension String {
  /// The sentence in the form of a diagnostic's message: without a capital and a full stop.
  fileprivate var asMessage: String {
    let text = hasByteSuffix(".") ? dropLast() : self[...]
    return prefix(1).lowercased() + text.dropFirst()
  }
}
