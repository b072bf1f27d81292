import ContentModel
package import SiteFormat
import System

/// A program that signs, such as one that asks a key management service.
///
/// The program gets the bytes to sign on standard input, and the role and the key's id in
/// `CONTENTC_ROLE` and `CONTENTC_KEY`. The program writes the 64 bytes of the signature, or their
/// base64, to standard output.
struct CommandSigner: Sendable {
  /// The program and its arguments.
  let words: [String]
  /// The variables that the program does not get: the secret keys of other signers.
  var withheld: [String] = []
  var seconds = 30.0

  /// The reason for which a program gives no signature.
  enum Failure: Error, Hashable, CustomStringConvertible {
    case missing
    case failed(String)
    case tooMuch
    case wrongLength(Int)

    var description: String {
      switch self {
      case .missing: "there is no such program"
      case .failed(let reason): reason
      case .tooMuch: "it writes more than \(CommandSigner.mostBytes) bytes"
      case .wrongLength(let count):
        "it writes \(count) bytes, not the 64 of a signature or their base64"
      }
    }
  }

  /// The most bytes of output.
  private static let mostBytes = 1_024

  /// Returns the 64 bytes that the program writes, which may be no valid signature.
  func signature(
    of message: [UInt8], by key: KeyID, as role: KeyDocument.Role
  ) throws(Failure) -> [UInt8] {
    let environment = ProgramEnvironment(
      omitting: withheld,
      adding: ["CONTENTC_ROLE=\(role.rawValue)", "CONTENTC_KEY=\(key)"])
    guard let path = words.first.flatMap({ environment.path(of: $0) }) else { throw .missing }
    var limits = LimitedProcess.Limits()
    limits.seconds = seconds
    // One byte more shows that the output is too long.
    limits.outputBytes = Self.mostBytes + 1
    let outcome = LimitedProcess(
      path: path, words: words, environment: environment, limits: limits
    ).run(input: message)
    if let problem = outcome.problem(limits: limits) {
      // The program's output may be a secret, such as a key that the program read.
      let last = outcome.lastLinesOfErrors.last.map { ": \($0)" } ?? ""
      throw .failed("it \(problem)\(last)")
    }
    guard outcome.output.count <= Self.mostBytes else { throw .tooMuch }
    guard let bytes = KeySignature.bytes(in: outcome.output) else {
      throw .wrongLength(outcome.output.count)
    }
    return bytes
  }
}

extension KeySignature {
  /// Returns the 64 bytes of a signature from another program's output.
  ///
  /// The output may also be the base64 of the bytes. Returns `nil` for any other output.
  package static func bytes(in output: [UInt8]) -> [UInt8]? {
    if output.count == PublicKey.signatureByteCount { return output }
    let bytes = Base64.decode(String(decoding: output, as: UTF8.self))
    return bytes?.count == PublicKey.signatureByteCount ? bytes : nil
  }
}
