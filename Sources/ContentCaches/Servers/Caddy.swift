extension ServerKind {
  package static let caddy = ServerKind("caddy", .origin, summary: "an origin", maintenance: .file)
  {
    settings, _ in [settings.caddy]
  }
}

extension ServerSettings {
  /// Caddy as an origin, which serves a folder.
  fileprivate var caddy: ServerFile {
    let types = ServedPaths.types.map { type, endings in
      """
      @\(endings[0]) path \(endings.map { "*.\($0)" }.joined(separator: " "))
      header @\(endings[0]) Content-Type \(type)
      """
    }
    let removedPrefix = """
      # The public URL has this before the paths of the folder.
      uri strip_prefix \(prefix)
      """
    let removedKeys = keyHeaders.map { "header -\($0)" }.joined(separator: "\n")
    return ServerFile(
      named: "Caddyfile",
      filled(
        PackageResources.Caddyfile,
        with: [
          "heading": heading(
            ["Caddy serves the releases in \(root)."],
            run: "caddy run --adapter caddyfile --config THIS_FILE"),
          "languageRules": languageLines { "~(?i)^\($0)$ \($1)" },
          "escapedPlainPath": plainPath.replacing("\\", with: "\\\\"),
          "removedPrefix": prefix.isEmpty ? nil : removedPrefix,
          "types": types.joined(separator: "\n"),
          "objectKeys": keyLines(objectsKey) { "header \($0) \"\($1)\"" },
          "configKeys": keyLines(configKey("{re.config.1}")) { "header \($0) \"\($1)\"" },
          "removedKeys": keyHeaders.isEmpty ? nil : removedKeys,
        ]))
  }
}
