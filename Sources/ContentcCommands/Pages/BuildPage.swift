import ContentBuild
import ContentModel
import ContentStore

/// A build that is done, as a page for a person.
struct BuildPage {
  private let product: BuildOutcome.Product
  private let facts: BuildFacts

  init(_ product: BuildOutcome.Product) { (self.product, facts) = (product, product.facts) }

  /// A page of text: what was built, how long changes take, what to do next.
  var text: String {
    ([whatWasBuilt] + (facts.bounds.isEmpty ? [] : [bounds]) + [nextSteps]).joined(
      separator: "\n\n") + "\n"
  }

  private func count(_ key: String) -> Int {
    if case .integer(let number)? = facts.members[key] { Int(number) } else { 0 }
  }

  private var app: String { if case .string(let app)? = facts.members["app"] { app } else { "" } }

  private var whatWasBuilt: String {
    """
    Built \(app) into \(product.folder)/ in \(product.seconds.rounded(toPlaces: 2)) s
      content   \(count("entries").of("entry", plural: "entries")) in \(count("bundles").of("bundle"))
      contexts  \(count("contexts").grouped): \(facts.locales.of("locale")) × \(facts.devices.of("device"))
      objects   \(count("objects").grouped): \(product.summary.objectsWritten.grouped) written, \
    \(product.summary.objectsKept.grouped) kept
      sizes     \(product.summary.bytesTotal.asByteCount) in objects; gzipped \(product.summary.gzipBytesTotal.asByteCount)
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
    let (content, folder) = (product.content, product.folder)
    let input = content == found.content ? "" : " --content \(content)"
    let output =
      folder == (input.isEmpty ? found.out : ContentPlace.usualOutput) ? "" : " --out \(folder)"
    let explain =
      entry.isEmpty
      ? ""
      : "\n  contentc explain \(entry) --locale \(locale) --device \(device)\(input)    # where values come from"
    return """
      Have a look
        contentc preview\(input)\(output)    # in a browser, up to date with every save
        ls \(folder)/preview/latest/\(locale)/\(device)/    # the same bundles under plain names\(explain)
      """
  }
}
