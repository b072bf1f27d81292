/// A way in which Amazon's tools get temporary keys, and which contentc does not support.
struct AmazonSignIn: CustomStringConvertible {
  /// The profile's name; `nil` for the environment.
  private let profile: String?
  /// The setting's name, in a file or in the environment.
  private let setting: String
  private let meaning: String

  private static let settings = [
    ("sso_session", "single sign-on"), ("sso_start_url", "single sign-on"),
    ("login_session", "a sign-in"),
    ("web_identity_token_file", "a web identity"), ("credential_process", "another program"),
  ]
  private static let variables = [
    ("AWS_WEB_IDENTITY_TOKEN_FILE", "a web identity"),
    ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "its container"),
    ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "its container"),
  ]

  /// Finds the sign-in of a profile, otherwise of the environment; `nil` if there can only be keys.
  ///
  /// Keys beside a role belong to another identity than the role. Keys beside any other sign-in are
  /// used.
  init?(environment: (String) -> String?, profile: S3Profile, hasKeys: Bool) {
    if profile["role_arn"] != nil, profile["web_identity_token_file"] == nil {
      self.init(profile: profile, setting: "role_arn", meaning: "a role")
    } else if hasKeys {
      return nil
    } else if let (setting, meaning) = Self.settings.first(where: { profile[$0.0] != nil }) {
      self.init(profile: profile, setting: setting, meaning: meaning)
    } else if let (variable, meaning) = Self.variables.first(where: {
      environment($0.0)?.isEmpty == false
    }) {
      self.init(profile: nil, setting: variable, meaning: meaning)
    } else {
      return nil
    }
  }

  private init(profile: S3Profile?, setting: String, meaning: String) {
    (self.profile, self.setting, self.meaning) = (profile?.name, setting, meaning)
  }

  /// The sentence about the sign-in, with the remedy.
  var description: String {
    let option = profile.map { $0 == "default" ? "" : " --profile '\($0)'" } ?? ""
    let asker = profile.map { "the profile '\($0)'" } ?? "this process"
    return
      "\(asker) gets them by '\(setting)' (\(meaning)), which contentc does not do; Amazon's tool can: "
      + "eval \"$(aws configure export-credentials --format env\(option))\""
  }
}
