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
    case .scalar(let type): return try type.convert(node, of: field)
    case .any: return try AnyType.convert(node, of: field)
    case .catalog: return .value(.string(node.text))
    case .markdown(let rules):
      let (text, problems) = MarkdownText.parse(node.text, options: rules.options)
      return .markdown(text, problems: problems)
    case .object, .list, .map, .plural: throw node.misfit(field, must: field.kind.type.rule)
    }
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
      throw node.misfit(
        field, must: "be at least \(field.kind.written(minimum))", rule: .outOfRange)
    }
    if let maximum = field.limits.maximum, number > maximum {
      throw node.misfit(
        field, must: "be at most \(field.kind.written(maximum))", rule: .outOfRange)
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

extension Field.Kind {
  /// Returns a limit of numbers as an author writes it.
  fileprivate func written(_ limit: Double) -> String {
    if case .scalar(let type) = self { type.written(limit) } else { limit.short }
  }
}

extension YAMLNode {
  /// Returns the error for a scalar that breaks a rule of its field, as a clause after "must".
  func misfit(
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
