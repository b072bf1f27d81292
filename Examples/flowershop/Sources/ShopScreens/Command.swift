package import ContentClient

/// A line that a person types.
package enum Command: Hashable, Sendable {
  /// The link with a number.
  case follow(Int)
  case go(Place)
  case back
  /// The page again.
  case show
  case languages([String])
  case device(String)
  /// The country; `nil` for an unknown one.
  case country(String?)
  case appVersion(AppVersion)
  case refresh
  case help
  case quit
}

extension Command {
  /// The explanation of the commands.
  package static let explanation = [
    "a number          open the link with this number",
    "home, back        the first screen; the page before this one",
    "list [CATEGORY] [under PRICE] [by price|-price|title] [top NUMBER]",
    "                  products, such as: list roses under 50 by price top 3",
    "stores            the stores and their hours",
    "open ID           an entry, such as: open product/twelve-red-roses",
    "lang TAG…         the languages, such as: lang fr-CA en",
    "device NAME       phone, tablet, ipad, tv",
    "country CODE      such as: country FR; without a code, unknown",
    "version NUMBER    the version of the app, such as: version 1.0",
    "changes           the entries that changed since the start",
    "refresh           look for new content now",
    "quit",
  ]

  /// Reads a line.
  ///
  /// - Throws: ``CommandMistake`` if it is no command.
  package init(_ line: String) throws(CommandMistake) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    let arguments = Array(words.dropFirst())
    switch words.first {
    case nil: self = .show
    case let word? where Int(word) != nil && arguments.isEmpty: self = .follow(Int(word) ?? 0)
    case "list":
      guard let filter = ProductFilter(words: arguments) else {
        throw CommandMistake("list [CATEGORY] [under PRICE] [by price|-price|title] [top NUMBER]")
      }
      self = .go(.products(filter))
    case "open":
      guard arguments.count == 1, let id = EntryID(arguments[0]) else {
        throw CommandMistake("open needs the id of an entry, such as product/twelve-red-roses")
      }
      self = .go(Place(id))
    case "lang":
      guard !arguments.isEmpty else { throw CommandMistake("lang needs a language, such as fr-CA") }
      self = .languages(arguments)
    case "device":
      guard arguments.count == 1 else { throw CommandMistake("device needs a name, such as tv") }
      self = .device(arguments[0])
    case "country":
      guard arguments.count <= 1 else { throw CommandMistake("country needs one code, such as FR") }
      self = .country(arguments.first)
    case "version":
      guard arguments.count == 1, let version = AppVersion(arguments[0]) else {
        throw CommandMistake("version needs numbers with dots, such as 2.1")
      }
      self = .appVersion(version)
    case let word?:
      guard arguments.isEmpty, let command = Self.plain[word] else {
        throw CommandMistake("'\(line)' is no command; help lists them")
      }
      self = command
    }
  }

  /// The commands without arguments.
  private static let plain: [String: Command] = [
    "home": .go(.home), "stores": .go(.stores), "changes": .go(.changes), "back": .back,
    "refresh": .refresh, "help": .help, "quit": .quit, "exit": .quit,
  ]
}

/// A line that is no command.
package struct CommandMistake: Error, Hashable, Sendable {
  /// The advice.
  package let advice: String

  init(_ advice: String) { self.advice = advice }
}
