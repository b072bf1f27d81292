import ContentClient

/// The arguments of the program.
struct Arguments: Sendable {
  var configuration: ContentConfiguration
  /// `true` if the explanation is asked for, and nothing else.
  var asksForHelp = false

  /// An argument that the program does not understand.
  struct Mistake: Error, Hashable, Sendable {
    let advice: String
  }

  static let help = """
    USAGE: flowershop [--url URL] [--channel NAME] [--storage FOLDER] [--baked FOLDER]
                      [--locale TAG]… [--device NAME] [--country CODE] [--app-version NUMBER]
                      [--rate NUMBER]

      --url URL              The site. Default: http://127.0.0.1:8080.
      --channel NAME         The channel. Default: qa.
      --storage FOLDER       The folder for what was loaded. Default: memory.
      --baked FOLDER         The folder that `contentc bake` wrote. Default: none.
      --locale TAG           A language; the first one is wanted most. Default: en.
      --device NAME          The device. Default: phone.
      --country CODE         The country, such as FR. Default: unknown.
      --app-version NUMBER   The version of the app. Default: 2.0.
      --rate NUMBER          The most kB that an answer delivers in a second. Default: all it can.
      --help                 This text.

    The program reads commands from standard input; 'help' lists them. At a terminal, it never waits
    for the network. From a pipe, each line waits for the answer to the line before.

    EXIT STATUS: 0 done; 64 wrong arguments.

    """

  /// Reads the arguments after the program's name.
  init(_ words: [String]) throws(Mistake) {
    configuration = ContentConfiguration(
      url: "http://127.0.0.1:8080", app: "flowershop", channel: "qa")
    configuration.context = ReaderContext(
      device: "phone", appVersion: AppVersion("2.0"))
    // Lists and the prices on the first screen need the catalog. Others are loaded on demand.
    configuration.eager = ["catalog"]
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if name == "--help" || name == "-h" {
        asksForHelp = true
        continue
      }
      guard Self.names.contains(name) else {
        throw Mistake(advice: "'\(word)' is no option of flowershop; see --help")
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw Mistake(advice: "\(name) needs a value; see --help")
      }
      try set(name, to: value)
    }
    if configuration.context.locales.isEmpty { configuration.context.locales = ["en"] }
  }

  private static let names = [
    "--url", "--channel", "--storage", "--baked", "--locale", "--device", "--country",
    "--app-version", "--rate",
  ]

  private mutating func set(_ name: String, to value: String) throws(Mistake) {
    switch name {
    case "--url": configuration.url = value
    case "--channel": configuration.channel = value
    case "--storage": configuration.storage = .folder(path: value)
    case "--baked": configuration.baked = value
    case "--locale": configuration.context.locales.append(value)
    case "--device": configuration.context.device = value
    case "--country": configuration.context.country = value.uppercased()
    case "--rate":
      guard let rate = Int(value), (1...1_000_000).contains(rate) else {
        throw Mistake(advice: "\(name) needs a number of kB, such as 100, not '\(value)'")
      }
      configuration.transport = SlowTransport(rate: rate * 1_000)
    default:
      guard let version = AppVersion(value) else {
        throw Mistake(advice: "\(name) needs numbers with dots, such as 2.1, not '\(value)'")
      }
      configuration.context.appVersion = version
    }
  }
}
