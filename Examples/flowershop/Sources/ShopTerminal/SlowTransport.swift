import ContentClient

/// A slower network than that of this machine, so that a person can see content arrive.
struct SlowTransport: ContentTransport {
  private let system = SystemTransport()
  /// The most bytes that an answer delivers in a second.
  let rate: Int

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    let answer = try await system.send(request) { _ in }
    var rest = answer.body.count
    while rest > 0 {
      let part = min(rest, max(1, rate / 20))
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
      progress(part)
      rest -= part
    }
    return answer
  }
}
