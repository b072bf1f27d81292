/// A language tag (BCP 47, restricted by UTS #35): a language, and optionally a script, a region
/// and variants.
///
/// ```swift
/// let tag = LocaleTag("ZH_hant_hk")
/// let identifier = tag?.identifier  // zh-Hant-HK
/// let parent = tag?.parent?.identifier  // zh-Hant
/// ```
///
/// The case of letters is normalized. Aliases are not replaced; see ``canonical``.
public struct LocaleTag: Sendable {
  /// The whole tag, such as `zh-Hant-HK`.
  public let identifier: String
  /// The language: two or three lower-case letters.
  public let language: String
  /// The script: four letters, the first in upper case.
  public let script: String?
  /// The region: two upper-case letters or three digits.
  public let region: String?
  /// The variants in lower case, in order.
  public let variants: [String]

  /// Creates a tag from a text with `-` or `_` between subtags; `nil` for other texts.
  ///
  /// `und`, `root`, empty subtags, repeated variants, extensions (`-u-…`) and texts of more than 35
  /// characters are not valid.
  public init?(_ text: String) {
    guard text.utf8.count <= 35, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let subtags = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let tag = LocaleTag(subtags: subtags) else { return nil }
    self = tag
  }

  /// Creates a tag from a reader's request, like ``init(_:)``, without its extensions.
  public init?(requested text: String) {
    guard text.utf8.count <= 255, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let subtags = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    let plain = subtags.prefix { $0.utf8.count != 1 }
    let extensions = subtags.dropFirst(plain.count)
    guard
      extensions.allSatisfy({
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isAlphanumeric)
      }),
      extensions.count != 1
    else { return nil }
    self.init(plain.joined(separator: "-"))
  }

  init(language: String, script: String? = nil, region: String? = nil, variants: [String] = []) {
    self.language = language
    self.script = script
    self.region = region
    self.variants = variants
    var identifier = language
    if let script { identifier += "-" + script }
    if let region { identifier += "-" + region }
    for variant in variants { identifier += "-" + variant }
    self.identifier = identifier
  }

  private init?(subtags: [Substring]) {
    var rest = subtags[...]
    guard let language = rest.popFirst(), language.isLanguage else { return nil }
    let script = rest.first?.isScript == true ? rest.popFirst() : nil
    let region = rest.first?.isRegion == true ? rest.popFirst() : nil
    let variants = rest.map { $0.lowercased() }
    guard rest.allSatisfy(\.isVariant), Set(names: variants).count == variants.count else {
      return nil
    }
    guard language.lowercased() != "und" else { return nil }
    self.init(
      language: language.lowercased(),
      script: script.map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() },
      region: region.map { $0.uppercased() },
      variants: variants)
  }
}

extension LocaleTag: Hashable, Comparable, CustomStringConvertible {
  /// Compares the identifiers.
  public static func == (a: LocaleTag, b: LocaleTag) -> Bool { a.identifier == b.identifier }
  /// Compares the identifiers by code point.
  public static func < (a: LocaleTag, b: LocaleTag) -> Bool {
    a.identifier.precedesInBytes(b.identifier)
  }
  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
  /// The whole tag.
  public var description: String { identifier }
}

extension Substring {
  fileprivate var isLanguage: Bool { (2...3).contains(utf8.count) && utf8.allSatisfy(\.isLetter) }
  fileprivate var isScript: Bool { utf8.count == 4 && utf8.allSatisfy(\.isLetter) }
  fileprivate var isRegion: Bool {
    utf8.count == 2 && utf8.allSatisfy(\.isLetter) || utf8.count == 3 && utf8.allSatisfy(\.isDigit)
  }
  fileprivate var isVariant: Bool {
    guard let first = utf8.first, utf8.allSatisfy(\.isAlphanumeric) else { return false }
    return (5...8).contains(utf8.count) || utf8.count == 4 && first.isDigit
  }
}
