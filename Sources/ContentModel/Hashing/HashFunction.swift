#if canImport(CryptoKit)
  import CryptoKit

  typealias SHA256Context = CryptoKit.SHA256
  typealias MD5Context = CryptoKit.Insecure.MD5
#else
  import CCrypto

  /// The state of a SHA-256 computation.
  typealias SHA256Context = MessageDigest<SHA256Algorithm>

  /// The state of an MD5 computation.
  typealias MD5Context = MessageDigest<MD5Algorithm>

  /// A hash algorithm of libcrypto.
  protocol MessageDigestAlgorithm {
    static var implementation: MessageDigestImplementation { get }
  }

  enum SHA256Algorithm: MessageDigestAlgorithm {
    static let implementation = MessageDigestImplementation("SHA256")
  }

  enum MD5Algorithm: MessageDigestAlgorithm {
    static let implementation = MessageDigestImplementation("MD5")
  }

  /// The implementation of an algorithm in libcrypto, looked up once per process.
  ///
  /// Unchecked, since libcrypto never changes a fetched `EVP_MD`, and threads may share it.
  struct MessageDigestImplementation: @unchecked Sendable {
    let pointer: OpaquePointer

    /// A separate library context, which does not read `openssl.cnf`.
    ///
    /// S3 requires MD5 even on a machine whose configuration forbids it.
    private static let library = LibraryContext()

    init(_ name: String) {
      guard let pointer = EVP_MD_fetch(Self.library.pointer, name, nil) else {
        preconditionFailure("libcrypto has no \(name)")
      }
      self.pointer = pointer
    }

    /// Unchecked, since the context is not changed after its creation.
    private struct LibraryContext: @unchecked Sendable {
      let pointer = OSSL_LIB_CTX_new()
    }
  }

  /// The state of a hash computation in libcrypto.
  ///
  /// A copy shares the state until one of both is changed.
  struct MessageDigest<Algorithm: MessageDigestAlgorithm>: Sendable {
    private var state = State()

    /// Adds the next bytes of the input.
    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
      check(EVP_DigestUpdate(state.context, bytes.baseAddress, bytes.count))
    }

    /// Returns the hash of all bytes so far; more bytes may follow.
    func finalize() -> [UInt8] {
      let copy = State(copying: state)
      let count = Int(EVP_MD_get_size(Algorithm.implementation.pointer))
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        check(EVP_DigestFinal_ex(copy.context, buffer.baseAddress, nil))
        initialized = count
      }
    }

    /// A class, since it owns memory of libcrypto.
    ///
    /// Unchecked, since `update` changes a state only while it has one reference.
    private final class State: @unchecked Sendable {
      let context = EVP_MD_CTX_new()

      init() { check(EVP_DigestInit_ex2(context, Algorithm.implementation.pointer, nil)) }

      init(copying other: State) { check(EVP_MD_CTX_copy_ex(context, other.context)) }

      deinit { EVP_MD_CTX_free(context) }
    }
  }

  /// Stops the process if libcrypto reports a failure: the only possible cause is a lack of memory.
  private func check(_ status: CInt) { precondition(status == 1, "libcrypto has no memory") }
#endif
