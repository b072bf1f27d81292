import ContentModel
import ContentSource
import Synchronization

/// Answers that take their time, each computed once for a build, one after the other.
///
/// A class, since all who ask share them.
final class KeptAnswers: Sendable {
  private let content: PreviewContent
  private let answers: KeptObjects

  /// The most bytes that are kept.
  static let memory = 64 << 20

  init(_ content: PreviewContent, memory: Int = memory) {
    (self.content, answers) = (content, KeptObjects(limit: memory))
  }

  /// The answer to a question under a name, which depends on nothing but the content; called by one
  /// thread.
  func answer(
    _ name: String, _ question: Question,
    compute: (_ content: ReadContent) throws(Refusal) -> Members
  ) throws(Refusal) -> Answer {
    let read = try content.read()
    let query = question.target.query.map { "\($0.name)=\($0.value)" }.sorted().joined(
      separator: "&")
    let key = "\(read.generation) \(read.isShown) \(name)?\(query)"
    if let bytes = answers[key] { return .json(bytes) }
    let bytes = Answer.bytes(.dictionary(read.marked(try compute(read))))
    answers.keep(bytes, as: key)
    return .json(bytes)
  }

  /// Forgets them: the content is another.
  func forget() { answers.removeAll() }
}
