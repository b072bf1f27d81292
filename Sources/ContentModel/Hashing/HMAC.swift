#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Message authentication with SHA-256 (HMAC, RFC 2104).
package enum HMAC {
  /// The number of bytes of a code.
  package static let byteCount = 32

  /// Returns the 32 bytes of the code of a message for a secret key of any length.
  package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(
        CryptoKit.HMAC<CryptoKit.SHA256>.authenticationCode(
          for: message, using: SymmetricKey(data: key)))
    #else
      [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        let code = CCrypto.HMAC(
          SHA256Algorithm.implementation.pointer, key, CInt(key.count), message, message.count,
          buffer.baseAddress, nil)
        precondition(code != nil, "libcrypto has no memory")
        initialized = byteCount
      }
    #endif
  }

  /// Returns `true` if a code is the code of a message.
  ///
  /// The duration of the comparison does not depend on the code, so that it reveals nothing about
  /// the valid code.
  package static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
    let own = self.code(for: message, key: key)
    guard code.count == own.count else { return false }
    return zip(code, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
