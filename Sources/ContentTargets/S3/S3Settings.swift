import ContentModel
import HTTPTransport

/// The settings of Amazon's tools: from the environment first, then from the files in `~/.aws`.
struct S3Settings: Sendable {
  let profiles: S3ProfileFiles
  let region: String?
  let endpoint: String?

  /// Reads the settings; `file` returns a file's bytes, or `nil` if it cannot be read.
  ///
  /// - Throws: `.unusable` if a setting cannot be right.
  init(environment: (String) -> String?, file: (String) -> [UInt8]?) throws(TargetError) {
    profiles = try S3ProfileFiles(environment: environment, file: file)
    region = try Self.value(
      of: ["AWS_REGION", "AWS_DEFAULT_REGION"], or: "region", environment, profiles.chosen)
    endpoint = try Self.value(
      of: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"], or: "endpoint_url", environment,
      profiles.chosen)
    if let region, !S3Address.isRegion(region) {
      throw TargetError(
        .unusable, "the region that is set for Amazon's tools is not such as 'eu-west-1'")
    }
  }

  /// Returns the value of the first variable that is set, otherwise that of a profile's setting.
  static func value(
    of variables: [String], or setting: String, _ environment: (String) -> String?,
    _ profile: S3Profile
  ) throws(TargetError) -> String? {
    for variable in variables {
      guard let value = environment(variable), !value.isEmpty else { continue }
      return try printable(value, of: variable)
    }
    guard let value = profile[setting] else { return nil }
    return try printable(value, of: "\(setting) of the profile '\(profile.name)'")
  }

  /// Returns a value if it can be sent in a header: without line breaks.
  static func printable(_ value: String, of name: String) throws(TargetError) -> String {
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw TargetError(
        .unusable,
        "the value of \(name) has characters that are not allowed there, such as a line break")
    }
    return value
  }
}
