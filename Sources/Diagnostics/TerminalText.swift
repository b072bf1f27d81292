import PropertyLists

/// Text that is safe to send to a terminal: literals, styles, and escaped foreign text.
///
/// Escaping replaces characters that could control the terminal, hide text or change its
/// direction. Interpolated strings are foreign and are escaped; literals and other values of this
/// type are kept. Styles are added after escaping, so foreign text cannot contain a style.
package struct TerminalText: Sendable, Equatable {
  /// The text with its styles.
  package private(set) var string: String

  /// Creates one line of foreign text.
  package init(line: String) { string = line.harmless }

  /// Creates several lines of foreign text; line feeds and tabs are kept.
  package init(page: String) { string = page.harmlessPage }

  private init(trusted: String) { string = trusted }

  /// Returns the text in the style of an SGR parameter (ECMA-48, section 8.3.117).
  func styled(_ code: String) -> TerminalText {
    string.isEmpty ? self : TerminalText(trusted: "\u{1B}[\(code)m\(string)\u{1B}[0m")
  }

  /// The text in white on black, in every colour scheme.
  package var whiteOnBlack: TerminalText { styled("97;40") }

  /// The control sequence that moves to the start of the line and erases it.
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
  /// Returns the texts, joined.
  func joined(separator: TerminalText = "") -> TerminalText {
    var joined: TerminalText = ""
    for (index, text) in enumerated() { joined += index == 0 ? text : separator + text }
    return joined
  }
}

extension String {
  /// The text in one line, without characters that could control a terminal.
  package var harmless: String {
    unicodeScalars.allSatisfy { $0.isHarmless }
      ? self : String(String.UnicodeScalarView(unicodeScalars.map { $0.shown }))
  }

  /// The text with its line feeds and tabs, without other characters that could control a terminal.
  fileprivate var harmlessPage: String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }
    return unicodeScalars.allSatisfy { $0.isHarmless || isKept($0) }
      ? self : String(String.UnicodeScalarView(unicodeScalars.map { isKept($0) ? $0 : $0.shown }))
  }

  /// JSON text with every such character escaped as `\uXXXX`.
  ///
  /// The value stays the same, because the characters occur in JSON strings only.
  package var harmlessJSON: String {
    guard !unicodeScalars.allSatisfy({ $0.isHarmless || $0 == "\n" }) else { return self }
    var harmless = ""
    for scalar in unicodeScalars {
      if scalar.isHarmless || scalar == "\n" || scalar == "\t" {
        harmless.unicodeScalars.append(scalar)
      } else {
        harmless += scalar.jsonEscape
      }
    }
    return harmless
  }
}
