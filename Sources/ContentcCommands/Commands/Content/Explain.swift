import ArgumentParser
import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics

/// Shows the sources of an entry's values.
struct Explain: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show where each value of an entry comes from, for one reader.",
    discussion: help(
      """
      Shows each field with its value, the file and line of that value, and the other overlays \
      that were considered. Overlays are consulted locale by locale along the fallback chain, and \
      device by device within each locale. The first overlay that has the field decides. List \
      items that this reader does not get are listed with the reason; the others are numbered as \
      the reader gets them.
      """))

  static let examples = """
    contentc explain product/country-charm --locale fr-CA --device ipad
    contentc explain form/address --locale fr --country FR --app 2.0
    contentc explain maintenance --locale fr
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.missingInput, "there is no such entry")
  ]
  static let result: [ResultRow] = [
    ResultRow(["id": .string, "locale": .string, "device": .string], "the entry and the context"),
    ResultRow(["country?": .string, "app?": .string], "the reader's, where they were given"),
    ResultRow(["isPresent": .boolean], "whether this reader gets the entry"),
    ResultRow(
      ["when.text?": .string, "when.location?": .string, "when.unmet[]?": .string],
      "the entry's condition, and what of it does not hold"),
    ResultRow(
      [
        "when.embargoUntil?": .moment, "when.inBundle?": .boolean,
        "leftOut[].when.embargoUntil?": .moment, "leftOut[].when.inBundle?": .boolean,
      ],
      "the end of an embargo, and whether a reader applies what does not hold"),
    ResultRow(
      ["consulted[]": .string, "unconsulted[]": .string],
      "the overlays in the order in which they are asked, and the others"),
    ResultRow(
      ["fields[].path": .string, "fields[].value?": .any],
      "a field, and its value unless it was removed"),
    ResultRow(
      ["fields[].location": .string, "fields[].layer": .string, "fields[].removed": .boolean],
      "the place and the overlay of the value, and whether it is a null"),
    ResultRow(
      ["fields[].passedOver[].layer": .string, "fields[].passedOver[].hidden?": .string],
      "overlays asked before or after, and the place of their value"),
    ResultRow(["leftOut[].path?": .string], "an item of a list that this reader does not get"),
    ResultRow(
      [
        "leftOut[].when.text?": .string, "leftOut[].when.location?": .string,
        "leftOut[].when.unmet[]?": .string,
      ],
      "and its condition"),
  ]

  @Argument(
    help: ArgumentHelp("The entry's id, such as product/country-charm.", valueName: "entry"),
    completion: .entries)
  var entry: String
  @Option(
    help: ArgumentHelp("A declared locale. Default: the source locale.", valueName: "locale"),
    completion: .locales)
  var locale: String?
  @Option(
    help: ArgumentHelp(
      "A declared device; 'any' stands for all devices that are not declared.", valueName: "device"),
    completion: .devices)
  var device = DeviceTree.root
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let source = try ContentInput.read(input)
    guard let tree = source.tree else {
      return Report(diagnostics: source.diagnostics, sources: source.sources)
    }
    let context = try context(in: tree.project)
    let id = entry == EntryID.maintenance.text ? .maintenance : EntryID(entry)
    let explanation = id.flatMap {
      explain($0, in: tree, context: context, circumstances: reader.circumstances)
    }
    guard let explanation else {
      throw unknownEntry(in: tree, hasErrors: source.diagnostics.hasErrors)
    }
    let page = ExplanationPage(explanation)
    return Report(text: page.text, json: page.members, isResult: true)
  }

  private func context(in project: Project) throws(Failure) -> Context {
    let (locales, devices) = (project.locales, project.devices)
    guard let tag = locale.map({ LocaleTag($0) }) ?? locales.source, locales.declared.contains(tag)
    else {
      throw unknownLocale(locale ?? "", in: locales)
    }
    guard devices.names.contains(device) else {
      throw Failure(.usage, unknown: .unknownDevice, device, known: devices.names)
    }
    return Context(locale: tag, device: device, locales: locales, devices: devices)
  }

  private func unknownLocale(_ text: String, in locales: LocaleSet) -> Failure {
    var failure = Failure(
      .usage, unknown: .unknownLocale, text, known: locales.declared.map(\.identifier))
    if let served = locales.match([text]).locale {
      failure.diagnostic.notes.append(.init("a reader who asks for it gets '\(served)'"))
    }
    return failure
  }

  private func unknownEntry(in tree: ContentTree, hasErrors: Bool) -> Failure {
    let known = tree.entries.map(\.id.text)
    var failure = Failure(.missingInput, unknown: .unknownEntry, entry, known: known)
    if hasErrors {
      failure.diagnostic.notes.append(
        .init("the content has mistakes, so entries may be missing: see 'contentc check'"))
    }
    return failure
  }
}
