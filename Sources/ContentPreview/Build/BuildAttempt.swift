package import ContentModel
package import Diagnostics

/// How one build of the content went.
package enum BuildAttempt: Sendable {
  /// It was compiled: what a program is told of it, and what was found, errors among it where
  /// nothing was written.
  case finished(
    facts: Members, diagnostics: [Diagnostic], source: @Sendable (_ path: String) -> [UInt8]?)
  /// Somebody else is building into the same folder.
  case busy
  /// Files could not be read or written.
  case failed(Diagnostic)
}
