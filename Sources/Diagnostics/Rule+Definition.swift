extension Rule {
  /// The part of a run that checks a rule.
  package enum Group: String, CaseIterable, Sendable {
    /// Rules for content.
    case content
    /// Bounds and conditions that a project or a caller sets.
    case gate
    /// Arguments, local files, targets and caches.
    case command
  }

  /// The severities that a broken rule can have.
  package enum Level: String, Sendable {
    case error
    case warning
    /// An error or a warning, depending on the circumstances.
    case both = "error or warning"
  }

  /// The reason why a run fails if only this rule stops it.
  ///
  /// The exit status follows from the reason.
  package enum Ending: Sendable {
    /// The content or another file has a mistake.
    case mistake
    /// A gate is closed.
    case gate
    /// There is no content.
    case missingInput
    /// A file or a folder cannot be read.
    case unreadableInput
    /// A target does not answer.
    case unavailableTarget
  }

  /// How a broken rule affects other rules and other runs.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// YAML loses text of the line, so other mistakes in this line follow from this one.
    package static let losesText = Traits(rawValue: 1 << 0)
    /// A line of a datatype may be in a wrong place, so content cannot be checked against the rest.
    package static let mayHideFields = Traits(rawValue: 1 << 1)
    /// In `content.yaml`, a line of `devices` may be in a wrong place.
    package static let mayHideDevices = Traits(rawValue: 1 << 2)
    /// The field's declaration may be wrong instead of the value.
    package static let declarationMayBeWrong = Traits(rawValue: 1 << 3)
    /// The rule cannot be checked while `content.yaml` may lack locales.
    package static let needsLocales = Traits(rawValue: 1 << 4)
    /// The rule cannot be checked while `content.yaml` may lack devices.
    package static let needsDevices = Traits(rawValue: 1 << 5)
    /// The rule needs a valid `content.yaml`, which decides its severity.
    package static let needsProject = Traits(rawValue: 1 << 6)
    /// The rule about translations needs all of the source locale's files.
    package static let needsSourceTexts = Traits(rawValue: 1 << 7)
    /// The rule compares a translation with the source locale's catalog.
    ///
    /// The message does not name that file, so a build that repeats the warning must check the rule
    /// again when a catalog changes.
    package static let comparesCatalogs = Traits(rawValue: 1 << 8)
    /// Even as an error, the mistake follows from a wrong `sourceLocale`.
    package static let followsFromSourceLocale = Traits(rawValue: 1 << 9)
    /// The rule limits the size of a part of a release that depends on many entries.
    package static let limitsSizeOfEntries = Traits(rawValue: 1 << 10)
    /// Mistakes in other files may follow from this one, so it comes first.
    package static let explainsOthers = Traits(rawValue: 1 << 11)
  }

  /// A file that breaks a rule, and the cure.
  ///
  /// `MessagesTests` adds the file to a small, valid shop. The compiler must then report this rule only,
  /// and nothing after the cure.
  package struct Example: Hashable, Sendable {
    package let path: String
    package let text: String
    /// The path of the corrected file.
    package let curedPath: String
    /// The corrected text.
    package let curedText: String

    init(_ text: String, in path: String = "entries/product/rose.yaml", cure: String) {
      (self.path, self.text) = (path, text)
      (curedPath, curedText) = (path, cure)
    }

    init(_ text: String, in path: String, renamedTo name: String) {
      (self.path, self.text) = (path, text)
      (curedPath, curedText) = (name, text)
    }
  }

  /// The properties of a rule.
  package struct Definition: Sendable {
    package let group: Group
    package let level: Level
    /// One sentence, without a full stop.
    package let summary: String
    package let traits: Traits
    package let ending: Ending
    package let example: Example?

    static func content(
      _ level: Level, _ summary: String, _ traits: Traits = [], ending: Ending = .mistake,
      example: Example? = nil
    ) -> Definition {
      Definition(
        group: .content, level: level, summary: summary, traits: traits, ending: ending,
        example: example)
    }

    static func gate(_ level: Level, _ summary: String) -> Definition {
      Definition(
        group: .gate, level: level, summary: summary, traits: [], ending: .gate, example: nil)
    }

    /// Defines a rule about commands.
    ///
    /// If the command ends with a `Failure`, the failure decides the exit status. If the command
    /// reports the rule and continues, `ending` decides the status.
    static func command(
      _ level: Level, _ summary: String, ending: Ending = .mistake
    ) -> Definition {
      Definition(
        group: .command, level: level, summary: summary, traits: [], ending: ending, example: nil)
    }
  }

  /// All rules, group by group, each group sorted by name.
  package static let all = Group.allCases.flatMap { group in
    allCases.filter { $0.group == group }.sorted { $0.name < $1.name }
  }

  /// The name in brackets, such as `unknown-field`.
  package var name: String { rawValue }

  package var group: Group { definition.group }

  package var level: Level { definition.level }

  /// One sentence, without a full stop.
  package var summary: String { definition.summary }

  package var traits: Traits { definition.traits }

  package var ending: Ending { definition.ending }

  package var example: Example? { definition.example }

  /// The noun of a rule about unknown names: `locale` for `unknown-locale`.
  package var noun: String { name.hasPrefix("unknown-") ? String(name.dropFirst(8)) : name }
}

extension Rule.Group {
  /// The heading of the group in the list of rules.
  package var title: String {
    switch self {
    case .content: "Content"
    case .gate: "Gates and bounds (status 2)"
    case .command: "Arguments, files, targets and caches"
    }
  }
}
