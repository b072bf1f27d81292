/// The place of a number in a project's files, with its extremes and the commands that read it.
struct HostilePlace {
  var extremes: Int
  var commands: [String]
  /// Returns the new bytes of the files that an extreme changes, by path.
  var change: (_ extreme: Int) -> (changes: [String: [UInt8]], mutation: String)

  /// The number of cases: each extreme with each command.
  var caseCount: Int { extremes * commands.count }
}

extension HostilePlace {
  /// Returns the places of the numbers in a YAML file.
  static func numbers(
    inFile path: String, _ text: String, readBy commands: [String]
  ) -> [HostilePlace] {
    text.split(whereSeparator: { " \n{}[],".contains($0) }).filter {
      $0.contains(where: \.isNumber) && !$0.hasSuffix(":")
    }.map { word in
      // A time span keeps its unit.
      let unit = word.first?.isNumber ?? false ? word.reversed().prefix(while: \.isLetter) : []
      let extremes = scalars.map { $0.last?.isNumber ?? false ? $0 + String(unit.reversed()) : $0 }
      return HostilePlace(extremes: extremes.count, commands: commands) { extreme in
        let new = text[..<word.startIndex] + extremes[extreme] + text[word.endIndex...]
        return ([path: Array(new.utf8)], "\(path): '\(word)' = '\(extremes[extreme].prefix(60))'")
      }
    }
  }

  private static let scalars = [
    "9223372036854775807", "9223372036854775806", "-9223372036854775808", "18446744073709551616",
    "9007199254740993", "4294967296", "-1", "0", "0.5", "1e400", String(repeating: "9", count: 400),
    "0x7fffffffffffffff", ".inf", "-.inf", ".nan", "9999-12-31T23:59:59Z", "\"\"", "",
  ]
}
