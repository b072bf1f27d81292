package import ArgumentParser
package import ContentCaches
import ContentModel
package import ContentSource
import Diagnostics
import PropertyLists
import SystemC

/// The settings of a printed configuration that `content.yaml` does not have.
package struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen on. Default: 127.0.0.1:8080 for origins, 127.0.0.1:8081 for others.",
      valueName: "host:port"))
  var listen: String?
  @Option(
    help: ArgumentHelp(
      "The folder to serve. Default: the channel's target.", valueName: "folder"),
    completion: .directory)
  var root: String?
  @Option(
    help: ArgumentHelp(
      "The origin, such as http://10.0.0.5:8080; makes nginx a cache. Default: none.",
      valueName: "url"))
  var upstream: String?
  @Option(
    help: ArgumentHelp(
      "The folder for caches, logs and process ids. Default: /var/lib/contentc/NAME.",
      valueName: "folder"), completion: .directory)
  var state: String?
  @Option(
    help: ArgumentHelp(
      "The folder of maintenance pages. Default: maintenance/ in --out.", valueName: "folder"),
    completion: .directory)
  var maintenance: String?
  @OptionGroup private var output: OutputOptions
  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Addresses and networks that may purge. Default: 127.0.0.1.", valueName: "address"))
  var purgers: [String] = []
  @Option(
    help: ArgumentHelp(
      "The folder to write the files into. Default: none; a single file is printed.",
      valueName: "folder"), completion: .directory)
  package var into: String?

  package init() {}

  /// Returns the settings of a printed configuration.
  ///
  /// - Throws: a failure for an invalid option.
  package func settings(
    of kind: ServerKind, for channel: Channel, in project: DeliverySettings, input: ContentOptions
  ) throws -> ServerSettings {
    let times = project.lifetimes
    guard let locales = project.locales else {
      throw Failure(.contentErrors, .missingProject, "content.yaml has no readable 'locales'")
    }
    // nginx may run as an origin and as a cache on one machine, so each has its own folder.
    let isNginxCache = kind == .nginx && upstream != nil
    guard upstream == nil || isNginxCache || kind.role == .front else {
      throw Failure(
        .usage, .upstream,
        "'\(kind.name)' is not a cache, so --upstream has no meaning")
    }
    var settings = ServerSettings(
      app: project.app, channel: channel.name,
      root: try folder(
        of: "--root",
        root ?? TargetAddress(channel.target, beside: input.content).folderPath
          ?? "/srv/\(project.app)"),
      state: try folder(
        of: "--state",
        state ?? "/var/lib/contentc/\(isNginxCache ? "nginx-cache" : kind.name)"),
      maintenance: try folder(
        of: "--maintenance",
        maintenance ?? "\(output.folder(input).withoutTrailingSlashes)/maintenance"
      ),
      lifetimes: ServerSettings.Lifetimes(
        app: times.app.seconds, edge: times.edge.seconds,
        staleWhileRevalidate: times.staleWhileRevalidate.seconds,
        staleIfError: times.staleIfError.seconds, originTimeout: channel.originTimeout.seconds),
      languages: MaintenanceLanguages(
        source: locales.source.identifier, declared: locales.declared.map(\.identifier),
        matches: locales.matches.map { ($0.requested, $0.declared.identifier) }))
    settings.prefix = channel.url.map(Self.path) ?? ""
    let isOrigin = kind.role == .origin && !isNginxCache
    settings.listen = try address(listen ?? (isOrigin ? "127.0.0.1:8080" : "127.0.0.1:8081"))
    settings.upstream = try upstream.map(origin)
    if !purgers.isEmpty { settings.purgers = try purgers.map(network) }
    settings.tokenVariable =
      channel.caches.first { $0.name == kind.cache }?.settings["token"]?.first
    settings.addHeaders(for: channel.caches.map(\.name))
    settings.retryAfter = try retryAfter(in: settings.maintenance) ?? settings.retryAfter
    return settings
  }

  private func folder(of option: String, _ text: String) throws(Failure) -> String {
    let absolute = FolderPath.absolute(text)
    guard absolute.isPlainPath else {
      throw Failure(
        .usage, .oddPath,
        "\(option): '\(absolute)' contains characters that need quotes in a configuration",
        notes: ["choose a folder without spaces, quotes, '$' and similar characters"])
    }
    return FolderPath.shortest(absolute.withoutTrailingSlashes)
  }

  private func address(_ text: String) throws(Failure) -> NetworkAddress {
    if let address = NetworkAddress(text) { return address }
    throw Failure(
      .usage, .listen, "--listen must be a host and a port such as 0.0.0.0:80, not '\(text)'")
  }

  private func origin(_ text: String) throws(Failure) -> Upstream {
    if let upstream = Upstream(text) { return upstream }
    throw Failure(
      .usage, .upstream,
      "--upstream must be a scheme and a host such as http://10.0.0.5:8080, not '\(text)'",
      notes: ["the paths of requests are passed on unchanged"])
  }

  private func network(_ text: String) throws(Failure) -> String {
    if text.isNetwork { return text }
    throw Failure(
      .usage, .purgers, "--purgers must be addresses or networks such as 10.0.0.0/8, not '\(text)'"
    )
  }

  /// Returns the path of a URL without a slash at its end; empty if a configuration would have to
  /// quote it.
  private static func path(of url: String) -> String {
    guard let scheme = ["https://", "http://"].first(where: url.hasBytePrefix) else { return "" }
    let rest = url.dropFirst(scheme.count)
    guard let slash = rest.firstIndex(of: "/") else { return "" }
    let path = String(rest[slash...]).withoutTrailingSlashes
    return path == "/" || !path.isPlainPath ? "" : path
  }

  /// Returns the `retryAfter` of the last build, if there is one.
  ///
  /// - Throws: a failure if the file of the build is damaged.
  private func retryAfter(in folder: String) throws(Failure) -> Int? {
    let path = "\(folder)/any.json"
    let bytes: [UInt8]
    do { bytes = try InputFile(path: path).read() } catch {
      guard error.diagnostic.rule == .missingFile else { throw error }
      return nil
    }
    guard let seconds = try? PropertyList.decode(bytes).value["retryAfter"]?.number else {
      throw Failure(
        .inputOutput, .badPropertyList, "the maintenance payload has no readable 'retryAfter'",
        at: path, notes: ["'contentc build' writes it again"])
    }
    return (1...86_400).contains(seconds) ? seconds : nil
  }
}
