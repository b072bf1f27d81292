/// A request as the preview's answers look at it.
package struct PreviewRequest: Sendable {
  package var isHead: Bool
  package var target: RequestTarget
  /// Fields by lower-case name; several of one name in one list, as RFC 9110, section 5.3, joins
  /// them.
  package var fields: [String: String]

  package init(isHead: Bool, target: RequestTarget, fields: [String: String]) {
    (self.isHead, self.target, self.fields) = (isHead, target, fields)
  }

  /// The value of a field; `nil` where there is none.
  package subscript(name: String) -> String? { fields[name] }

  /// The values of a query's parameters.
  ///
  /// - Throws: an answer for one that is not known, stands twice, or is missing.
  func parameters(_ known: [String], required: [String] = []) throws(RequestError) -> [String:
    String]
  {
    var values: [String: String] = [:]
    for (name, value) in target.query {
      guard known.contains(name) || required.contains(name) else {
        throw RequestError(.badRequest, "unknown parameter '\(name)'")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw RequestError(.badRequest, "the parameter '\(name)' stands twice")
      }
    }
    if let name = required.first(where: { values[$0] == nil }) {
      throw RequestError(.badRequest, "the parameter '\(name)' is missing")
    }
    return values
  }
}

/// Why there is no answer, as programs read it: `{"error": …}`.
package struct RequestError: Error {
  package let status: PreviewResponse.Status
  package let message: String
  /// In how many seconds it is worth asking again; `nil` where it is not known.
  let retryAfter: Int?

  package init(_ status: PreviewResponse.Status, _ message: String, retryAfter: Int? = nil) {
    (self.status, self.message, self.retryAfter) = (status, message, retryAfter)
  }
}
