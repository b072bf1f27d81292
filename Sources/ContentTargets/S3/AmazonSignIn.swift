/// A way to come by keys that Amazon's own tools go, and contentc does not.
struct AmazonSignIn: CustomStringConvertible {
  /// The profile's name; `nil` for the environment.
  private let profile: String?
  /// The setting in a file, or in the environment.
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

  /// Returns the sign-in of a profile, or else of the environment; `nil` if there can only be keys.
  ///
  /// Keys beside a role are not those of the role, and would act under another identity. Keys
  /// beside any other sign-in are there to be used.
  init?(environment: (String) -> String?, _ profile: S3Profile, hasKeys: Bool) {
    if profile["role_arn"] != nil, profile["web_identity_token_file"] == nil {
      self.init(profile, "role_arn", "a role")
    } else if hasKeys {
      return nil
    } else if let (setting, meaning) = Self.settings.first(where: { profile[$0.0] != nil }) {
      self.init(profile, setting, meaning)
    } else if let (variable, meaning) = Self.variables.first(where: {
      environment($0.0)?.isEmpty == false
    }) {
      self.init(nil, variable, meaning)
    } else {
      return nil
    }
  }

  private init(_ profile: S3Profile?, _ setting: String, _ meaning: String) {
    (self.profile, self.setting, self.meaning) = (profile?.name, setting, meaning)
  }

  /// The kind of sign-in, the fact that it has not expired, and the remedy.
  var description: String {
    let option = profile.map { $0 == "default" ? "" : " --profile '\($0)'" } ?? ""
    let asker = profile.map { "the profile '\($0)'" } ?? "this process"
    return
      "\(asker) gets them by '\(setting)' (\(meaning)), which contentc does not do; Amazon's tool can: "
      + "eval \"$(aws configure export-credentials --format env\(option))\""
  }
}
