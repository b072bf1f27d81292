import SystemC

extension Terminal {
  /// Asks the person at the terminal to confirm something; `nil` if nobody can answer, because standard
  /// input or standard error is no terminal.
  ///
  /// Any answer but `y` and `yes` is a refusal, and so is the end of the input.
  package static func confirms(_ question: String) throws(Failure) -> Bool? {
    guard isatty(STDIN_FILENO) == 1, error.isInteractive else { return nil }
    try error.write("\(question) [y/N] ")
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 256 {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    let answer = String(decoding: line, as: UTF8.self).lowercased()
    return ["y", "yes"].contains(answer)
  }
}
