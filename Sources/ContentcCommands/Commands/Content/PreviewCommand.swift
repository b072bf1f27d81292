import ArgumentParser
import ContentBuild
import ContentModel
import ContentPreview
import ContentPreviewServer
import Diagnostics
import System
import SystemC

/// Serves the build while content is edited.
struct PreviewCommand: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show in a browser what each reader will get, while the content is edited.",
    discussion: help(
      """
      Builds the content, serves the build, and builds again on every change. Open pages show \
      each build at once. While the content has mistakes, they show the last good build. \
      The server accepts requests from this machine only; '--lan' admits the network. \
      With the name of a channel, pages can show its live content instead of the build or beside \
      it, and the changes that publishing would make. With '--export', it writes the same pages \
      for chosen readers into a folder, which any web server can show, and ends.
      """))

  static let examples = """
    contentc preview
    contentc preview --port 8080
    contentc preview --lan    # for a phone on the same network
    contentc preview qa       # beside what is live in a channel
    contentc preview --editor vscode
    contentc preview --edit   # to translate in the browser
    contentc preview --export preview --base ../main/content    # for a proposal
    """
  static let reads: Set<CommandSource> = [.content, .output, .target]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.tryAgain, "another build still runs after 5 s: run the command again")
  ]
  static let result: [ResultRow] = [
    .paragraph("One object when it begins to listen; nothing when it ends."),
    ResultRow(["url?": .string, "port?": .integer], "the address on this machine"),
    ResultRow(["network[]?": .string], "with `--lan`: the addresses for others"),
    .paragraph("With `--export`, one object when the folder is written."),
    ResultRow(
      ["folder?": .string, "readers?": .integer, "files?": .integer, "bytes?": .integer],
      "the folder, how many readers it has, and its size"),
  ]

  @Option(
    help: ArgumentHelp(
      "The port to listen on; 0 for any free port. Default: "
        + "\(Preview.defaultPorts.lowerBound) or the next free one.",
      valueName: "number"))
  var port: Int?
  @Flag(help: "Accept requests from the network, such as from a phone.")
  var lan = false
  @Flag(help: "Let the page save translations into the content; not with '--lan'.")
  var edit = false
  @Argument(
    help: ArgumentHelp(
      "Channels of content.yaml to compare the build with. Default: none.", valueName: "channels"),
    completion: .channels)
  var words: [String] = []
  @Option(
    help: ArgumentHelp(
      "A channel, as an option instead of an argument; may be repeated. Default: none.",
      valueName: "name"), completion: .channels)
  var channel: [String] = []
  @Option(
    help: ArgumentHelp(
      "The editor that the page opens files in: \(EditorLink.names.joined(separator: ", ")), "
        + "or an address with {path}, {line} and {column}. Default: $\(Self.editorVariable).",
      valueName: "name"), completion: .editors)
  var editor: String?
  @OptionGroup(title: "Export") var exporting: ExportOptions
  @OptionGroup var input: ContentOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var common: CommonOptions

  /// The output folder, which is served.
  var out: String { output.folder(input) }

  func validate() throws {
    if common.diagnosticsFile != nil {
      throw ValidationError(
        "'preview' has no file of diagnostics: 'contentc check' writes one with --diagnostics-file")
    }
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port must be between 0 and 65535")
    }
    if edit, lan {
      throw ValidationError("--edit must not be used with --lan: others could change content")
    }
    if exporting.folder != nil, port != nil || lan || edit || editor != nil {
      throw ValidationError("--export starts no server: omit --port, --lan, --edit and --editor")
    }
  }

  /// The environment variable that names the editor if '--editor' does not.
  static let editorVariable = "CONTENTC_EDITOR"

  func perform() throws -> Report {
    if let folder = exporting.folder { return try export(into: folder) }
    // Checks the content folder before the address is printed.
    _ = try input.open()
    let source = try source()
    Interruption.handleElsewhere()
    let termination = TerminationSignal()
    let preview = try started(source)
    try printAddress(port: preview.port)
    termination.wait()
    _ = try BlockingTask.run { await preview.stop() }
    return Report(isResult: true, isPrinted: true)
  }

  /// Prints the server's addresses.
  private func printAddress(port: Int) throws {
    let addresses = lan ? Network.addresses.map { "http://\($0):\(port)/" } : []
    if common.json {
      return try common.style.showJSON([
        "url": .string("http://127.0.0.1:\(port)/"), "port": .integer(Int64(port)),
        "network": .array(addresses.map(Value.string)),
      ])
    }
    try Terminal.output.write("http://127.0.0.1:\(port)/\n")
    if !common.quiet { try printNetworkAddresses(addresses) }
  }

  /// Prints the addresses on the network, and a QR code of the first one on a terminal.
  private func printNetworkAddresses(_ addresses: [String]) throws {
    for address in addresses { try Terminal.error.write("on the network: \(address)\n") }
    guard Terminal.error.isInteractive, let code = addresses.first.flatMap({ QRCode($0) }),
      Terminal.error.width > code.size + 8
    else { return }
    // Most terminals have a dark background, so light modules are drawn, on black if possible.
    for line in code.text.split(separator: "\n") {
      let text: TerminalText = "\(line)"
      try Terminal.error.write((Terminal.error.showsColor ? text.whiteOnBlack : text) + "\n")
    }
  }

  private func started(_ source: PreviewSource) throws -> Preview {
    do {
      return try BlockingTask.run { [endpoint, isQuiet = common.quiet] in
        try await Preview.start(source, at: endpoint, by: PreviewServer.self) { remark in
          if !isQuiet { try? Terminal.error.write("note: \(remark)\n") }
        } log: {
          $0.print(isQuiet: isQuiet)
        }
      }
    } catch Preview.StartError.portTaken(let port) {
      throw Failure(
        .unavailable, .portTaken, "port \(port) is used by another program",
        notes: ["'--port 0' selects a free port"])
    } catch Preview.StartError.cannotListen(let port, let code) {
      throw Failure(
        .unavailable, .cannotListen,
        "cannot listen on port \(port): \(String(cString: strerror(code)))")
    }
  }

  private var endpoint: Preview.Endpoint {
    var endpoint = Preview.Endpoint()
    endpoint.port = port
    endpoint.isOnNetwork = lan
    endpoint.names = lan ? Network.names : []
    return endpoint
  }
}

extension Preview.LogEntry {
  /// Prints the diagnostics of a build, and one line about it.
  fileprivate func print(isQuiet: Bool) {
    let summary =
      isGood
      ? "built in \(milliseconds) ms"
      : "\(errors.counted("error")): the last good build is still served"
    let found = isGood && warnings > 0 ? ", \(warnings.counted("warning"))" : ""
    if !isQuiet { try? Terminal.error.write("\(text)\(generation): \(summary)\(found)\n") }
  }
}
