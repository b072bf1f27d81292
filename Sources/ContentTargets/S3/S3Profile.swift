import ContentModel

/// A profile of Amazon's tools, merged from both of their files.
struct S3Profile: Sendable {
  let name: String
  private let layers: [[ExactString: String]]

  fileprivate init(name: String, layers: [[ExactString: String]]) {
    (self.name, self.layers) = (name, layers)
  }

  /// Returns a setting of the credentials file, otherwise of the config file.
  subscript(setting: String) -> String? {
    layers.lazy.compactMap { $0[setting] }.first { !$0.isEmpty }
  }
}

/// The profiles in both files of Amazon's tools.
struct S3ProfileFiles: Sendable {
  /// The profile that `AWS_PROFILE` names, or `default`; the latter may be missing.
  let chosen: S3Profile
  /// The credentials file and the config file, if they can be read.
  private let files: [S3Profiles]

  /// Reads the files; `file` returns a file's bytes, or `nil` if it cannot be read.
  ///
  /// - Throws: `.unusable` if `AWS_PROFILE` names a profile that neither file has.
  init(environment: (String) -> String?, file: (String) -> [UInt8]?) throws(TargetError) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let folder = value("HOME").map { "\($0)/.aws" }
    func profiles(_ path: String?, isConfig: Bool) -> S3Profiles? {
      path.flatMap(file).map { S3Profiles($0, isConfig: isConfig) }
    }
    let credentials = profiles(
      value("AWS_SHARED_CREDENTIALS_FILE") ?? folder.map { "\($0)/credentials" }, isConfig: false)
    let config = profiles(value("AWS_CONFIG_FILE") ?? folder.map { "\($0)/config" }, isConfig: true)
    files = [credentials, config].compactMap { $0 }
    let name = value("AWS_PROFILE")
    let layers = Self.layers(of: name ?? "default", in: files)
    if let name, layers.isEmpty {
      throw TargetError(
        .unusable, "AWS_PROFILE is '\(name)', but the files of Amazon's tools have no such profile")
    }
    chosen = S3Profile(name: name ?? "default", layers: layers)
  }

  /// Returns a profile; `nil` if neither file has it.
  subscript(name: String) -> S3Profile? {
    let layers = Self.layers(of: name, in: files)
    return layers.isEmpty ? nil : S3Profile(name: name, layers: layers)
  }

  private static func layers(
    of name: String, in files: [S3Profiles]
  ) -> [[ExactString: String]] {
    files.compactMap { $0[name] }
  }
}
