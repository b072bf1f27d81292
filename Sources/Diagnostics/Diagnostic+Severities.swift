extension Diagnostic {
  /// A mistake that stops the build.
  package static func error(
    _ id: String, at location: SourceLocation?, _ message: String, notes: [Note] = [],
    fixIt: FixIt? = nil
  ) -> Diagnostic {
    Diagnostic(.error, id, at: location, message, notes: notes, fixIt: fixIt)
  }

  /// Something doubtful that does not stop the build.
  package static func warning(
    _ id: String, at location: SourceLocation?, _ message: String, notes: [Note] = [],
    fixIt: FixIt? = nil
  ) -> Diagnostic {
    Diagnostic(.warning, id, at: location, message, notes: notes, fixIt: fixIt)
  }
}
