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
    discussion: """
      Shows each field with its value, the file and line of that value, and the other overlays \
      that were considered. Overlays are consulted locale by locale along the fallback chain, and \
      device by device within each locale. The first overlay that has the field decides. List \
      items that this reader does not get are listed with the reason; the others are numbered as \
      the reader gets them.

      Examples:
        contentc explain product/country-charm --locale fr-CA --device ipad
        contentc explain form/address --locale fr --country FR --app 2.0
        contentc explain maintenance --locale fr
      """)

  @Argument(
    help: ArgumentHelp("The entry's id, such as product/country-charm.", valueName: "entry"))
  var entry: String
  @Option(help: ArgumentHelp("A declared locale. Default: the source locale.", valueName: "locale"))
  var locale: String?
  @Option(
    help: ArgumentHelp(
      "A declared device; 'any' stands for all devices that are not declared.", valueName: "device")
  )
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
