/// Which content codings a client takes (RFC 9110, section 12.5.3).
struct AcceptedEncodings {
  private var weights: [(name: String, weight: Double)] = []

  /// Reads the field `Accept-Encoding`; without it nothing but the plain form is sent.
  init(_ field: String?) {
    for part in (field ?? "").split(separator: ",") {
      let words = part.split(separator: ";").map {
        $0.filter { $0 != " " && $0 != "\t" }.lowercased()
      }
      guard let name = words.first, !name.isEmpty else { continue }
      let quality = words.dropFirst().first { $0.hasPrefix("q=") }
      weights.append((name, quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1))
    }
  }

  /// Whether the compressed form is welcome, and not less so than the plain one.
  var prefersGzip: Bool {
    guard let gzip = weight(of: ["gzip", "x-gzip"]) ?? weight(of: ["*"]), gzip > 0 else {
      return false
    }
    return gzip >= weight(of: ["identity"]) ?? 0
  }

  private func weight(of names: [String]) -> Double? {
    weights.first { names.contains($0.name) }?.weight
  }
}
