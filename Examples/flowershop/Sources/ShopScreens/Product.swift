import ContentClient
import Foundation

/// A product with the fields that lists show, and the id of its entry.
///
/// A field that content may leave out is optional here: an entry that does not decode is left out.
struct Product: Decodable, Identifiable, Sendable {
  /// A badge, such as “New”; the client removes those outside their dates.
  struct Badge: Decodable, Sendable {
    let label: String?
  }

  let id: EntryID
  let title: String
  let subtitle: String?
  let image: AssetValue?
  let accent: String?
  let price: Double
  let currency: String
  let prices: [String: Double]?
  let available: Bool
  let badges: [Badge]?

  /// The price for a reader, as the reader's language writes it.
  func price(for reader: ReaderContext, in locale: String?) -> String {
    let wanted = reader.country.flatMap { Self.currencies[$0] }
    let own = wanted.flatMap { code in prices?[code].map { (amount: $0, code: code) } }
    let (amount, code) = own ?? (amount: price, code: currency)
    let text = amount.formatted(
      .currency(code: code).locale(Locale(identifier: locale ?? "en")).presentation(.narrow))
    // Marks of direction are for other screens than terminals.
    return String(text.unicodeScalars.filter { $0.properties.generalCategory != .format })
  }

  /// The currencies for which the shop has prices, by country.
  private static let currencies = ["DE": "EUR", "FR": "EUR", "GB": "GBP", "JP": "JPY"]
}
