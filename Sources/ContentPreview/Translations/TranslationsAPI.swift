import ContentModel
import Diagnostics
import Dispatch
import Translations

/// The resources below `/api/translations`.
struct TranslationsAPI: Sendable {
  private let translations: PreviewTranslations?
  private let policy = ChangePolicy()
  private let queue = DispatchQueue(label: "contentc.translations")

  init(_ translations: PreviewTranslations?) { self.translations = translations }

  /// The kinds of requests that change content.
  private enum Change {
    case importing, saving

    init?(_ names: [String]) {
      switch names {
      case ["import"]: self = .importing
      case []: self = .saving
      default: return nil
      }
    }

    var mediaType: String {
      switch self {
      case .importing: "application/octet-stream"
      case .saving: "application/json"
      }
    }

    /// The most bytes of a body.
    var limit: Int {
      switch self {
      case .importing: 64 << 20
      case .saving: 1 << 20
      }
    }
  }

  /// Returns the response to a request for the resource `names` below `/api/translations`.
  func response(
    to request: PreviewRequest, names: [String], host: String, localAddress: String?
  ) async throws(RequestError) -> PreviewResponse {
    let isLocal = HostPolicy.isLocal(host: host, localAddress: localAddress)
    guard let readBody = request.readBody else {
      return try await queue.run { () throws(RequestError) -> PreviewResponse in
        switch names {
        case []: try list(request, isLocal: isLocal)
        case ["export"]: try export(request)
        default: throw .notFound
        }
      }
    }
    guard let change = Change(names) else { throw .methodNotAllowed }
    guard let save = translations?.save else {
      throw RequestError(
        .forbidden, message: "saving is off; start 'contentc preview --edit' to turn it on")
    }
    try policy.check(
      request, host: host, localAddress: localAddress, mediaType: change.mediaType)
    let parameters = try request.parameters(
      change == .saving ? [] : ["name", "dryRun", "equalAs"])
    let body = try await readBody(change.limit)
    return try await queue.run { () throws(RequestError) -> PreviewResponse in
      switch change {
      case .saving: .json(save(try PreviewTranslations.Edit(json: body)).value)
      case .importing: try importFile(body, parameters: parameters)
      }
    }
  }

  /// Returns the locales and, with the parameter `locale`, its units.
  ///
  /// Pages of this machine that may change content get the token for that.
  private func list(
    _ request: PreviewRequest, isLocal: Bool
  ) throws(RequestError) -> PreviewResponse {
    let parameters = try request.parameters(["locale"])
    guard let translations else { return .json(["targets": [], "isEditable": false]) }
    let name = parameters["locale"]
    let list = try self.list(name.flatMap { LocaleTag($0) })
    var members: Members = [
      "source": .string(list.source.identifier),
      "targets": .strings(list.targets.map(\.identifier)),
      "isEditable": .boolean(translations.save != nil && isLocal),
      "isLocked": .boolean(list.isLocked),
      "formats": .array(TranslationFormat.allCases.map(\.value)),
    ]
    if translations.save != nil, isLocal { members["token"] = .string(policy.token) }
    if let name {
      members["locale"] = .string(try Self.target(name, of: list).identifier)
      members["units"] = .array(list.units.map(\.value))
    }
    return .json(.dictionary(members))
  }

  private func export(_ request: PreviewRequest) throws(RequestError) -> PreviewResponse {
    let parameters = try request.parameters(["missing"], required: ["locale", "to"])
    guard let translations else { throw .notFound }
    let locale = try Self.target(parameters["locale"] ?? "", of: try list())
    let wanted = parameters["to"] ?? ""
    guard let format = TranslationFormat(named: wanted) else {
      throw RequestError(
        unknown: "format", name: wanted, known: TranslationFormat.allCases.map(\.name))
    }
    let onlyOpen = try parameters.flag("missing")
    let file = translations.export(format, locale, onlyOpen)
    guard let bytes = file.output else {
      let message = file.diagnostics.first?.message ?? "the texts cannot be exported"
      return .json(
        [
          "error": .string(message),
          "diagnostics": DiagnosticsJSON(file.diagnostics) { _ in nil }.value,
        ], status: .unprocessableContent)
    }
    let name = "\(locale.identifier).\(format.name)"
    return PreviewResponse(
      .ok,
      fields: [
        ("content-type", format.mediaType), ("cache-control", "no-store"),
        ("content-disposition", "attachment; filename=\"\(name)\""),
      ], body: .bytes(bytes))
  }

  private func importFile(
    _ bytes: [UInt8], parameters: PreviewParameters
  ) throws(RequestError) -> PreviewResponse {
    let name = parameters["name"] ?? ""
    let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x5C }
    guard isPlain, (1...255).contains(name.utf8.count) else {
      throw RequestError(.badRequest, message: "'name' must be the name of a file")
    }
    let isDryRun = try parameters.flag("dryRun")
    let meaning = parameters["equalAs"]
    let equalAs = meaning.flatMap { EqualMeaning(rawValue: $0) }
    guard equalAs != nil || meaning == nil else {
      let known = EqualMeaning.allCases.map(\.rawValue).joined(separator: " or ")
      throw RequestError(.badRequest, message: "'equalAs' must be \(known)")
    }
    guard let translations else { throw .notFound }
    let file = PreviewTranslations.ImportedFile(name: name, bytes: bytes, equalAs: equalAs)
    return .json(translations.importFile(file, isDryRun).value)
  }

  private func list(_ locale: LocaleTag? = nil) throws(RequestError) -> PreviewTranslations.List {
    guard let list = translations?.list(locale) else { throw .unreadableContent }
    return list
  }

  private static func target(
    _ name: String, of list: PreviewTranslations.List
  ) throws(RequestError) -> LocaleTag {
    guard let locale = LocaleTag(name), list.targets.contains(locale) else {
      throw RequestError(
        unknown: "locale", name: name, known: list.targets.map(\.identifier))
    }
    return locale
  }
}

extension PreviewParameters {
  /// Returns `true` for the value `1`, and `false` without the parameter.
  fileprivate func flag(_ name: String) throws(RequestError) -> Bool {
    guard let value = self[name] else { return false }
    guard value == "1" else {
      throw RequestError(.badRequest, message: "'\(name)' must be 1 or missing")
    }
    return true
  }
}
