import ContentModel

/// A message about content or a command: a rule and the place where it was broken.
package struct Diagnostic: Hashable, Sendable {
  /// The effect of a diagnostic on a build.
  package enum Severity: String, Sendable, Comparable {
    /// The build is written.
    case warning
    /// The build is not written.
    case error

    package static func < (a: Severity, b: Severity) -> Bool { a == .warning && b == .error }
  }

  /// An addition that helps to understand the message, with its own place if it has one.
  package struct Note: Hashable, Sendable {
    package var message: String
    package var location: SourceLocation?

    package init(_ message: String, at location: SourceLocation? = nil) {
      self.message = message
      self.location = location
    }

    package static func == (a: Note, b: Note) -> Bool {
      a.message.hasSameBytes(as: b.message) && a.location == b.location
    }
  }

  /// A replacement of the text in a range that corrects the mistake.
  package struct FixIt: Hashable, Sendable {
    package var range: SourceRange
    package var replacement: String

    package init(_ range: SourceRange, replacement: String) {
      self.range = range
      self.replacement = replacement
    }

    package static func == (a: FixIt, b: FixIt) -> Bool {
      a.range == b.range && a.replacement.hasSameBytes(as: b.replacement)
    }
  }

  /// The parts of a diagnostic.
  private struct Parts: Hashable, Sendable {
    var severity: Severity
    var rule: Rule
    var location: SourceLocation?
    var message: String
    var notes: [Note]
    var fixIt: FixIt?
    var declaration: Declaration?
    var hidesSource = false

    /// Compares texts by bytes, so that files whose names are canonically equivalent stay distinct.
    static func == (a: Parts, b: Parts) -> Bool {
      a.severity == b.severity && a.rule == b.rule && a.location == b.location
        && a.message.hasSameBytes(as: b.message) && a.notes == b.notes && a.fixIt == b.fixIt
        && a.declaration == b.declaration && a.hidesSource == b.hidesSource
    }
  }

  /// The parts in memory of their own, which copies share.
  ///
  /// A broken import has 100,000 mistakes. They are joined, sorted and grouped several times, and
  /// the parts have 240 bytes: with the parts themselves in the arrays, that took 430 MB.
  private indirect enum Storage: Hashable, Sendable {
    case parts(Parts)
  }

  private var storage: Storage

  private var parts: Parts {
    get {
      switch storage {
      case .parts(let parts): parts
      }
    }
    set { storage = .parts(newValue) }
  }

  /// The effect on the build.
  package var severity: Severity {
    get { parts.severity }
    set { parts.severity = newValue }
  }

  /// The broken rule.
  package var rule: Rule { parts.rule }

  /// The rule's name: lower-case words joined by hyphens, such as `unknown-field`.
  package var id: String { rule.name }

  /// The place of the mistake; `nil` if it is not in a file.
  package var location: SourceLocation? {
    get { parts.location }
    set { parts.location = newValue }
  }

  /// The rule, the most specific noun first, without a full stop.
  package var message: String {
    get { parts.message }
    set { parts.message = newValue }
  }

  /// The additions, in the order in which they are printed.
  package var notes: [Note] {
    get { parts.notes }
    set { parts.notes = newValue }
  }

  /// The single obvious correction; alternatives are notes.
  package var fixIt: FixIt? {
    get { parts.fixIt }
    set { parts.fixIt = newValue }
  }

  /// The declaration that the value breaks; `nil` if the mistake is surely in the value.
  package var declaration: Declaration? {
    get { parts.declaration }
    set { parts.declaration = newValue }
  }

  /// `true` if printers must not show the source, whose lines may hold a secret.
  package var hidesSource: Bool {
    get { parts.hidesSource }
    set { parts.hidesSource = newValue }
  }

  package init(
    _ severity: Severity, rule: Rule, at location: SourceLocation?, message: String,
    notes: [Note] = [], fixIt: FixIt? = nil
  ) {
    storage = .parts(
      Parts(
        severity: severity, rule: rule, location: location, message: message, notes: notes,
        fixIt: fixIt))
  }

  /// The notes for a reader: at most ten, and one that counts the others.
  ///
  /// A diagnostic can have a note for each of thousands of values.
  package var firstNotes: [Note] {
    let shown = 10
    guard notes.count > shown else { return notes }
    return notes.prefix(shown) + [Note("and \(notes.count - shown) more")]
  }

  /// Returns a diagnostic that stops the build.
  package static func error(
    _ rule: Rule, at location: SourceLocation?, message: String, notes: [Note] = [],
    fixIt: FixIt? = nil
  ) -> Diagnostic {
    Diagnostic(.error, rule: rule, at: location, message: message, notes: notes, fixIt: fixIt)
  }

  /// Returns a diagnostic that does not stop the build.
  package static func warning(
    _ rule: Rule, at location: SourceLocation?, message: String, notes: [Note] = [],
    fixIt: FixIt? = nil
  ) -> Diagnostic {
    Diagnostic(.warning, rule: rule, at: location, message: message, notes: notes, fixIt: fixIt)
  }
}

/// A result and the diagnostics found while making it.
package struct Diagnosed<Output> {
  package var output: Output
  package var diagnostics: [Diagnostic]

  package init(_ output: Output, diagnostics: [Diagnostic] = []) {
    self.output = output
    self.diagnostics = diagnostics
  }

  /// `true` if any diagnostic is an error.
  package var hasErrors: Bool { diagnostics.hasErrors }
}

extension Diagnosed: Sendable where Output: Sendable {}

extension [Diagnostic] {
  /// `true` if any diagnostic is an error.
  package var hasErrors: Bool { contains { $0.severity == .error } }
}

/// The warnings that count as errors.
package struct WarningPolicy: Sendable {
  /// `true` if every warning is an error.
  package var allAreErrors: Bool
  /// The rules whose warnings are errors.
  package var errorRules: [Rule]

  package init(allAreErrors: Bool = false, errorRules: [Rule] = []) {
    (self.allAreErrors, self.errorRules) = (allAreErrors, errorRules)
  }

  /// Returns the diagnostics in stable order, each once, with these warnings raised to errors.
  package func judge(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let raised = diagnostics.map { diagnostic in
      var judged = diagnostic
      if allAreErrors || errorRules.contains(diagnostic.rule) { judged.severity = .error }
      return judged
    }
    return raised.inStableOrder()
  }
}
