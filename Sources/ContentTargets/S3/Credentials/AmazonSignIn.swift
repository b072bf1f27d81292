/// A way in which Amazon's tools get temporary keys, and which contentc does not support.
struct AmazonSignIn: CustomStringConvertible {
  private let profile: String
  /// The setting's name in the files.
  private let setting: String
  private let meaning: String

  private static let settings = [
    ("sso_session", "single sign-on"), ("sso_start_url", "single sign-on"),
    ("login_session", "a sign-in"), ("credential_process", "another program"),
  ]

  /// Finds the sign-in of a profile; `nil` if there is none.
  init?(of profile: S3Profile) {
    guard let (setting, meaning) = Self.settings.first(where: { profile[$0.0] != nil }) else {
      return nil
    }
    self.init(of: profile, setting: setting, meaning: meaning)
  }

  private init(of profile: S3Profile, setting: String, meaning: String) {
    (self.profile, self.setting, self.meaning) = (profile.name, setting, meaning)
  }

  /// Returns the sign-in of a role that asks a person for a code; `nil` for another role.
  static func code(for profile: S3Profile) -> AmazonSignIn? {
    profile["mfa_serial"].map { _ in
      AmazonSignIn(of: profile, setting: "mfa_serial", meaning: "a code that a person types")
    }
  }

  /// The sentence about the sign-in, with the remedy.
  var description: String {
    let option = profile.utf8.elementsEqual("default".utf8) ? "" : " --profile '\(profile)'"
    return
      "the profile '\(profile)' gets them by '\(setting)' (\(meaning)), which contentc does not do; "
      + "Amazon's tool can: eval \"$(aws configure export-credentials --format env\(option))\""
  }
}
