/// What a cache was good for in one build.
package struct CacheSummary: Hashable, Sendable {
  /// Contents and records that came from the cache.
  package var fetched = 0
  /// Bytes of these.
  package var fetchedBytes = 0
  /// Contents and records that were not there.
  package var missing = 0
  /// Answers that were not what had been asked for, and were dropped.
  package var wrong = 0
  /// Contents and records that were written.
  package var stored = 0
  /// Contents and records that were to be written, and were not.
  package var unsent = 0
  /// Whether the server lets this build read only.
  package var isReadOnly = false
  /// Why the cache was given up, in one sentence without a full stop; `nil` if it was not.
  package var warning: String?

  package init() {}
}
