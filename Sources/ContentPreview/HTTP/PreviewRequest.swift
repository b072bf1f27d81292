import ContentModel
import Diagnostics
import Dispatch

/// A request, independent of the server that received it.
package struct PreviewRequest: Sendable {
  package var isHead: Bool
  package var target: RequestTarget
  /// Reads the body of a POST request, of at most `limit` bytes; `nil` for other methods.
  package var readBody: ReadBody?
  private let fields: [ExactString: String]

  /// A function that reads a body once.
  package typealias ReadBody =
    @Sendable (_ limit: Int) async throws(RequestError) -> [UInt8]

  /// Creates a request; fields of one name are joined to a list (RFC 9110, section 5.3).
  package init(
    isHead: Bool, target: RequestTarget, fields: [(name: String, value: String)] = [],
    readBody: ReadBody? = nil
  ) {
    (self.isHead, self.target, self.readBody) = (isHead, target, readBody)
    self.fields = Dictionary(
      fields.map { (ExactString($0.name.lowercased()), $0.value) },
      uniquingKeysWith: { "\($0), \($1)" })
  }

  /// The value of a field; `name` is in lower case.
  package subscript(name: String) -> String? { fields[name] }

  /// Returns the values of the query's parameters.
  ///
  /// - Throws: an error for a parameter that is unknown, occurs twice, or is missing.
  func parameters(
    _ optional: [ExactString] = [], required: [ExactString] = []
  ) throws(RequestError) -> PreviewParameters {
    var values: [ExactString: String] = [:]
    for (name, value) in target.query {
      guard optional.contains(name) || required.contains(name) else {
        throw RequestError(.badRequest, message: "unknown parameter '\(name)'")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw RequestError(.badRequest, message: "duplicate parameter '\(name)'")
      }
    }
    if let name = required.first(where: { values[$0] == nil }) {
      throw RequestError(.badRequest, message: "the parameter '\(name)' is missing")
    }
    return PreviewParameters(values: values)
  }
}

/// The parameters of a request's query.
struct PreviewParameters {
  fileprivate let values: [ExactString: String]

  subscript(name: String) -> String? { values[name] }
}

/// A failure to answer a request; the response is `{"error": …}`.
package struct RequestError: Error {
  package let status: PreviewResponse.Status
  package let message: String
  /// The number of seconds after which a client should try again.
  let retryAfter: Int?

  package init(_ status: PreviewResponse.Status, message: String, retryAfter: Int? = nil) {
    (self.status, self.message, self.retryAfter) = (status, message, retryAfter)
  }

  static let notFound = RequestError(.notFound, message: "there is nothing here")

  /// The error for a method that the resource does not have.
  package static let methodNotAllowed = RequestError(
    .methodNotAllowed, message: "only GET and HEAD are answered")

  static let unreadableContent = RequestError(
    .serviceUnavailable, message: "the content cannot be read: 'content.yaml' has mistakes")

  /// Creates an error for an unknown name, with the most similar known one as a suggestion.
  init(
    unknown noun: String, name: String, known: [String],
    status: PreviewResponse.Status = .badRequest
  ) {
    let suggestion = name.nearestPath(among: known).map { "; did you mean '\($0)'?" } ?? ""
    self.init(status, message: "unknown \(noun) '\(name)'\(suggestion)")
  }
}

extension DispatchQueue {
  /// Runs slow work on this queue, so that it does not block the threads of tasks.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws(RequestError) -> Result
  ) async throws(RequestError) -> Result {
    let result = await withCheckedContinuation {
      (done: CheckedContinuation<Swift.Result<Result, RequestError>, Never>) in
      self.async {
        do throws(RequestError) { done.resume(returning: .success(try work())) } catch {
          done.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
