import ArgumentParser
import ContentDelivery
import ContentModel
import Diagnostics

/// Compares the content with what is live.
struct Diff: ContentcCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what readers of a channel would see change: entries, fields, contexts, bytes.",
    discussion: """
      Builds the content and compares it with what is live. With --fail-on, the exit status is 1 if entries were added, \
      removed or changed in such a way: a gate for CI.

      Examples:
        contentc diff
        contentc diff production --json
        contentc diff production --fail-on removed
      """)

  @Argument(help: "A channel of content.yaml; may be left out where there is only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Fail if there are such entries: added, removed, changed; several with commas.", valueName: "kinds"),
    transform: Diff.kinds)
  var failOn: [ReleaseDiff.Kind] = []
  @Flag(help: "Compare the output folder as it is; refused if the content changed since.")
  var built = false
  @Option(help: ArgumentHelp("The output folder.", valueName: "folder"))
  var out = "out"
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let opened = try delivery.open(channel, writes: false)
    if !built, let report = try BuiltContent.build(delivery.input, out, common) { return report }
    let folder = BuiltContent(folder: out.withoutTrailingSlashes)
    let content = try folder.content()
    if built { try folder.requireUnchanged(delivery.input, content) }
    let page = DiffPage(diff: try difference(from: try opened.place.live(), to: content, opened.place))
    var report = Report(text: page.text, json: page.members, isResult: true)
    for kind in failOn {
      let entries = page.diff.entries.filter { $0.kinds.contains(kind) }.map(\.id)
      if entries.isEmpty { continue }
      report.diagnostics.append(
        Diagnostic(
          .error, "diff-\(kind.rawValue)", at: nil,
          "\(entries.count.of("entry", "entries")) \(kind.rawValue): \(entries.prefix(5).joined(separator: ", "))"
            + (entries.count > 5 ? ", …" : "")))
    }
    return report
  }

  private static func kinds(_ text: String) throws -> [ReleaseDiff.Kind] {
    try text.split(separator: ",").map { word in
      guard let kind = ReleaseDiff.Kind(rawValue: String(word)) else {
        throw ValidationError(
          "'\(word)' is none of \(ReleaseDiff.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return kind
    }
  }
}
