import ContentModel
import SiteFormat

/// The server side of a channel: requests for config and objects.
struct Site: Sendable {
  let url: String
  let channel: String
  let transport: any ContentTransport
  /// The app's own headers.
  let headers: [(name: String, value: String)]

  /// Requests config.
  ///
  /// With `asksOrigin`, caches ask the origin.
  func config(ending: String, entityTag: String?, asksOrigin: Bool)
    async throws(TransportFailure) -> ContentResponse
  {
    var request = ContentRequest(url: "\(url)/\(channel)/config.\(ending)")
    request.entityTag = entityTag
    request.asksOrigin = asksOrigin
    request.maximumBytes = LimitedPart.Kind.config.limit
    return try await send(request) { _ in }
  }

  /// Requests an object of at most `size` bytes.
  func object(
    _ object: SiteObject, size: Int, allowsConstrained: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(TransportFailure) -> ContentResponse {
    var request = ContentRequest(url: "\(url)/\(object.path)")
    request.maximumBytes = size
    request.allowsConstrained = allowsConstrained
    return try await send(request, progress: progress)
  }

  /// The end of a request for an object.
  struct Received: Sendable {
    var item: Requirements.Item
    var result: Result<Requirements.Arrived, ContentError>
    /// The status of an answer that does not contain the object.
    var status: Int?
    /// The header `Retry-After` of an error.
    var retryAfter: String?
    /// The error of the request; `nil` if the object arrived.
    var error: ContentError? { if case .failure(let error) = result { error } else { nil } }
    /// The reason why the client could not use the recipe of the object; `nil` if it could, or if there
    /// is no recipe.
    var recipeFault: ContentError?
  }

  /// Requests the recipe of an object, or else the object, and checks its size and hash.
  ///
  /// If the site refuses the recipe, or the recipe makes other bytes, requests the object.
  func received(
    _ item: Requirements.Item, isUrgent: Bool, progress: RefreshProgress
  ) async -> Received {
    guard let recipe = item.recipe else {
      return await answered(item, for: item, isUrgent: isUrgent, progress: progress)
    }
    let made = await answered(
      Requirements.Item(object: recipe.object, size: recipe.size, isExact: true), for: item,
      isUrgent: isUrgent, progress: progress)
    guard case .failure(let fault) = made.result else { return made }
    // If the server is out of reach or asks to wait, the recipe may still be good.
    guard fault.kind == .refused || made.status != nil, made.retryAfter == nil else { return made }
    var whole = made
    // The next request would fail, too, if the server is overloaded.
    if fault.kind == .refused || made.status.map(Self.isFinal) ?? false {
      whole = await answered(item, for: item, isUrgent: isUrgent, progress: progress)
    }
    whole.recipeFault = fault
    return whole
  }

  /// Returns `true` for a status that concerns this request only: other requests can succeed now.
  private static func isFinal(_ status: Int) -> Bool {
    (400..<500).contains(status) && status != 429
  }

  /// Makes an object by a recipe, and checks its hash.
  private static func object(
    _ item: Requirements.Item, madeBy recipe: [UInt8]
  ) throws(ContentError) -> Requirements.Arrived {
    let name = "object \(item.object.digest)"
    let bytes: [UInt8]
    do throws(Recipe.Damage) { bytes = try Recipe(recipe, size: item.size).made() } catch {
      throw ContentError(.refused, because: "\(name) cannot be made: \(error.reason)")
    }
    guard bytes.count == item.size, item.object.isHeld(by: bytes) else {
      throw ContentError(.refused, because: "the recipe of \(name) makes other bytes")
    }
    return Requirements.Arrived(item: item, bytes: bytes, receivedCount: recipe.count)
  }

  /// Requests an object, or its recipe as `file`, and checks sizes and hashes.
  ///
  /// Progress counts the bytes of the object. After half of the recipe, it has half of them.
  private func answered(
    _ file: Requirements.Item, for item: Requirements.Item, isUrgent: Bool,
    progress: RefreshProgress
  ) async -> Received {
    let counted = Locked((received: 0, reported: 0))
    let answer: ContentResponse
    do throws(TransportFailure) {
      answer = try await object(file.object, size: file.size, allowsConstrained: isUrgent) {
        count in
        // Limits are no sizes: progress counts bytes of known totals.
        guard file.isExact else { return }
        progress.receive(
          counted.withLock { counted in
            counted.received += count
            let reported = counted.reported
            // An error page may have more bytes than the file.
            counted.reported =
              counted.received >= file.size
              ? item.size : item.size * counted.received / file.size
            return counted.reported - reported
          })
      }
    } catch {
      progress.receive(-counted.current.reported)
      return Received(item: item, result: .failure(ContentError(unanswered: error)))
    }
    do throws(ContentError) {
      let arrived = try Self.checked(answer, as: file)
      return Received(
        item: item,
        result: .success(
          file == item ? arrived : try Self.object(item, madeBy: arrived.bytes)))
    } catch {
      progress.receive(-counted.current.reported)
      return Received(
        item: item, result: .failure(error), status: answer.status,
        retryAfter: answer.header("Retry-After"))
    }
  }

  private static func checked(
    _ answer: ContentResponse, as item: Requirements.Item
  ) throws(ContentError) -> Requirements.Arrived {
    let name = "object \(item.object.digest)"
    switch answer.status {
    case 200: break
    case Redirection.refused:
      throw ContentError(.refused, because: "\(name) is redirected elsewhere")
    case 403, 404, 410:
      throw ContentError(.missing, because: "\(name) answers \(answer.status)")
    default:
      throw ContentError(
        .server(status: answer.status), because: "\(name) answers \(answer.status)")
    }
    guard !item.isExact || answer.body.count == item.size, item.object.isHeld(by: answer.body)
    else { throw ContentError(.refused, because: "\(name) has other bytes") }
    return Requirements.Arrived(
      item: item, bytes: answer.body, receivedCount: answer.body.count)
  }

  private func send(_ first: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    var request = first
    request.headers = headers
    for _ in 0...Redirection.limit {
      let answer = try await transport.send(request, progress: progress)
      guard Redirection.isOne(answer.status) else { return answer }
      let location = answer.header("Location") ?? ""
      guard let next = Redirection.address(of: location, from: url) else { break }
      request.url = next
    }
    return ContentResponse(status: Redirection.refused)
  }
}
