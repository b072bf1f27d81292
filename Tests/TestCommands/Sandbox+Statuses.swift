import ContentcCommands
import Testing

extension Sandbox {
  /// Expects a run of `contentc` to end with a status that its command declares.
  ///
  /// A signal that ends the program is no status.
  static func expectDeclaredStatus(_ outcome: Outcome, of arguments: [String]) {
    guard
      let command = Contentc.commands.last(where: { command in
        arguments.starts(with: command.words.split(separator: " ").map(String.init))
      }), outcome.status >= 0
    else { return }
    #expect(
      command.type.possibleStatuses.contains { $0.rawValue == outcome.status },
      "\(arguments) must not end with \(outcome.status): \(outcome.errors)")
  }
}
