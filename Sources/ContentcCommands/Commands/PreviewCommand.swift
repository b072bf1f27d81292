import ArgumentParser
import ContentBuild
import ContentModel
import ContentPreview
import Diagnostics
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves the build while content is edited.
struct PreviewCommand: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show what each reader will get, in a browser, while content is edited.",
    discussion: """
      Builds, serves what was built, and builds again on every change; open pages show it at once. While the content has \
      mistakes, the last good build stays. Only this machine can ask, unless '--lan' says otherwise. With the name \
      of a channel, what is live there can be looked at in place of the build or beside it, and what publishing would change.

      Examples:
        contentc preview
        contentc preview --port 8080
        contentc preview --lan    # for a phone on the same network
        contentc preview qa       # beside what is live in a channel
        contentc preview --editor vscode
      """)

  @Option(
    help: ArgumentHelp(
      "The port to listen on; 0 for any that is free. Default: \(Preview.usualPorts.lowerBound) or the next free one.",
      valueName: "number"))
  var port: Int?
  @Flag(help: "Let others on the network look, too: a phone, a colleague.")
  var lan = false
  @Argument(
    help: ArgumentHelp(
      "Channels of content.yaml to compare the build with. Default: none.", valueName: "channels"))
  var words: [String] = []
  @Option(
    help: ArgumentHelp(
      "A channel, as an option in place of a word; may be repeated. Default: none.",
      valueName: "name")
  )
  var channel: [String] = []
  @Option(
    help: ArgumentHelp(
      "The editor that the page opens files in: \(EditorLink.names.joined(separator: ", ")), or an address with {path}, "
        + "{line} and {column}. Default: $\(Self.editorVariable).", valueName: "name"))
  var editor: String?
  @OptionGroup var input: ContentOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var common: CommonOptions

  /// The folder that it builds into, and serves.
  var out: String { output.folder(input) }

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port must be between 0 and 65535")
    }
  }

  /// Names the editor where '--editor' does not.
  static let editorVariable = "CONTENTC_EDITOR"

  /// What listens, in the executable that has it.
  static let listener = Mutex<(any PreviewListener.Type)?>(nil)

  /// The process that serves says which project it uses, not the one that starts it.
  var project: ContentOptions? { Self.listener.withLock { $0 } == nil ? nil : input }

  func perform() throws -> Report {
    guard let listener = Self.listener.withLock({ $0 }) else {
      throw PreviewExecutable.handOver(to: Self.executable)
    }
    return try serve(by: listener)
  }

  /// Stands beside `contentc`, which starts more quickly without a web server in it.
  private static let executable = "contentc-preview"

  private func serve(by listener: any PreviewListener.Type) throws -> Report {
    // The folders are looked at once before anybody is told to come.
    _ = try input.open()
    let source = try source()
    Interruption.handleElsewhere()
    let end = TerminationSignal()
    let preview = try started(source, by: listener)
    try announce(preview.port)
    end.wait()
    _ = try BlockingTask.run { await preview.stop() }
    return Report(isResult: true, isPrinted: true)
  }

  /// Prints where the preview listens.
  private func announce(_ port: Int) throws {
    let addresses = lan ? Network.addresses.map { "http://\($0):\(port)/" } : []
    if common.json {
      return try common.style.showJSON([
        "url": .string("http://127.0.0.1:\(port)/"), "port": .integer(Int64(port)),
        "network": .array(addresses.map(Value.string)),
      ])
    }
    try Terminal.output.write("http://127.0.0.1:\(port)/\n")
    if !common.quiet { try show(addresses) }
  }

  /// Prints the addresses for others on the network, and on a terminal a QR code of the first.
  private func show(_ addresses: [String]) throws {
    for address in addresses { try Terminal.error.write("on the network: \(address)\n") }
    guard Terminal.error.isInteractive, let code = addresses.first.flatMap({ QRCode($0) }),
      Terminal.error.width > code.size + 8
    else { return }
    // Light modules are drawn, on black where the terminal knows colours: most have a dark
    // background.
    for line in code.text(isInverted: true).split(separator: "\n") {
      let text: TerminalText = "\(line)"
      try Terminal.error.write((Terminal.error.showsColor ? text.whiteOnBlack : text) + "\n")
    }
  }

  private func started(_ source: PreviewSource, by listener: any PreviewListener.Type) throws
    -> Preview
  {
    do {
      return try BlockingTask.run { [place, flag = common.quiet] in
        try await Preview.start(source, at: place, by: listener) { remark in
          if !flag { try? Terminal.error.write("note: \(remark)\n") }
        } log: {
          $0.tell(isQuiet: flag)
        }
      }
    } catch Preview.StartError.portTaken(let port) {
      throw Failure(
        .unavailable, "port-taken", "port \(port) is taken by another program",
        notes: ["'--port 0' takes one that is free"])
    } catch Preview.StartError.cannotListen(let port, let code) {
      throw Failure(
        .unavailable, "cannot-listen",
        "cannot listen on port \(port): \(String(cString: strerror(code)))")
    }
  }

  private var place: Preview.Endpoint {
    var place = Preview.Endpoint()
    (place.port, place.isOnNetwork, place.names) = (port, lan, lan ? Network.names : [])
    return place
  }
}

extension Preview.LogEntry {
  /// One line for each build, and what was found in it.
  fileprivate func tell(isQuiet: Bool) {
    let summary =
      isGood
      ? "built in \(milliseconds) ms" : "\(errors.of("error")): the last good build is still served"
    let found = isGood && warnings > 0 ? ", \(warnings.of("warning"))" : ""
    if !isQuiet { try? Terminal.error.write("\(text)\(generation): \(summary)\(found)\n") }
  }
}
