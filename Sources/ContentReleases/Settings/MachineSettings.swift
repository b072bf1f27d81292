import ContentModel
import ContentSource
package import Diagnostics
import YAML

/// The settings of a machine, which belong to its operator and never to content.
package struct MachineSettings: Sendable {
  /// The programs to run when a release is live, in the order of the file.
  package var notify: [NotifyCommand] = []
  /// The keys with which this machine signs, in the order of the file.
  package var signers: [SignerSettings] = []

  package init() {}
}

/// A program that runs when a release of a channel is live.
package struct NotifyCommand: Sendable {
  /// The app; `nil` for every app.
  package var app: String?
  package var channel: String
  /// An absolute path, or a name to find in `PATH`.
  package var program: String
  /// The arguments, which messages never show.
  package var arguments: [String]
  /// The place of the command in the settings file.
  package var location: SourceLocation

  package init(
    app: String? = nil, channel: String, program: String, arguments: [String],
    location: SourceLocation
  ) {
    (self.app, self.channel, self.location) = (app, channel, location)
    (self.program, self.arguments) = (program, arguments)
  }
}

extension MachineSettings {
  /// The most commands, and the most signers, that a file may list.
  static let mostCommands = 100

  /// Reads the settings from the bytes of a file.
  static func read(_ bytes: [UInt8], path: String) -> Diagnosed<MachineSettings> {
    let read = YAMLReader().read(bytes, path: path)
    var settings = Diagnosed(MachineSettings(), diagnostics: read.diagnostics)
    // A file of comments has no settings.
    settings.diagnostics.removeAll { $0.rule == .emptyDocument }
    guard let node = read.output, !node.isNull else { return settings }
    var reader = RecordReader(node, of: "the settings")
    if let list = reader.optional("notify") {
      let commands = NotifyCommand.readAll(list)
      settings.output.notify = commands.output
      reader.report(commands.diagnostics)
    }
    if let list = reader.optional("signers") {
      let signers = SignerSettings.readAll(list)
      settings.output.signers = signers.output.map { $0.beside(path) }
      reader.report(signers.diagnostics)
    }
    settings.diagnostics += reader.finish()
    return settings
  }
}

extension NotifyCommand {
  fileprivate static func readAll(_ node: YAMLNode) -> Diagnosed<[NotifyCommand]> {
    guard node.kind == .sequence, node.items.count <= MachineSettings.mostCommands else {
      let rule =
        node.kind == .sequence
        ? "have at most \(MachineSettings.mostCommands) commands"
        : "be a list of commands, each with 'channel' and 'command'"
      return Diagnosed([], diagnostics: [.wrongType("'notify'", must: rule, at: node.place)])
    }
    var all = Diagnosed<[NotifyCommand]>([])
    for item in node.items {
      let one = NotifyCommand.read(item)
      all.diagnostics += one.diagnostics
      if let command = one.output { all.output.append(command) }
    }
    return all
  }

  /// The rule for the names of apps and channels.
  static let nameRule = "be of a-z, 0-9 and '-', as in content.yaml"

  private static func read(_ node: YAMLNode) -> Diagnosed<NotifyCommand?> {
    var reader = RecordReader(node, of: "a command of 'notify'")
    let app = reader.optional("app", must: nameRule, as: name)
    let channel = reader.required("channel", must: nameRule, as: name)
    var words: [String]?
    if let command = reader.required("command") {
      let read = readWords(command)
      words = read.output
      reader.report(read.diagnostics)
    }
    let diagnostics = reader.finish()
    guard let channel, let words, !diagnostics.hasErrors else {
      return Diagnosed(nil, diagnostics: diagnostics)
    }
    return Diagnosed(
      NotifyCommand(
        app: app, channel: channel, program: words[0], arguments: Array(words.dropFirst()),
        location: node.place),
      diagnostics: diagnostics)
  }

  /// Reads a program and its arguments.
  static func readWords(_ node: YAMLNode) -> Diagnosed<[String]?> {
    guard node.kind == .sequence, let first = node.items.first else {
      let rule = "be a list of a program and its arguments, such as [curl, --silent]: no shell runs"
      return Diagnosed(nil, diagnostics: [.wrongType("'command'", must: rule, at: node.place)])
    }
    var diagnostics: [Diagnostic] = []
    let words = node.items.compactMap { item -> String? in
      // A C string ends at a zero byte.
      if let text = item.scalarText, !text.utf8.contains(0) { return text }
      diagnostics.append(
        .wrongType(
          "an item of 'command'", must: "be a text; write '' for an empty one", at: item.place))
      return nil
    }
    if let program = first.scalarText, !isProgram(program) {
      diagnostics.append(
        .wrongType(
          "the program of 'command'",
          must: "be an absolute path, or a name to find in PATH; '~' and variables have no meaning",
          at: first.place))
    }
    return Diagnosed(diagnostics.isEmpty ? words : nil, diagnostics: diagnostics)
  }

  private static func isProgram(_ text: String) -> Bool {
    text.hasBytePrefix("/")
      || !text.isEmpty && !text.utf8.contains(UInt8(ascii: "/")) && !text.hasBytePrefix("~")
  }

  static func name(_ node: YAMLNode) -> String? {
    node.scalarText.flatMap { EntryID.isPart($0) ? $0 : nil }
  }
}
