import ArgumentParser
import ContentModel
import ContentPreview
import Diagnostics

/// Serves the build while content is edited.
struct PreviewCommand: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show what each reader will get, in a browser, while content is edited.",
    discussion: """
      Builds, serves what was built, and builds again on every change; open pages show it at once. While the content has \
      mistakes, the last good build stays. Only this machine can ask, unless '--lan' says otherwise.

      Examples:
        contentc preview
        contentc preview --port 8080
        contentc preview --lan    for a phone on the same network
      """)

  @Option(
    help: ArgumentHelp(
      "The port to listen on; 0 for any that is free. \(Preview.usualPorts.lowerBound) or the next free one unless told otherwise.",
      valueName: "number"))
  var port: Int?
  @Flag(help: "Let others on the network look, too: a phone, a colleague.")
  var lan = false
  @OptionGroup var input: ContentOptions
  @Option(help: ArgumentHelp("The folder to build into, and to serve.", valueName: "folder"))
  var out = BuildCommand.usualFolder
  @OptionGroup var moment: InstantOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let port, !(0...65_535).contains(port) { throw ValidationError("--port must be between 0 and 65535") }
  }

  func perform() throws -> Report {
    // The folders are looked at once before anybody is told to come.
    _ = try input.open()
    Interruption.handleElsewhere()
    let end = EndSignal()
    let preview = try Waiting.forResult { [source, place, common] in
      try await Preview.start(source, at: place) { common.tell($0) }
    }
    try Terminal.output.write("http://127.0.0.1:\(preview.port)/\n")
    if lan, !common.quiet {
      for address in Network.addresses {
        try Terminal.error.write("on the network: http://\(address):\(preview.port)/\n")
      }
    }
    end.wait()
    _ = try Waiting.forResult { await preview.stop() }
    return Report(isResult: true)
  }

  private var place: Preview.Place {
    var place = Preview.Place()
    (place.port, place.isOnNetwork, place.names) = (port, lan, lan ? Network.names : [])
    return place
  }
}

extension CommonOptions {
  /// One line for each build, and what was found in it.
  fileprivate func tell(_ line: Preview.Line) {
    let errors = line.errors.of("error")
    let summary =
      line.isGood ? "built in \(line.milliseconds) ms" : "\(errors): the last good build is still served"
    let warnings = line.isGood && line.warnings > 0 ? ", \(line.warnings.of("warning"))" : ""
    let text = line.isGood && line.warnings == 0 ? "" : line.text
    if !quiet || !line.isGood { try? Terminal.error.write("\(text)\(line.generation): \(summary)\(warnings)\n") }
  }
}
