import ContentClient

/// Everything that the app waits for: one loop takes the events one by one.
enum AppEvent: Sendable {
  /// A line of input.
  case line(String)
  case endOfInput
  /// The shown content changed.
  case update(ContentUpdate)
  /// The client did something.
  case client(ContentEvent)
  /// A part of the content arrived.
  case progress(RefreshTask.Progress)
  /// A refresh that the screen waits for has ended.
  case refreshed(RefreshOutcome)
  /// A bundle arrived, or did not.
  case loaded(BundleName, ContentError?)
  /// The file of a picture arrived, or did not.
  case picture(Result<String, ContentError>)
}
