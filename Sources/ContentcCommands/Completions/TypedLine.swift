import ContentModel
import System

/// The words of a command line that a user has not finished, as the shell passes them.
///
/// bash and zsh pass quotes and backslashes as they were typed, and bash splits words at `=`.
struct TypedLine {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The content folder that the command would use; `nil` if the shell would have to expand it.
  var content: String? {
    let options = words.prefix { $0 != "--" }
    guard let index = options.lastIndex(where: { $0 == Self.option || $0.hasBytePrefix(named) })
    else { return ProjectLocation.found.content }
    if words[index].hasBytePrefix(named) {
      return Self.unquoted(String(words[index].dropFirst(named.count)))
    }
    let next = words.dropFirst(index + 1)
    let value = next.first == "=" ? next.dropFirst().first : next.first
    return value.flatMap(Self.unquoted)
  }

  private static let option = "--content"
  private var named: String { Self.option + "=" }

  /// Returns the beginning of a value that is being typed: the word at an index, or what follows `=`
  /// in an option.
  func value(at index: Int) -> String {
    guard words.indices.contains(index) else { return "" }
    let word = words[index]
    guard word.hasBytePrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    return String(word[word.index(after: equals)...])
  }

  /// Returns a word without quotes and backslashes; `nil` for an empty word, and for one in which the
  /// shell would insert something.
  private static func unquoted(_ word: String) -> String? {
    var result = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        result.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote != "'", character == "$" || character == "`" {
        return nil
      } else {
        result.append(character)
      }
    }
    if word.hasBytePrefix("~/"), let home = Environment.value(of: "HOME") {
      result = home + result.dropFirst()
    }
    return result.isEmpty ? nil : result
  }
}
