package import ArgumentParser
package import ContentCompiler
package import ContentModel
import ContentSource

/// The country and the app version of a reader.
package struct ReaderOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The reader's country, such as FR. Default: unknown, which meets no condition.",
      valueName: "code"), completion: .countries)
  package var country: String?
  @Option(
    help: ArgumentHelp(
      "The app's version, such as 2.1. Default: unknown, which meets no condition.",
      valueName: "version"),
    transform: ReaderOptions.version)
  package var app: AppVersion?
  @OptionGroup package var moment: InstantOptions

  package func validate() throws {
    if let country { try Self.check(country: country) }
  }

  /// Throws an error for a text that is not the code of a country.
  static func check(country: String) throws {
    if Country.isAssigned(country) { return }
    let hint =
      Country(meant: country).map { "; did you mean \($0.code) (\($0.name))?" } ?? ", such as FR."
    throw ValidationError("--country must be an ISO 3166-1 code of two capital letters\(hint)")
  }

  /// The circumstances of the reader, by default at the current time.
  package var circumstances: Circumstances {
    Circumstances(country: country, version: app, instant: moment.instant)
  }

  static func version(_ text: String) throws -> AppVersion {
    guard let version = AppVersion(text) else {
      throw ValidationError("the version must have a form such as 2.1")
    }
    return version
  }
}
