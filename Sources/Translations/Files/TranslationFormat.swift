import Diagnostics

/// A format of files with translations.
///
/// Each format is one value in its own folder, with its reader and its writer.
package struct TranslationFormat: Sendable {
  /// The name in options and addresses; also the extension of exported files.
  package let name: String
  /// The name for people, such as “XLIFF 1.2”.
  package let title: String
  /// The programs that read the files, such as “spreadsheets”.
  package let readers: String
  /// The other extensions under which programs save such files.
  var otherExtensions: [String] = []
  package let mediaType: String
  /// The name of the kind of files that hold only characters of XML 1.0, such as “XML files”.
  ///
  /// It is `nil` if the format holds all characters.
  package let onlyXMLCharactersIn: String?
  /// The states and their names.
  ///
  /// If a state has several names, the first is written. If several states have one name, the first
  /// is read.
  package let states: [(name: String, state: TranslationUnit.State)]
  /// `true` if translators leave states unchanged, so that a new translation counts as reviewed.
  var hasUntouchedStates = false
  /// Descriptions of how a file stores the parts of a unit, for a table in the documentation.
  package let forms: Forms
  /// Returns `true` for a text of this format.
  ///
  /// The text begins at the file's first byte that is not white space.
  let recognizes: @Sendable (ArraySlice<UInt8>) -> Bool
  let read:
    @Sendable (TextInput, TranslationLocales) throws(TranslationProblem)
      -> Diagnosed<[TranslationFile]>
  let write: @Sendable (TranslationFile) -> [UInt8]
  /// Returns a mistake that only the programs of this format make.
  var problem: @Sendable (TranslationUnit) -> Diagnostic? = { _ in nil }

  /// How a file stores the parts of a unit.
  package struct Forms: Sendable {
    package let states: String
    package let notes: String
    package let maximumLength: String
    package let whereUsed: String
    package let plurals: String
    package let hasSeveralLocales: Bool
  }

  /// The extensions of files, each with its dot.
  package var extensions: [String] { ([name] + otherExtensions).map { ".\($0)" } }

  /// Returns the name of a state.
  func name(of state: TranslationUnit.State) -> String {
    states.first { $0.state == state }?.name ?? "new"
  }

  /// Returns the state with a name.
  package func state(named name: String) -> TranslationUnit.State? {
    states.first { $0.name == name }?.state
  }
}

extension TranslationFormat: CaseIterable {
  /// All formats.
  ///
  /// CSV is the last one, since it recognizes any text.
  package static let allCases: [TranslationFormat] = [.xliff, .xcstrings, .csv]

  /// Finds a format by its name.
  package init?(named name: String) {
    guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = format
  }
}

extension TranslationFormat: Equatable, CustomStringConvertible {
  package static func == (a: TranslationFormat, b: TranslationFormat) -> Bool { a.name == b.name }

  package var description: String { name }
}
