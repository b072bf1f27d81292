package import ArgumentParser
import ContentModel
import ContentReleases

/// The options that say which signed config is the right one.
package struct TrustOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Accept the live config with this SHA-256, although only an earlier key document accepts its "
        + "signatures. Default: none.", valueName: "hash"))
  package var accept: String?
  @Option(
    help: ArgumentHelp(
      "Refuse a signed config below this release. Default: the last one that this machine saw.",
      valueName: "number"))
  package var notBelow: Int?

  package func validate() throws {
    if let accept, Digest(hex: accept) == nil {
      throw ValidationError("--accept takes the 64 digits of a SHA-256.")
    }
    if let notBelow, !(1...SerialNumber.highest / 2).contains(notBelow) {
      throw ValidationError("--not-below must be from 1 to \(SerialNumber.highest / 2).")
    }
  }
}

/// A part of a whole, such as 25%.
package struct Share: Hashable {
  /// From 0 to 1.
  package let part: Double

  package init(_ text: String) throws {
    guard text.hasSuffix("%"), let number = Int(text.dropLast()), (1...100).contains(number) else {
      throw ValidationError("the share must be a number from 1 to 100 with '%', such as 25%")
    }
    part = Double(number) / 100
  }
}
