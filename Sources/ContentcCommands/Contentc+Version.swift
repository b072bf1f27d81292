import CDeflate
import CExpat
import CMark
import CYAML
import CZlib
import ContentModel
import ContentPreview
import ContentSource
import HTTPTransport

#if os(Linux)
  import CCrypto
#endif

extension Contentc {
  /// The version in the first line, those of the C libraries in further lines, and the release of
  /// the time zone database in the last one.
  ///
  /// A report of a problem names these libraries: their versions are those of the machine that built
  /// the program, and the system updates libcrypto, libcurl and libqrencode by itself.
  static var versionLines: String {
    let zones = "tzdata \(TimeZoneDatabase.current.release)"
    return
      ([ContentcVersion.current] + libraries.map { "\($0.name) \($0.version)" } + [zones])
      .joined(separator: "\n") + "\n"
  }

  private static var libraries: [(name: String, version: String)] {
    var libraries: [(String, String?)] = [
      ("libyaml", String(cString: yaml_get_version_string())),
      ("libexpat", String(cString: XML_ExpatVersion()).split(separator: "_").last.map(String.init)),
      ("cmark-gfm", String(cString: cmark_version_string())),
      ("zlib", String(cString: zlibVersion())), ("libdeflate", LIBDEFLATE_VERSION_STRING),
      ("libcurl", HTTPClient.curlVersion),
    ]
    #if os(Linux)
      let crypto = [OPENSSL_version_major(), OPENSSL_version_minor(), OPENSSL_version_patch()]
      libraries += [
        ("libcrypto", crypto.map(String.init).joined(separator: ".")),
        ("libqrencode", QRCode.libraryVersion),
      ]
    #endif
    return libraries.map { ($0, $1 ?? "is missing") }
  }
}
