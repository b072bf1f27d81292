import ArgumentParser
import ContentBuild
import ContentCaches
import ContentModel
import ContentSource
import Diagnostics
import System

/// Prints the configuration of a server or a cache for a channel.
struct Server: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "server",
    abstract: "Print the configuration of a server, a cache or a CDN for a channel.",
    discussion: help(
      """
      nginx, caddy and apache serve the channel's folder. nginx with --upstream, varnish, \
      trafficserver and squid are caches; haproxy is a proxy before other servers. For \
      \(hosted), the output lists the settings to make. The \
      output is complete: headers for each path, lifetimes, purges for known addresses only, and \
      the maintenance switch. haproxy and trafficserver have several files and need --into.
      """))

  static let examples = """
    contentc server nginx qa > nginx.conf
    contentc server varnish qa --upstream http://10.0.0.5:8080
    contentc server haproxy qa --into haproxy
    """
  static let reads: Set<CommandSource> = [.content, .output]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(["server": .string, "channel": .string], "the server and the channel"),
    ResultRow(["files.*": .string], "by name: the text of each file"),
  ]

  private static var hosted: String {
    let names = ServerKind.all.filter { $0.role == .hosted }.map(\.name)
    return "\(names.dropLast().joined(separator: ", ")) and \(names.suffix(1).joined())"
  }

  static let uses: Set<ProjectSetting> = [
    .app, .locales, .ttl, .target, .url, .cdn, .originTimeout,
  ]

  @Argument(
    help: ArgumentHelp("The server, such as nginx.", valueName: "name"), completion: .servers)
  var name: String
  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var server: ServerOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    guard let kind = ServerKind.named(name) else {
      throw Failure(.usage, unknown: .unknownServer, name, known: ServerKind.all.map(\.name))
    }
    let (channel, project) = try delivery.channel(channel, using: Self.uses)
    let settings = try server.settings(
      of: kind, for: channel, in: project, input: delivery.input)
    let files = kind.configuration(settings)
    let json: Members = [
      "server": .string(name), "channel": .string(channel.name),
      "files": .dictionary(Members(files.map { ($0.name, .string($0.text)) })),
    ]
    let names = files.map(\.name).joined(separator: ", ")
    guard let folder = server.into else {
      // In one file, '>' would make a configuration of which the server reads a part.
      if files.count > 1, !common.json {
        throw Failure(
          .usage, .usage,
          "the configuration of '\(name)' is \(files.count) files, so it must be written into a folder",
          notes: ["'--into \(name)' writes \(names) there; --json prints them"])
      }
      return Report(
        text: files.map(\.text).joined(), json: json, isResult: true)
    }
    for file in files {
      try FolderPath.make(folder)
      try AtomicFile("\(folder.withoutTrailingSlashes)/\(file.name)").write(Array(file.text.utf8))
    }
    return Report(text: "Wrote \(names) into \(folder)\n", json: json)
  }
}
