import ContentReleases
import Diagnostics
import Synchronization

/// The warnings about entries of a draft that return with values which a purge removed.
///
/// A class, because the publisher finds them while it plans the release.
final class ReturnedEntryWarnings: Sendable {
  private let found = Mutex<[Draft.ReturnedEntry]>([])
  private let canUnpurge: Bool

  /// Receives the returned entries of a draft; flags that raise the warnings to errors refuse them.
  ///
  /// Such a refusal names `--unpurge` if the command has it.
  init(_ draft: inout Draft, _ common: CommonOptions, canUnpurge: Bool = true) {
    self.canUnpurge = canUnpurge
    draft.returnedEntries = { [self, style = common.style] entries in
      found.withLock { $0 = entries }
      if let refusal = style.refusal(for: warnings(canRefuse: true)) {
        throw RaisedWarnings(refusal)
      }
    }
  }

  var warnings: [Diagnostic] { warnings(canRefuse: false) }

  private func warnings(canRefuse: Bool) -> [Diagnostic] {
    found.withLock { $0 }.map { entry in
      let purge = "purge \(entry.purge) removed it (\(entry.reason.harmless))"
      let message =
        entry.fields.isEmpty
        ? "\(entry.id) returns after \(purge)"
        : "\(entry.id) returns with \(Self.list(entry.fields)) as when \(purge)"
      return .warning(
        .returnedContent, at: nil, message: message,
        notes: [
          Diagnostic.Note("check it; if what was bad is still there, correct it and publish again")
        ]
          + (canRefuse
            ? [
              Diagnostic.Note(
                canUnpurge
                  ? "if you have checked it: --unpurge \(entry.id)"
                  : "if you have checked it, run the command without the flag that makes this an error"
              )
            ] : []))
    }
  }

  /// Returns a list such as `'care', 'title' and 3 more fields`.
  private static func list(_ fields: [String]) -> String {
    let names = fields.map { "'\($0.harmless)'" }
    if names.count > 5 {
      return names.prefix(4).joined(separator: ", ") + " and \(names.count - 4) more fields"
    }
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
