/// What a server said to one request, or why it said nothing.
enum Answer: Sendable {
  case answered(status: Int, bytes: [UInt8])
  case failed(Failure)

  struct Failure: Sendable {
    /// A few words, in which no address stands.
    let reason: String
    /// Whether asking again would only cost time.
    let isFinal: Bool
  }
}
