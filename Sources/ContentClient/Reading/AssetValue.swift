public import ContentModel
import PropertyLists
import SiteFormat

/// A picture, a sound or another file that an entry names, in up to three scales.
///
/// ```swift
/// if let picture = product.asset("picture"), let width = picture.width { layOut(width) }
/// ```
public struct AssetValue: Hashable, Sendable {
  /// A file of the asset.
  struct Scale: Hashable, Sendable {
    var object: SiteObject
    var size: Int
  }

  /// The media type, such as `image/png`.
  public let type: String
  /// The pixels from left to right at scale 1; `nil` if the type has none.
  public let width: Int?
  /// The pixels from top to bottom at scale 1; `nil` if the type has none.
  public let height: Int?
  /// The existing scales, sorted.
  ///
  /// ```swift
  /// let best = picture.scales.last
  /// ```
  public var scales: [Int] { files.map(\.scale) }

  private let files: [(scale: Int, file: Scale)]

  /// Reads the value of a field of type `asset`; `nil` for another value, and for a file whose path
  /// is not that of an object.
  public init?(_ value: Value) {
    guard let type = value["type"]?.text, let scales = value["scales"]?.members else { return nil }
    self.type = type
    func pixels(_ key: String) -> Int? {
      value[key]?.number.flatMap { LimitedNumber.pixels.contains($0) ? $0 : nil }
    }
    (width, height) = (pixels("width"), pixels("height"))
    files = scales.compactMap { key, value -> (scale: Int, file: Scale)? in
      guard let scale = Int(key), let size = value["size"]?.number,
        (0...Limits.assetBytes).contains(size), let digest = value["object"]?.digest,
        let object = value["path"]?.text.flatMap({ SiteObject(path: $0) }), object.digest == digest
      else { return nil }
      return (scale, Scale(object: object, size: size))
    }.sorted { $0.scale < $1.scale }
    if files.isEmpty { return nil }
  }

  /// Returns the file of a scale: that one, else the next larger one, else the largest.
  func file(scale: Int) -> Scale? {
    (files.first { $0.scale >= scale } ?? files.last)?.file
  }

  /// Compares types and files.
  public static func == (a: AssetValue, b: AssetValue) -> Bool {
    a.type.hasSameBytes(as: b.type) && a.files.elementsEqual(b.files) { $0 == $1 }
  }

  /// Hashes the files.
  public func hash(into hasher: inout Hasher) {
    for file in files { hasher.combine(file.file) }
  }
}

extension AssetValue: Decodable {
  /// Decodes the value of a field of type `asset`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for another value.
  public init(from decoder: any Decoder) throws {
    guard let asset = AssetValue(try Value(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "The value is no asset."))
    }
    self = asset
  }
}
