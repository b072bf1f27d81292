import ArgumentParser
import ContentCompiler
import ContentModel
import ContentSource

/// What is left to know of a reader beside locale and device.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The reader's country, such as FR; unknown unless told, which meets no condition.", valueName: "code"))
  var country: String?
  @Option(
    help: ArgumentHelp("The app's version, such as 2.1; unknown unless told.", valueName: "version"),
    transform: ReaderOptions.version)
  var app: AppVersion?
  @OptionGroup var moment: InstantOptions

  func validate() throws {
    if let country, !country.isCountryCode {
      throw ValidationError("--country must be two capital letters, such as FR.")
    }
  }

  /// Such a reader, now unless told otherwise.
  var circumstances: Circumstances { Circumstances(country: country, version: app, instant: moment.instant) }

  private static func version(_ text: String) throws -> AppVersion {
    guard let version = AppVersion(text) else { throw ValidationError("it must be a version such as 2.1") }
    return version
  }
}
