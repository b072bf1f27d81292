package import ContentModel

/// A release in steps: which readers get the next content while the others keep the stable one.
///
/// The rule is that of Mozilla's Nimbus: a unit gets the next content if its number is below a limit.
/// docs/reference/output.md has the format.
package struct Rollout: Hashable, Sendable {
  /// The name, 1 to 64 characters of `a-z`, `0-9` and `-`.
  ///
  /// Rollouts of different names have independent groups.
  package var name: String
  /// The readers with a lower number get the next content: 0 is nobody, and ``everyone`` all that
  /// have a unit.
  package var below: Int
  /// The release that the next content was published as, for display.
  package var release: Int
  /// The numbers of readers who get the next content whatever `below` is; at most ``mostTesters``.
  package var testers: Set<Int> = []

  /// The limit that is above every reader's number.
  package static let everyone = 1 << 48
  package static let mostTesters = 100
  /// The ``release`` of a rollout that begins, before its number is known.
  package static let beginning = 0
  /// The keys of `next` about the rollout; the others replace those of the stable side.
  package static let keys = ["name", "below", "release", "testers", "without"]
  /// The keys that both sides share.
  package static let sharedKeys = [
    "app", "channel", "format", "issued", "next", "purge", "record", "release",
  ]

  package init(name: String, below: Int, release: Int, testers: Set<Int> = []) {
    (self.name, self.below, self.release, self.testers) = (name, below, release, testers)
  }

  /// Reads the `next` of a config; `nil` if it is malformed, which counts as none.
  package init?(_ next: Value?) {
    guard let next = next?.members, let name = next["name"]?.text, Self.isName(name),
      let below = next["below"]?.number, 0...Self.everyone ~= below,
      let release = next["release"]?.number, SiteConfig.releases.contains(release)
    else { return nil }
    (self.name, self.below, self.release) = (name, below, release)
    if let listed = next["testers"] {
      guard let items = listed.items, items.count <= Self.mostTesters else { return nil }
      testers = Set(items.compactMap(\.number).filter { 0..<Self.everyone ~= $0 })
      guard testers.count == items.count else { return nil }
    }
    guard next["without"].map({ $0.items?.allSatisfy { $0.text != nil } ?? false }) ?? true,
      next["indexes"].map({ $0.members?.allSatisfy { $0.value.members != nil } ?? false }) ?? true
    else { return nil }
  }

  /// Returns whether the reader with a unit gets the next content.
  package func includes(_ unit: String) -> Bool {
    let number = Self.number(of: unit, in: name)
    return number < below || testers.contains(number)
  }

  /// Returns the number of a unit in the rollout of a name, below ``everyone``.
  ///
  /// The number is in the first 6 bytes of the SHA-256 of `["<unit>","<name>"]`.
  package static func number(of unit: String, in name: String) -> Int {
    Digest(of: Array("[\"\(unit)\",\"\(name)\"]".utf8)).bytes.prefix(6).reduce(0) {
      $0 << 8 | Int($1)
    }
  }

  /// The share of the readers with a unit that gets the next content, such as `12.5 %`, rounded down
  /// to four decimals.
  package var percent: String {
    // A millionth of 2^48 is 2^42 / 15,625: products stay below 2^63.
    let millionths = (below * 15_625) >> 42
    var decimals = "\(10_000 + millionths % 10_000)".dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return "\(millionths / 10_000)\(decimals.isEmpty ? "" : ".")\(decimals) %"
  }

  /// Returns the limit for a percentage from 0 to 100 with up to four decimals, such as `12.5` or
  /// `12.5%`; `nil` for another text.
  package static func limit(percent text: String) -> Int? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, (1...3).contains(parts[0].utf8.count),
      parts.count == 1 || (1...4).contains(parts[1].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }), let whole = Int(parts[0]),
      let decimals = Int((parts.count == 1 ? "" : parts[1]).padded(to: 4)),
      whole * 10_000 + decimals <= 1_000_000
    else { return nil }
    // Rounded up, so that `percent` has the same digits.
    return (((whole * 10_000 + decimals) << 42) + 15_624) / 15_625
  }

  /// Returns a sentence without its end about who gets the next content.
  package func sentence(in channel: String) -> String {
    "release \(release) reaches \(percent) of the readers of '\(channel)' (rollout '\(name)')"
  }

  /// Returns whether a text can name a rollout.
  package static func isName(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isLowerCaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Returns whether a text can be a unit: 1 to 64 characters of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`.
  package static func isUnit(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { byte in
        (byte | 0x20).isLowerCaseLetter || byte.isDigit || "._-".utf8.contains(byte)
      }
  }
}

extension String {
  /// Returns the text with zeros at the end, up to a length.
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: "0", count: max(0, length - utf8.count))
  }
}

extension UInt8 {
  fileprivate var isLowerCaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension Members {
  /// The rollout of a config; `nil` if it has none.
  package var rollout: Rollout? { Rollout(self["next"]) }

  /// The config that only readers outside a rollout get.
  package var stableSide: Members {
    var side = self
    side["next"] = nil
    return side
  }

  /// The config that readers in a rollout get; `nil` without one.
  package var nextSide: Members? {
    guard rollout != nil, let next = self["next"]?.members else { return nil }
    var side = stableSide
    for key in (next["without"]?.items ?? []).compactMap(\.text)
    where !Rollout.sharedKeys.contains(key) {
      side[key] = nil
    }
    for (key, value) in next where !(Rollout.keys + Rollout.sharedKeys).contains(key) {
      side[key] = value
    }
    side["indexes"] = .dictionary(
      Self.indexes(next["indexes"], over: self["indexes"], in: side))
    return side
  }

  /// Returns the indexes of the next side: its own, and those of the stable side for its other locales
  /// and devices.
  private static func indexes(_ own: Value?, over stable: Value?, in side: Members) -> Members {
    var indexes = own?.members ?? Members()
    for (locale, devices) in stable?.members ?? Members()
    where side["locales"]?[locale] != nil {
      var merged = indexes[locale]?.members ?? Members()
      for (device, hash) in devices.members ?? Members()
      where merged[device] == nil && (device == "any" || side["devices"]?[device] != nil) {
        merged[device] = hash
      }
      indexes[locale] = .dictionary(merged)
    }
    return indexes
  }

  /// Returns the config of a rollout whose readers get `next` instead of this config.
  package func rollingOut(_ next: Members, as rollout: Rollout) -> Members {
    let isOwn = { (key: String) in !Rollout.sharedKeys.contains(key) }
    var members: Members = [
      "name": .string(rollout.name), "below": .integer(Int64(rollout.below)),
      "release": .integer(Int64(rollout.release)),
    ]
    if !rollout.testers.isEmpty {
      members["testers"] = .array(rollout.testers.sorted().map { .integer(Int64($0)) })
    }
    let without = map(\.key).filter { isOwn($0) && next[$0] == nil }
    if !without.isEmpty { members["without"] = .array(without.map(Value.string)) }
    for (key, value) in next where isOwn(key) && self[key] != value {
      members[key] = key == "indexes" ? differences(in: value) : value
    }
    var both = stableSide
    both["next"] = .dictionary(members)
    return both
  }

  /// Returns the indexes of a locale and device that differ from those of this config.
  private func differences(in indexes: Value) -> Value {
    .dictionary(
      Members(
        (indexes.members ?? Members()).compactMap { locale, devices in
          let own = (devices.members ?? Members()).filter {
            self["indexes"]?[locale]?[$0.key] != $0.value
          }
          return own.isEmpty ? nil : (locale, .dictionary(Members(own.map { ($0.key, $0.value) })))
        }))
  }
}
