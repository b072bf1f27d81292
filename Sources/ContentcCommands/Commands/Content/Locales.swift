import ArgumentParser
import ContentModel
import ContentSource
import Diagnostics

/// Shows the fallback chains, and the locales that requests get.
struct Locales: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "locales",
    abstract: "Show the fallback chain of each locale, and the locale that a request gets.",
    discussion: help(
      """
      Without tags: every declared locale and its chain, the order in which values are looked up. \
      With tags: the declared locale that a reader with this locale gets, and why. Each tag is a \
      separate reader.
      """))

  static let examples = """
    contentc locales
    contentc locales zh-HK en-IN fil
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      ["sourceLocale?": .string, "locales[]?": .string, "chains.*[]?": .string],
      "without tags: the declared locales and their chains"),
    ResultRow(
      ["requests[].requested?": .string, "requests[].served?": .string],
      "with tags: a request, and what it gets"),
    ResultRow(
      ["requests[].matched?": .boolean, "requests[].why?": .string],
      "whether it is more than the source locale by default, and the reason"),
  ]

  @Argument(
    help: ArgumentHelp(
      "Locales that a reader may ask for, such as zh-HK. Default: none.", valueName: "tags"),
    completion: .locales)
  var tags: [String] = []
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let source = try ContentInput.read(input)
    guard let locales = source.tree?.project.locales else {
      return Report(diagnostics: source.diagnostics, sources: source.sources)
    }
    return tags.isEmpty ? chains(of: locales) : matches(in: locales)
  }

  private func chains(of locales: LocaleSet) -> Report {
    let width = locales.declared.map(\.identifier.count).max() ?? 0
    let lines = locales.declared.map { locale in
      let rest = locales.chain(of: locale).dropFirst().map(\.identifier)
      let role = locale == locales.source ? "the source locale" : "ends here"
      let chain = rest.isEmpty ? role : "→ " + rest.joined(separator: " → ")
      return "\(locale.identifier.padded(to: width))  \(chain)\n"
    }
    let chains = locales.declared.map { locale in
      (locale.identifier, Value.array(locales.chain(of: locale).map { .string($0.identifier) }))
    }
    let json = Members([
      ("sourceLocale", .string(locales.source.identifier)),
      ("chains", .dictionary(Members(chains))),
      ("locales", .array(locales.declared.map { .string($0.identifier) })),
    ])
    return Report(text: lines.joined(), json: json, isResult: true)
  }

  private func matches(in locales: LocaleSet) -> Report {
    let answers = tags.map { Answer($0, in: locales) }
    let tagWidth = answers.map(\.tag.harmless.count).max() ?? 0
    let servedWidth = answers.map(\.served.identifier.count).max() ?? 0
    let lines = answers.map { answer in
      let tag = answer.tag.harmless.padded(to: tagWidth)
      let served = answer.served.identifier.padded(to: servedWidth)
      return "\(tag)  → \(served)  \(answer.why.harmless)\n"
    }
    let json = Members([("requests", .array(answers.map(\.value)))])
    return Report(text: lines.joined(), json: json, isResult: true)
  }
}

/// The locale that one request gets.
private struct Answer {
  let tag: String
  let served: LocaleTag
  let isMatched: Bool
  let why: String

  init(_ tag: String, in locales: LocaleSet) {
    let match = locales.match([tag])
    let reason = match.steps.first?.explanation ?? ""
    self.tag = tag
    served = match.locale ?? locales.source
    isMatched = match.locale != nil
    why = isMatched ? reason : "\(reason); the source locale is used"
  }

  var value: Value {
    [
      "requested": .string(tag), "served": .string(served.identifier),
      "matched": .boolean(isMatched),
      "why": .string(why),
    ]
  }
}
