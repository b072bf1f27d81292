package import ContentModel

/// The fact that a file has a `format` above those that this program reads.
///
/// A program that guesses at such a file could show or publish something else than its author meant.
package struct NewerFormat: Error, Hashable, Sendable {
  /// The number in the file.
  package let format: Int
  /// The highest number that this program reads in such a file.
  package let known: Int

  /// Creates the fact from the member `format` of a file; `nil` for every other value than a higher
  /// number.
  package init?(_ value: Value?, above known: Int) {
    guard let format = value?.number, format > known else { return nil }
    self.init(format, above: known)
  }

  package init(_ format: Int, above known: Int) { (self.format, self.known) = (format, known) }

  /// Returns the fact about a file, or a part of a file, as a sentence without its full stop.
  package func sentence(about file: String) -> String {
    "\(file) was written by a newer contentc (format \(format)), and this program reads formats up to "
      + "\(known): update the program"
  }
}
