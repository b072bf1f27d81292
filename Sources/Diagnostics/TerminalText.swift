/// Text that may be sent to a terminal: our own words and styles, and foreign text without anything
/// that could drive the terminal, hide text or turn its direction.
///
/// Interpolated strings are foreign and are escaped; literals and other values of this type are
/// kept as they are. Styles are added after escaping, so that only our own code can style.
package struct TerminalText: Sendable, Equatable {
  /// The text with its styles.
  package private(set) var string: String

  /// One line of foreign text.
  package init(line: String) { string = line.harmless }

  /// Foreign text of several lines; line feeds are kept.
  package init(page: String) { string = page.harmlessPage }

  private init(trusted: String) { string = trusted }

  /// The text in a style of the terminal, by the number that selects it (ECMA-48, SGR).
  func styled(_ code: String) -> TerminalText {
    string.isEmpty ? self : TerminalText(trusted: "\u{1B}[\(code)m\(string)\u{1B}[0m")
  }

  /// The text in white on black, whatever colours the terminal has.
  package var whiteOnBlack: TerminalText { styled("97;40") }

  /// Returns to the start of the line and erases it.
  package static var erasedLine: TerminalText { TerminalText(trusted: "\r\u{1B}[K") }

  package static func + (first: TerminalText, second: TerminalText) -> TerminalText {
    TerminalText(trusted: first.string + second.string)
  }

  package static func += (first: inout TerminalText, second: TerminalText) {
    first.string += second.string
  }
}

extension TerminalText: ExpressibleByStringInterpolation {
  package init(stringLiteral: String) { string = stringLiteral }

  package init(stringInterpolation: Interpolation) { string = stringInterpolation.string }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var string = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      string.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { string += literal }

    package mutating func appendInterpolation(_ text: TerminalText) { string += text.string }

    package mutating func appendInterpolation(_ foreign: some StringProtocol) {
      string += String(foreign).harmless
    }

    package mutating func appendInterpolation(_ number: Int) { string += String(number) }
  }
}

extension [TerminalText] {
  /// The texts one after the other.
  func joined(separator: TerminalText = "") -> TerminalText {
    var joined: TerminalText = ""
    for (index, text) in enumerated() { joined += index == 0 ? text : separator + text }
    return joined
  }
}

extension String {
  /// The text in one line, without what could drive a terminal.
  package var harmless: String {
    unicodeScalars.allSatisfy { $0.isHarmless }
      ? self : String(String.UnicodeScalarView(unicodeScalars.map { $0.shown }))
  }

  /// The same with its line feeds.
  fileprivate var harmlessPage: String {
    unicodeScalars.allSatisfy { $0.isHarmless || $0 == "\n" }
      ? self : String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" ? $0 : $0.shown }))
  }

  /// JSON with every such character escaped in its way; the value is the same, since they occur in
  /// strings only.
  package var harmlessJSON: String {
    guard !unicodeScalars.allSatisfy({ $0.isHarmless || $0 == "\n" }) else { return self }
    var harmless = ""
    for scalar in unicodeScalars {
      if scalar.isHarmless || scalar == "\n" || scalar == "\t" {
        harmless.unicodeScalars.append(scalar)
      } else {
        harmless += JSONText.escaped(scalar)
      }
    }
    return harmless
  }
}
