import ContentModel
import ContentSource
package import Diagnostics
package import SiteFormat
import YAML

/// A key with which this machine signs for a channel, and where the key is.
package struct SignerSettings: Sendable {
  /// The app; `nil` for every app.
  package var app: String?
  package var channel: String
  package var role: KeyDocument.Role
  package var source: Source
  /// The place of the signer in the settings file.
  package var location: SourceLocation

  /// The place of a secret key.
  package enum Source: Sendable {
    /// A file with PKCS#8 in PEM.
    case file(path: String)
    /// A variable with PKCS#8 in PEM.
    case environment(variable: String)
    /// The fingerprint of a key of the SSH agent, such as `SHA256:…`.
    case agent(fingerprint: String)
    /// A program with its arguments, which messages never show, and its key.
    ///
    /// `key` is `nil` if the program signs with the only key of the role.
    case command(words: [String], key: KeyID?)
  }

  package init(
    app: String? = nil, channel: String, role: KeyDocument.Role, source: Source,
    location: SourceLocation
  ) {
    (self.app, self.channel, self.role) = (app, channel, role)
    (self.source, self.location) = (source, location)
  }
}

extension SignerSettings {
  /// The ways to name a key, one of which each signer has.
  private static let ways = ["file", "environment", "agent", "command"]

  static func readAll(_ node: YAMLNode) -> Diagnosed<[SignerSettings]> {
    guard node.kind == .sequence, node.items.count <= MachineSettings.mostCommands else {
      let rule =
        node.kind == .sequence
        ? "have at most \(MachineSettings.mostCommands) signers"
        : "be a list of signers, each with 'channel', 'role' and a key"
      return Diagnosed([], diagnostics: [.wrongType("'signers'", must: rule, at: node.place)])
    }
    var all = Diagnosed<[SignerSettings]>([])
    for item in node.items {
      let one = read(item)
      all.diagnostics += one.diagnostics
      if let signer = one.output { all.output.append(signer) }
    }
    return all
  }

  private static func read(_ node: YAMLNode) -> Diagnosed<SignerSettings?> {
    var reader = RecordReader(node, of: "a signer")
    let app = reader.optional("app", must: NotifyCommand.nameRule, as: NotifyCommand.name)
    let channel = reader.required("channel", must: NotifyCommand.nameRule, as: NotifyCommand.name)
    let role = reader.required("role", must: "be keys, release or fresh") { node in
      node.scalarText.flatMap { KeyDocument.Role(rawValue: $0) }
    }
    let source = source(in: &reader, of: node)
    let diagnostics = reader.finish()
    guard let channel, let role, let source, !diagnostics.hasErrors else {
      return Diagnosed(nil, diagnostics: diagnostics)
    }
    return Diagnosed(
      SignerSettings(app: app, channel: channel, role: role, source: source, location: node.place),
      diagnostics: diagnostics)
  }

  /// Reads where the key is.
  private static func source(in reader: inout RecordReader, of node: YAMLNode) -> Source? {
    let path = reader.optional("file", must: "be a path, without '~' or variables", as: path)
    let variable = reader.optional("environment", must: "be the name of a variable", as: variable)
    let fingerprint = reader.optional(
      "agent", must: "be a fingerprint as 'ssh-add -l' prints it: SHA256:…", as: fingerprint)
    let key = reader.optional("key", must: "be the 16 digits of a key's id") { node in
      node.scalarText.flatMap { KeyID($0) }
    }
    var words: [String]?
    if let command = reader.optional("command") {
      let read = NotifyCommand.readWords(command)
      words = read.output
      reader.report(read.diagnostics)
    }
    guard node.kind == .mapping else { return nil }
    let named = ways.filter { node[$0].map { !$0.isNull } ?? false }
    if named.count != 1 {
      reader.report([
        .wrongType(
          "a signer", must: "have one of 'file', 'environment', 'agent' and 'command'",
          at: node.place)
      ])
      return nil
    }
    if key != nil, named != ["command"] {
      reader.report([
        .wrongType(
          "'key'", must: "be beside 'command': the other ways know their key",
          at: node["key"]?.place ?? node.place)
      ])
    }
    return path.map { .file(path: $0) } ?? variable.map { .environment(variable: $0) }
      ?? fingerprint.map { .agent(fingerprint: $0) }
      ?? words.map { .command(words: $0, key: key) }
  }

  private static func path(_ node: YAMLNode) -> String? {
    node.scalarText.flatMap { text in
      let isPlain = !text.isEmpty && !text.hasBytePrefix("~") && !text.utf8.contains(0)
      return isPlain && !text.contains("$") ? text : nil
    }
  }

  private static func variable(_ node: YAMLNode) -> String? {
    node.scalarText.flatMap { text in
      let isName = text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte.isDigit || (0x41...0x5A).contains(byte & ~0x20)
      }
      return isName && !text.isEmpty && text.utf8.first?.isDigit == false ? text : nil
    }
  }

  private static func fingerprint(_ node: YAMLNode) -> String? {
    node.scalarText.flatMap { text in
      let digits = text.dropFirst("SHA256:".count)
      let isComplete = digits.utf8.count == 43 && Base64.decode("\(digits)=")?.count == 32
      return text.hasBytePrefix("SHA256:") && isComplete ? text : nil
    }
  }

  /// The signer with a path that is relative to the folder of the settings file.
  func beside(_ settingsPath: String) -> SignerSettings {
    guard case .file(let path) = source, !path.hasBytePrefix("/"),
      let slash = settingsPath.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return self }
    var signer = self
    signer.source = .file(path: "\(settingsPath[..<slash])/\(path)")
    return signer
  }
}
