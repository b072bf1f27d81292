/// One thing that a person is told about content: a rule, and where it was broken.
package struct Diagnostic: Hashable, Sendable {
  /// How much it matters.
  package enum Severity: String, Sendable, Comparable {
    /// The build goes on.
    case warning
    /// Nothing is written.
    case error

    package static func < (a: Severity, b: Severity) -> Bool { a == .warning && b == .error }
  }

  /// Something that helps to understand the message, perhaps in another place.
  package struct Note: Hashable, Sendable {
    package var message: String
    package var location: SourceLocation?

    package init(_ message: String, at location: SourceLocation? = nil) {
      self.message = message
      self.location = location
    }

    package static func == (a: Note, b: Note) -> Bool {
      a.message == b.message && a.location == b.location
    }
  }

  /// A replacement for the text under a range that mends the mistake.
  package struct FixIt: Hashable, Sendable {
    package var range: SourceRange
    package var replacement: String

    package init(_ range: SourceRange, replacement: String) {
      self.range = range
      self.replacement = replacement
    }

    package static func == (a: FixIt, b: FixIt) -> Bool {
      a.range == b.range && a.replacement == b.replacement
    }
  }

  package var severity: Severity
  /// The rule's name: lower-case words joined by hyphens, such as `unknown-field`.
  package var id: String
  package var location: SourceLocation?
  /// The rule, the most specific noun first, without a full stop.
  package var message: String
  package var notes: [Note]
  /// At most the single obvious correction; alternatives are notes.
  package var fixIt: FixIt?

  package init(
    _ severity: Severity, _ id: String, at location: SourceLocation?, _ message: String,
    notes: [Note] = [],
    fixIt: FixIt? = nil
  ) {
    self.severity = severity
    self.id = id
    self.location = location
    self.message = message
    self.notes = notes
    self.fixIt = fixIt
  }

  /// Compares texts by bytes: mistakes in two files whose names look alike are two.
  package static func == (a: Diagnostic, b: Diagnostic) -> Bool {
    a.severity == b.severity && a.id == b.id && a.location == b.location && a.message == b.message
      && a.notes == b.notes && a.fixIt == b.fixIt
  }
}

/// A result together with all that was found wrong on the way to it.
package struct Diagnosed<Output> {
  package var output: Output
  package var diagnostics: [Diagnostic]

  package init(_ output: Output, _ diagnostics: [Diagnostic] = []) {
    self.output = output
    self.diagnostics = diagnostics
  }

  /// Whether an error is among the diagnostics.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension Diagnosed: Sendable where Output: Sendable {}
