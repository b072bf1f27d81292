package import ContentSource

/// The settings of a cache in content.yaml and the environment.
package struct CDNSettings {
  private let layer: CacheLayer
  private let environment: (String) -> String?

  package init(_ layer: CacheLayer, environment: @escaping (String) -> String?) {
    (self.layer, self.environment) = (layer, environment)
  }

  /// Returns the adapter that the settings describe.
  ///
  /// - Throws: `CDNSettingsError`, with the name of the missing setting or variable, and never a
  ///   value.
  package func cdn() throws(CDNSettingsError) -> any CDN {
    try layer.name.cache.adapter(self)
  }

  // MARK: Values

  /// Returns the machines of a self-hosted cache.
  func nodes() throws(CDNSettingsError) -> CacheNodes {
    guard let addresses = layer.settings["nodes"] else {
      throw missing("nodes", meaning: CacheName.Setting.nodes.meaning)
    }
    return CacheNodes(addresses, token: try layer.settings["token"] == nil ? nil : secret("token"))
  }

  /// `true` if the origin sends the surrogate keys that `contentc server` prints.
  var hasKeys: Bool { first("keys") == "origin" }

  /// Returns the first value of a setting.
  func first(_ setting: String) -> String? { layer.settings[setting]?.first }

  /// Returns `true` if the variable that a setting names has a value.
  func isSet(_ setting: String) -> Bool {
    first(setting).map { environment($0)?.isEmpty == false } ?? false
  }

  /// Returns an address without `/` at its end.
  func address(_ setting: String) -> String? {
    first(setting).map { String($0.reversed().drop { $0 == "/" }.reversed()) }
  }

  /// Returns the value of the variable that a setting names.
  func secret(_ setting: String) throws(CDNSettingsError) -> CDNSecret {
    let secret = try value(setting)
    guard secret.value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CDNSettingsError(
        "the value of \(secret.variable), the \(setting) of '\(layer.name.rawValue)', has characters that are not allowed there, such as "
          + "a line break")
    }
    return secret
  }

  /// Returns the value of the variable that a setting names, with any characters.
  private func value(_ setting: String) throws(CDNSettingsError) -> CDNSecret {
    guard let variable = first(setting) else {
      throw missing(
        setting,
        meaning:
          "the environment variable that holds it, such as \(Self.variable(setting, of: layer.name.rawValue))"
      )
    }
    guard let value = environment(variable), !value.isEmpty else {
      throw CDNSettingsError(
        "\(variable) is not set; content.yaml names it as the \(setting) of '\(layer.name.rawValue)'",
        advice: "set the environment variable \(variable) (\(meaning(of: setting)))")
    }
    return CDNSecret(variable: variable, value: value)
  }

  /// Returns the value of the variable that a setting names, checked for use in an address.
  func name(_ setting: String) throws(CDNSettingsError) -> String {
    let secret = try secret(setting)
    let plain = secret.value.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "-_.:".utf8.contains($0)
    }
    guard plain, !Self.isDotSegment(secret.value) else {
      throw unusable(secret, as: setting, allowed: "letters, digits and - _ . :")
    }
    return secret.value
  }

  /// Returns the value of the variable that a setting names, for an address in which the caller
  /// escapes the value.
  ///
  /// Unlike other names, the value may have parentheses, and letters and digits of any script.
  func nameInAnyScript(_ setting: String) throws(CDNSettingsError) -> String {
    let secret = try value(setting)
    let isName = secret.value.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.generalCategory == .decimalNumber
        || $0.properties.generalCategory == .nonspacingMark || "-_.()".unicodeScalars.contains($0)
    }
    guard isName, !Self.isDotSegment(secret.value) else {
      throw unusable(secret, as: setting, allowed: "letters, digits and - _ . ( )")
    }
    return secret.value
  }

  /// Returns `true` for a value that would change the path of an address, escaped or not.
  private static func isDotSegment(_ value: String) -> Bool { [".", ".."].contains(value) }

  private func unusable(
    _ secret: CDNSecret, as setting: String, allowed: String
  ) -> CDNSettingsError {
    CDNSettingsError(
      "the value of \(secret.variable) cannot be the \(setting) of '\(layer.name.rawValue)': \(allowed)"
    )
  }

  private func missing(_ setting: String, meaning: String) -> CDNSettingsError {
    CDNSettingsError(
      "content.yaml has no '\(setting)' for '\(layer.name.rawValue)': name there \(meaning)")
  }

  /// The value that a variable needs, in words.
  private func meaning(of setting: String) -> String {
    layer.settings["nodes"] == nil
      ? "the \(setting) of '\(layer.name.rawValue)'" : "the value that the cache was started with"
  }

  private static func variable(_ setting: String, of cache: String) -> String {
    "\(cache.uppercased())_\(setting.uppercased())"
  }
}

/// A setting of a cache, or a variable that it names, that is missing or cannot be used.
package struct CDNSettingsError: Error, Hashable, CustomStringConvertible {
  /// A sentence that names the setting and holds no secret.
  package let description: String
  /// The remedy if an environment variable is not set; `nil` for other problems.
  package let advice: String?

  init(_ description: String, advice: String? = nil) {
    (self.description, self.advice) = (description, advice)
  }
}
