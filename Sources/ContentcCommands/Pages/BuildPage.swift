package import ContentBuild
import ContentModel
package import Diagnostics
import System

/// The text about a finished build.
package struct BuildPage {
  private let product: BuildOutcome.Product
  private let facts: BuildFacts

  package init(_ product: BuildOutcome.Product) {
    self.product = product
    facts = product.facts
  }

  /// Three paragraphs: the size of the build, the staleness bounds, and commands to try next.
  package var text: String {
    let paragraphs = [counts] + (facts.bounds.isEmpty ? [] : [bounds]) + [nextSteps]
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// One line for the job summary.
  package var jobSummary: JobSummary {
    let entries = count("entries").counted("entry", plural: "entries")
    return JobSummary(
      title: "contentc build",
      paragraphs: [
        "Built \(app.markdownCode) into \(product.folder.markdownCode): \(entries) for "
          + count("contexts").counted("context")
      ])
  }

  private func count(_ key: String) -> Int {
    if case .integer(let number)? = facts.members[key] { Int(number) } else { 0 }
  }

  private var app: String { if case .string(let app)? = facts.members["app"] { app } else { "" } }

  private var counts: String {
    let summary = product.summary
    let entries = count("entries").counted("entry", plural: "entries")
    return """
      Built \(app) into \(product.folder)/ in \(product.seconds.rounded(toPlaces: 2)) s
        content   \(entries) in \(count("bundles").counted("bundle"))
        contexts  \(count("contexts").grouped): \(facts.locales.counted("locale")) × \
      \(facts.devices.counted("device"))
        objects   \(count("objects").grouped): \(summary.objectsWritten.grouped) written, \
      \(summary.objectsKept.grouped) kept
        sizes     \(summary.bytesTotal.asByteCount) in objects; \
      gzipped \(summary.gzipBytesTotal.asByteCount)
      """
  }

  private var bounds: String {
    let width = facts.bounds.map(\.channel.count).max() ?? 0
    let lines = facts.bounds.map { "  \($0.channel.padded(to: width))  \($0.sentence)" }
    return (["Staleness bound: how long a reader may still see old content"] + lines).joined(
      separator: "\n")
  }

  private var nextSteps: String {
    let (entry, locale, device) = facts.example
    let found = ProjectLocation.found
    let folder = product.folder
    let isFound = product.content.hasSameBytes(as: found.content)
    let input = isFound ? "" : " --content \(product.content)"
    let usualFolder = input.isEmpty ? found.out : ContentPlace.usualOutput
    let output = folder.hasSameBytes(as: usualFolder) ? "" : " --out \(folder)"
    var lines = [
      "Next steps",
      "  contentc preview\(input)\(output)    # in a browser, up to date with every save",
      "  ls \(folder)/preview/latest/\(locale)/\(device)/    # the same bundles under plain names",
    ]
    if !entry.isEmpty {
      lines.append(
        "  contentc explain \(entry) --locale \(locale) --device \(device)\(input)"
          + "    # where values come from")
    }
    return lines.joined(separator: "\n")
  }
}
