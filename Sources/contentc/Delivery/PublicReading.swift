import ContentDelivery
import ContentModel
import Diagnostics
import HTTPTransport
import PropertyLists

/// What readers get at a channel's public URL.
struct PublicReading {
  let url: String

  /// Reads config back; says what is to be said if it is not the release that was published just now.
  ///
  /// Caches may have an older one for as long as the bound says, so that this is no failure.
  func warning(after release: Int) -> Diagnostic? {
    var limits = HTTPLimits()
    (limits.requestMilliseconds, limits.silentSeconds, limits.answerBytes) = (10_000, 5, 1 << 20)
    let client = HTTPClient(limits: limits, certificates: Environment.value(of: "SSL_CERT_FILE"))
    let request = HTTPRequest(.get, url, headers: [("Cache-Control", "no-cache")])
    let answer: HTTPAnswer
    do {
      answer = try client.send(request)
    } catch {
      return said("cannot be asked: \(error)")
    }
    guard answer.status == 200 else { return said("answers with status \(answer.status)") }
    guard let seen = try? PropertyList.decode(answer.body).value["release"]?.number else {
      return said("answers with something else than config")
    }
    return seen >= release ? nil : said("still answers with release \(seen)")
  }

  private func said(_ what: String) -> Diagnostic {
    Diagnostic(
      .warning, "public-url", at: nil, "\(url) \(what)",
      notes: [Diagnostic.Note("the release is live at its target; 'contentc status' tells the staleness bound")])
  }
}
