#if os(Linux)
  import CQRencode
#endif

/// A QR code in byte mode with error correction level M (ISO/IEC 18004), encoded by libqrencode.
///
/// The first code loads libqrencode. On a machine without that library, there are no codes.
package struct QRCode: Sendable {
  /// The number of modules on a side.
  package let size: Int
  private let dark: [Bool]

  /// The most bytes that a code holds.
  static let mostBytes = 2_331

  /// Encodes a text in the smallest version that holds it.
  ///
  /// The result is `nil` for an empty text, above ``mostBytes``, without libqrencode, and on systems
  /// other than Linux.
  package init?(_ text: String) {
    #if os(Linux)
      let bytes = Array(text.utf8)
      guard let library = QRLibrary.loaded?.functions,
        let code = library.encode(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
      else {
        return nil
      }
      defer { library.free(code) }
      size = Int(code.pointee.width)
      // The lowest bit of a module is its colour.
      dark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    #else
      return nil
    #endif
  }

  /// The rows from top to bottom, with 1 for a dark module and 0 for a light one.
  var rows: [String] {
    (0..<size).map { y in (0..<size).map { isDark(x: $0, y: y) ? "1" : "0" }.joined() }
  }

  /// The code for a terminal with a dark background: block characters draw the light modules and the
  /// quiet zone, with two modules in each character.
  package var text: String {
    let quiet = 4
    return stride(from: -quiet, to: size + quiet, by: 2).map { y in
      (-quiet..<size + quiet).map { x in
        switch (isDark(x: x, y: y), isDark(x: x, y: y + 1)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined() + "\n"
    }.joined()
  }

  /// Returns `true` for a dark module; modules outside the code are light.
  private func isDark(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
  }
}

extension QRCode {
  /// The version of libqrencode; `nil` without the library, which this property loads.
  package static var libraryVersion: String? {
    #if os(Linux)
      QRLibrary.loaded?.functions.version().map { String(cString: $0) }
    #else
      nil
    #endif
  }
}

#if os(Linux)
  /// libqrencode's functions.
  ///
  /// Unchecked, since the compiler does not know that threads can share addresses of C functions.
  private struct QRLibrary: @unchecked Sendable {
    let functions: cqrencode_functions

    /// `nil` if there is no libqrencode.
    static let loaded: QRLibrary? = {
      var functions = cqrencode_functions()
      return cqrencode_load(&functions) ? QRLibrary(functions: functions) : nil
    }()
  }
#endif
