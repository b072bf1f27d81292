package import ArgumentParser
import ContentModel
import ContentReleases

/// The options that say which config is the right one.
package struct TrustOptions: ParsableArguments {
  package init() {}

  /// The former option, which `keys accept` replaces.
  @Option(help: .hidden)
  package var accept: String?
  @Option(
    help: ArgumentHelp(
      "Refuse a config below this release. Default: the last one that this machine saw.",
      valueName: "number"))
  package var notBelow: Int?

  package func validate() throws {
    if let notBelow, !(1...SerialNumber.highest / 2).contains(notBelow) {
      throw ValidationError("--not-below must be from 1 to \(SerialNumber.highest / 2).")
    }
  }

  /// Refuses the former option, and names the command that replaces it.
  package func refuseRemoved() throws {
    if accept != nil {
      throw ValidationError(
        "--accept HASH is now a command, which takes a copy of the config that you trust: "
          + "contentc keys accept CHANNEL FILE")
    }
  }
}

/// A part of a whole, such as 25%.
package struct Share: Hashable {
  /// From 0 to 1.
  package let part: Double

  package init(_ text: String) throws {
    guard text.hasSuffix("%"), let number = Int(text.dropLast()), (1...100).contains(number)
    else {
      throw ValidationError("the share must be a number from 1 to 100 with '%', such as 25%")
    }
    part = Double(number) / 100
  }
}
