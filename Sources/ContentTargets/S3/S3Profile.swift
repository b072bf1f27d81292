import ContentModel

/// A profile of Amazon's tools, merged from both of their files.
struct S3Profile: CustomStringConvertible {
  let name: String
  private let layers: [[ExactString: String]]

  /// Reads the profile that `AWS_PROFILE` names, or `default`; the latter may be missing.
  init(environment: (String) -> String?, file: (String) -> [UInt8]?) throws(TargetError) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let folder = value("HOME").map { "\($0)/.aws" }
    let chosen = value("AWS_PROFILE")
    let name = chosen ?? "default"
    func layer(_ path: String?, isConfig: Bool) -> [ExactString: String]? {
      path.flatMap(file).flatMap { S3Profiles($0, isConfig: isConfig)[name] }
    }
    let credentials = layer(
      value("AWS_SHARED_CREDENTIALS_FILE") ?? folder.map { "\($0)/credentials" }, isConfig: false)
    let config = layer(value("AWS_CONFIG_FILE") ?? folder.map { "\($0)/config" }, isConfig: true)
    layers = [credentials, config].compactMap { $0 }
    self.name = name
    if let chosen, layers.isEmpty {
      throw TargetError(
        .unusable,
        "AWS_PROFILE is '\(chosen)', but the files of Amazon's tools have no such profile")
    }
  }

  /// The place that lacks credentials, as the subject of a sentence.
  var description: String {
    layers.isEmpty ? "the environment, like ~/.aws/credentials," : "the profile '\(name)'"
  }

  /// Returns a setting of the credentials file, otherwise of the config file.
  subscript(setting: String) -> String? {
    layers.lazy.compactMap { $0[setting] }.first { !$0.isEmpty }
  }
}
