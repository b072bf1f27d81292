extension ServerKind {
  package static let apache = ServerKind(
    "apache", .origin, summary: "an origin", maintenance: .file
  ) {
    settings, _ in [settings.apache]
  }
}

extension ServerSettings {
  /// Apache as an origin, which serves a folder.
  fileprivate var apache: ServerFile {
    let types = ServedPaths.types.map { type, endings in
      "AddType \(type) \(endings.map { ".\($0)" }.joined(separator: " "))"
    }
    let removedPrefix = """

      # The public URL has this before the paths of the folder.
      RewriteRule "^\(prefix.escapedForPatterns)(/.*)$" "$1"

      """
    return ServerFile(
      named: "apache.conf",
      filled(
        PackageResources.apache_conf,
        with: [
          "heading": heading(
            ["Apache serves the releases in \(root)."], run: "apache2 -X -f THIS_FILE"),
          "types": types.joined(separator: "\n"),
          "languageRules": languageLines { tag, locale in
            "SetEnvIfNoCase asked_language \"^\(tag)$\" maintenance_locale=\(locale)"
          },
          "removedPrefix": prefix.isEmpty ? "" : removedPrefix,
          "objectKeys": keyLines(objectsKey) { "Header set \($0) \"\($1)\"" },
          "configKeys": keyLines(configKey("%{MATCH_CHANNEL}e")) { "Header set \($0) \"\($1)\"" },
        ]))
  }
}
