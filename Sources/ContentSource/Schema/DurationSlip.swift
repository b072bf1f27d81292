import ContentModel

/// The duration that a person meant by a text, if it can be guessed.
struct DurationSlip {
  /// The text to type, or two texts with "or" between them.
  let replacement: String

  /// The units of durations, as a clause of a message.
  static let units = "the units are w, d, h, m and s, largest first, such as 1h30m"

  private static let names: [(names: [String], seconds: Int)] = [
    (["s", "sec", "secs", "second", "seconds"], 1),
    (["m", "min", "mins", "minute", "minutes"], 60),
    (["h", "hr", "hrs", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
  ]

  init?(_ text: String) {
    guard let words = Self.words(in: text), !words.isEmpty else { return nil }
    if words.count == 1, let minutes = TimeSpan("\(words[0])m"), minutes > .zero {
      replacement = "\(words[0])m or \(words[0])s"
      return
    }
    guard words.count.isMultiple(of: 2) else { return nil }
    var total = 0
    var used: [Int] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      let (number, name) = (words[index], words[index + 1])
      guard let count = Double(number),
        let unit = Self.names.first(where: { $0.names.contains(name) })?.seconds,
        !used.contains(unit)
      else { return nil }
      let seconds = count * Double(unit)
      guard seconds == seconds.rounded(), seconds <= Double(Int32.max) else { return nil }
      total += Int(seconds)
      used.append(unit)
    }
    guard let span = TimeSpan(seconds: total), span > .zero else { return nil }
    replacement = span.description
  }

  /// Returns `true` for a duration of the right form that `TimeSpan` cannot hold.
  static func isTooLong(_ text: String) -> Bool {
    guard text.first?.isNumber == true, TimeSpan(text) == nil else { return false }
    // The form is right if the text can be read with small numbers in place of its numbers.
    let small = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNumber)
      .filter { !$0.isEmpty }.map { "1\($0)" }.joined()
    return TimeSpan(small) != nil
  }

  /// Returns the numbers and words of a text in lower case; `nil` if it has other characters.
  private static func words(in text: String) -> [String]? {
    var words: [String] = []
    var endsInNumber: Bool?
    for scalar in text.lowercased().unicodeScalars {
      guard !scalar.properties.isWhitespace, !scalar.properties.isDefaultIgnorableCodePoint else {
        endsInNumber = nil
        continue
      }
      let isOfNumber = ("0"..."9").contains(scalar) || scalar == "."
      guard isOfNumber || ("a"..."z").contains(scalar) else { return nil }
      if endsInNumber == isOfNumber, let last = words.popLast() {
        words.append("\(last)\(scalar)")
      } else {
        words.append(String(scalar))
      }
      endsInNumber = isOfNumber
    }
    return words
  }
}
