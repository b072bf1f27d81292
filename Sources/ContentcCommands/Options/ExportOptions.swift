import ArgumentParser
import ContentModel

/// The options of `contentc preview --export`.
struct ExportOptions: ParsableArguments {
  @Option(
    name: .customLong("export"),
    help: ArgumentHelp(
      "Write the preview as files into a folder, and end. Default: serve the preview.",
      valueName: "folder"), completion: .directory)
  var folder: String?
  @Option(
    help: ArgumentHelp(
      "A declared locale to export; may be repeated. Default: all of them.", valueName: "tag"),
    completion: .locales)
  var locale: [String] = []
  @Option(
    help: ArgumentHelp(
      "A declared device, or 'any', to export; may be repeated. Default: all of them.",
      valueName: "name"), completion: .devices)
  var device: [String] = []
  @Option(
    help: ArgumentHelp(
      "A country to export besides the unknown one, such as FR; may be repeated. Default: none.",
      valueName: "code"))
  var country: [String] = []
  @Option(
    help: ArgumentHelp(
      "An app version to export besides the unknown one, such as 2.1; may be repeated. Default: "
        + "none.", valueName: "version"),
    transform: ReaderOptions.version)
  var app: [AppVersion] = []
  @Option(
    help: ArgumentHelp(
      "Another content folder, such as the main branch's, to compare with. Default: none.",
      valueName: "folder"), completion: .directory)
  var base: String?
  @Option(
    help: ArgumentHelp(
      "The name of the version that the page shows, such as a commit's. Default: none.",
      valueName: "text"))
  var label: String?
  @OptionGroup var moment: InstantOptions

  func validate() throws {
    for country in country { try ReaderOptions.check(country: country) }
    let isChosen = !locale.isEmpty || !device.isEmpty || !country.isEmpty || !app.isEmpty
    if folder == nil, isChosen || base != nil || label != nil || moment.at != nil {
      throw ValidationError(
        "--locale, --device, --country, --app, --base, --label and --at need --export")
    }
  }
}
