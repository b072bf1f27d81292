@testable import ContentcCommands

/// The command lines that run on hostile files.
enum HostileCommands {
  /// The commands that read the target.
  static let target = addingExamples(
    reading: .target,
    to: [
      "status", "status qa --json", "history qa", "history production --json", "diff qa --built",
      "diff production --built --json", "publish qa --built", "publish qa --built --dry-run",
      "publish qa --if-due",
      "publish qa --built --repair --unpurge all", "promote qa production",
      "promote production qa --dry-run",
      "rollback qa", "rollback qa --to 1", "rollback qa --dry-run",
      "purge product/rose --channel qa --reason x",
      "purge product/rose --channel qa --reason x --dry-run",
      "purge product/tulip --channel qa --reason x --restore",
      "purge product/lily --channel qa --reason x --restore",
      "purge --release 2 --channel qa --reason x",
      "purge product/tulip --channel qa --reason x --history",
      "purge product/rose --field title --channel qa --reason x",
      "purge --channel qa", "purge product/lily --channel production --reason x",
      "maintenance on qa",
      "maintenance off qa", "maintenance status qa --json", "maintenance on production --dry-run",
      "prune qa --keep 1", "prune qa --dry-run", "staleness", "preview", "bake qa --to App",
      "bake production --to App --assets startup", "bake qa --to App --check --max-age 1d",
      "notify qa", "notify production --dry-run --json", "resign qa",
      "verify site/qa/config.plist --channel qa",
    ])

  /// The commands that read the notes of earlier prunes.
  static let prunes = ["prune qa --keep 1", "prune qa --dry-run"]

  /// The commands that read `out/`.
  static let output = addingExamples(
    reading: .output,
    to: [
      "publish qa --built", "publish qa --built --dry-run", "diff qa --built",
      "diff production --built --json",
      "preview", "build -q", "server haproxy qa --json", "convert",
    ])

  /// The commands that read `content/`.
  static let content = addingExamples(
    reading: .content,
    to: [
      "check", "check --json", "explain product/rose --locale fr", "explain product/tulip --json",
      "coverage", "translations export --locale fr --to csv", "translations lock --dry-run",
      "locales",
      "locales zh-HK fr-CA --json", "staleness", "server nginx edge", "server haproxy edge --json",
      "server varnish edge",
      "status",
      "maintenance on qa --dry-run", "build -q", "diff qa", "publish qa --dry-run", "history qa",
      "rollback qa --dry-run", "promote qa production --dry-run", "prune qa --dry-run",
      "bake qa --to App", "notify qa --dry-run", "keys show qa",
      "purge product/rose --channel qa --reason x --dry-run",
    ])

  /// The commands that read objects at the target, one for each code path.
  static let objects = [
    "diff qa --built", "diff production --built --json", "publish qa --built",
    "promote production qa --dry-run", "rollback qa --to 1",
    "purge product/rose --channel qa --reason x",
    "purge product/tulip --channel qa --reason x --restore",
    "purge product/tulip --channel qa --reason x --history",
    "purge product/rose --field title --channel qa --reason x", "purge --channel qa",
    "maintenance on qa", "prune qa --keep 1", "preview", "bake qa --to App",
  ]

  /// Returns the lines, and the examples of all other commands that read the source.
  private static func addingExamples(
    reading source: CommandSource, to lines: [String]
  ) -> [String] {
    let others = ListedCommand.unsigned.filter { command in
      command.reads.contains(source) && !command.listens
        && !lines.contains { $0 == command.name || $0.hasPrefix("\(command.name) ") }
    }
    return lines
      + others.flatMap { $0.lines(isDry: true) }.map { $0.joined(separator: " ") }
  }

  /// Returns the commands that read a channel's files, because they name it or no channel.
  static func reading(channel: String) -> [String] {
    target.filter { line in
      let words = line.split(separator: " ")
      return words.contains { $0 == channel }
        || !words.contains { ["qa", "production"].contains($0) }
    }
  }

  /// Returns `true` if the command builds.
  ///
  /// Builds need a separate process.
  static func isBuild(_ line: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    guard let command = ListedCommand.named(by: words), !command.listens else { return false }
    return command.reads.contains(.output) && !words.contains("--built")
      && command.exitStatuses.contains { $0.status == .tryAgain }
  }
}
