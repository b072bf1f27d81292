package import ContentModel
package import Diagnostics
package import Markdown
package import YAML

/// The value of a scalar, by its field's type.
package enum Scalar: Sendable {
  case value(Value)
  /// The id of an entry.
  case link(EntryID)
  /// A URL with a scheme.
  case address(String)
  /// A path below `assets/`.
  case asset(String)
  /// A text with its parts, some of which can break a rule.
  case markdown(MarkdownText, problems: [MarkdownProblem])
}

/// The error of a scalar that does not fit its field.
package struct Misfit: Error, Sendable {
  package var diagnostic: Diagnostic
}

/// The check of scalars against their field's type and limits.
package enum FieldCheck {
  /// Converts a scalar to its field's type, and checks its limits.
  ///
  /// - Throws: the rule that it breaks, also for a scalar in place of a collection. The caller
  ///   handles null and collections.
  package static func convert(_ node: YAMLNode, as field: Field) throws(Misfit) -> Scalar {
    let scalar = try convertType(node, as: field)
    switch scalar {
    case .value(let value): try checkLimits(value, of: field, at: node)
    case .address(let text): try checkTextLimits(text, of: field, at: node)
    case .markdown(let text, _): try checkTextLimits(text.plain, of: field, at: node)
    case .link, .asset: break
    }
    return scalar
  }

  private static func convertType(_ node: YAMLNode, as field: Field) throws(Misfit) -> Scalar {
    switch field.kind {
    case .string, .text, .catalog: return .value(.string(node.text))
    case .any: return .value(try plainValue(node, of: field))
    case .integer: return .value(.integer(try integer(node, of: field)))
    case .number:
      let number = try number(node, of: field)
      return .value(.real(field.limits.isAngle ? Coordinate.rounded(number, decimals: 6) : number))
    case .boolean: return .value(.boolean(try boolean(node, of: field)))
    case .date: return .value(.date(try date(node, of: field)))
    case .data: return .value(.data(try data(node, of: field)))
    case .url: return try url(node, of: field)
    case .color: return .value(.string(try color(node, of: field)))
    case .choice(let values): return .value(.string(try choice(node, of: field, among: values)))
    case .asset: return .asset(node.text)
    case .markdown(let rules):
      let (text, problems) = MarkdownText.parse(node.text, options: rules.options)
      return .markdown(text, problems: problems)
    case .reference:
      guard let id = EntryID(node.text) else {
        throw node.misfit(field, must: "be an entry's id such as product/country-charm")
      }
      return .link(id)
    case .object, .map, .plural: throw node.misfit(field, must: field.kind.mappingRule)
    case .list: throw node.misfit(field, must: "be a list")
    }
  }

  /// Returns a scalar of an `any` field by the core schema.
  private static func plainValue(_ node: YAMLNode, of field: Field) throws(Misfit) -> Value {
    switch node.scalar {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .integerOutOfRange:
      throw node.misfit(
        field, must: "lie between -2^63 and 2^63 - 1; quotes make it a text", rule: .outOfRange)
    case .number(let number):
      guard number.isFinite else {
        throw node.misfit(field, must: "be finite; quotes make it a text", rule: .outOfRange)
      }
      return .real(number)
    case .binary(let bytes): return .data(bytes)
    case .null, .text: return .string(node.text)
    }
  }

  private static func integer(_ node: YAMLNode, of field: Field) throws(Misfit) -> Int64 {
    switch node.scalar {
    case .integer(let number): return number
    case .integerOutOfRange:
      throw node.misfit(field, must: "lie between -2^63 and 2^63 - 1", rule: .outOfRange)
    default: throw node.noNumber(field, isInteger: true, isQuoted: Int64(node.text) != nil)
    }
  }

  private static func number(_ node: YAMLNode, of field: Field) throws(Misfit) -> Double {
    if case .number(let number) = node.scalar, !number.isFinite {
      throw node.misfit(field, must: "be finite", rule: .outOfRange)
    }
    guard let number = node.double else {
      if case .integerOutOfRange = node.scalar { throw node.tooLarge(field) }
      throw node.noNumber(field, isInteger: false, isQuoted: Double(node.text) != nil)
    }
    return number
  }

  private static func boolean(_ node: YAMLNode, of field: Field) throws(Misfit) -> Bool {
    if let flag = node.flag { return flag }
    let fix = node.meantFlag
    let isQuoted = fix.map { !node.isPlain && node.text.lowercased() == $0 } ?? false
    throw node.misfit(
      field,
      must: "be true or false" + (isQuoted ? " without quotes" : "")
        + (fix.map { "; write \($0)" } ?? ""),
      fix: fix)
  }

  private static func date(_ node: YAMLNode, of field: Field) throws(Misfit) -> Instant {
    do { return try InstantSyntax.parse(node.text) } catch {
      throw Misfit(diagnostic: error.diagnostic(for: "'\(field.name)'", at: node))
    }
  }

  private static func data(_ node: YAMLNode, of field: Field) throws(Misfit) -> [UInt8] {
    if case .binary(let bytes) = node.scalar { return bytes }
    guard let bytes = node.withTextBytes(Base64.decode(canonical:)) else {
      throw node.misfit(field, must: "be base64 (RFC 4648)")
    }
    return bytes
  }

  private static func url(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    if let id = EntryID(node.text) { return .link(id) }
    guard hasScheme(node.text), !node.text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      let address = node.text.hasPrefix("www.") ? "https://" + node.text : nil
      let fix = address.flatMap { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } ? nil : $0 }
      throw node.misfit(
        field,
        must: "be an entry's id, or a URL with a scheme such as https: and no spaces"
          + (fix.map { "; write \($0)" } ?? ""), fix: fix)
    }
    return .address(node.text)
  }

  /// Returns `true` for a scheme as in RFC 3986, 3.1, with text after it.
  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.utf8.count + 1 < text.utf8.count
    else {
      return false
    }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  private static func color(_ node: YAMLNode, of field: Field) throws(Misfit) -> String {
    let digits = node.text.dropFirst()
    guard node.text.hasPrefix("#"), [3, 4, 6, 8].contains(digits.utf8.count),
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else {
      let isHexadecimal =
        [3, 4, 6, 8].contains(node.text.utf8.count)
        && node.text.allSatisfy { $0.isASCII && $0.isHexDigit }
      let fix = isHexadecimal ? "\"#\(node.text)\"" : nil
      throw node.misfit(
        field,
        must: "be #RGB, #RGBA, #RRGGBB or #RRGGBBAA, in quotes"
          + (fix.map { "; write \($0)" } ?? ""), fix: fix)
    }
    return node.text
  }

  private static func choice(_ node: YAMLNode, of field: Field, among values: [String])
    throws(Misfit)
    -> String
  {
    if values.contains(where: { $0.hasSameBytes(as: node.text) }) { return node.text }
    let nearest = node.text.nearest(among: values)
    throw node.misfit(
      field,
      must: "be one of \(values.joined(separator: ", "))"
        + (nearest.map { "; did you mean '\($0)'?" } ?? ""),
      fix: nearest, rule: .notAChoice)
  }

  private static func checkLimits(_ value: Value, of field: Field, at node: YAMLNode) throws(Misfit)
  {
    switch value {
    case .integer(let number): try checkRange(Double(number), of: field, at: node)
    case .real(let number): try checkRange(number, of: field, at: node)
    case .string(let text): try checkTextLimits(text, of: field, at: node)
    default: break
    }
  }

  private static func checkRange(_ number: Double, of field: Field, at node: YAMLNode)
    throws(Misfit)
  {
    if let minimum = field.limits.minimum, number < minimum {
      throw node.misfit(field, must: "be at least \(minimum.short)", rule: .outOfRange)
    }
    if let maximum = field.limits.maximum, number > maximum {
      throw node.misfit(field, must: "be at most \(maximum.short)", rule: .outOfRange)
    }
  }

  private static func checkTextLimits(_ text: String, of field: Field, at node: YAMLNode)
    throws(Misfit)
  {
    let limits = field.limits
    if limits.minimumLength != nil || limits.maximumLength != nil {
      let length = text.unicodeScalars.count
      if let least = limits.minimumLength, length < least {
        throw node.misfit(
          field, must: "have at least \(least) characters; it has \(length)", rule: .outOfRange)
      }
      if let most = limits.maximumLength, length > most {
        throw node.misfit(
          field, must: "have at most \(most) characters; it has \(length)", rule: .outOfRange)
      }
    }
    if let pattern = limits.pattern, !pattern.matchesWhole(text) {
      throw node.misfit(field, must: "match the pattern \(pattern.text)", rule: .pattern)
    }
  }
}

extension YAMLNode {
  /// Returns the error for an integer that does not fit 64 bits in a field that takes fractions.
  fileprivate func tooLarge(_ field: Field) -> Misfit {
    // A number with a point may be larger; a hexadecimal one has no point.
    let fix = Double(text)?.isFinite == true && !text.contains("x") ? "\(text).0" : nil
    return misfit(
      field,
      must: "lie between -2^63 and 2^63 - 1, unless it has a point"
        + (fix.map { "; write \($0)" } ?? ""),
      fix: fix, rule: .outOfRange)
  }

  /// Returns the error for a text in place of a number.
  fileprivate func noNumber(_ field: Field, isInteger: Bool, isQuoted: Bool) -> Misfit {
    let rule = isInteger ? "be an integer" : "be a number"
    if isQuoted { return misfit(field, must: "\(rule) without quotes; write \(text)", fix: text) }
    guard let slip = NumberSlip(text, isInteger: isInteger) else {
      let plain = text.withoutInvisible
      if let invisible = text.firstInvisible,
        isInteger ? Int64(plain) != nil : Double(plain) != nil
      {
        let cause = "without \(invisible.codeName), which is invisible"
        return misfit(field, must: "\(rule) \(cause); write \(plain)", fix: plain)
      }
      // Only the author knows the meaning of ambiguous digits, so the message has an example
      // instead.
      let example =
        text.utf8.contains { $0.isDigit }
        ? ", such as 1300" + (isInteger ? "" : " or 1.30") : ""
      return misfit(field, must: rule + example)
    }
    return misfit(
      field, must: "\(rule) \(slip.cause); write \(slip.replacement)", fix: slip.replacement)
  }

  fileprivate func misfit(
    _ field: Field, must requirement: String, fix: String? = nil, rule: Rule = .wrongType
  ) -> Misfit {
    let fixIt = fix.flatMap { text in location.range.map { Diagnostic.FixIt($0, replacement: text) }
    }
    let notes =
      field.location.map { [Diagnostic.Note("'\(field.name)' is declared here", at: $0)] } ?? []
    return Misfit(
      diagnostic: Diagnostic(
        .error, rule: rule, at: location, message: "'\(field.name)' must \(requirement)",
        notes: notes,
        fixIt: fixIt))
  }
}

extension Double {
  /// The number without `.0` if it is whole.
  fileprivate var short: String {
    self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
  }
}
