/// What a bundle is compiled for: one declared locale and one device.
///
/// The two other sides of a reader, country and app version, become variants of the bundle.
public struct Context: Hashable, Sendable, CustomStringConvertible {
  /// A declared locale.
  public let locale: LocaleTag
  /// A declared device, or `any`.
  public let device: String
  /// The locale's chain, itself first.
  public let chain: [LocaleTag]
  /// The device, its parents, and `any`.
  public let ancestry: [String]

  /// The context of a locale and a device.
  public init(locale: LocaleTag, device: String, locales: LocaleSet, devices: DeviceTree) {
    (self.locale, self.device) = (locale, device)
    chain = locales.chain(of: locale)
    ancestry = devices.ancestry(of: device)
  }

  /// Every context, locale by locale in declared order, and in each `any` before the declared
  /// devices.
  public static func all(locales: LocaleSet, devices: DeviceTree) -> [Context] {
    locales.declared.flatMap { locale in
      devices.names.map { Context(locale: locale, device: $0, locales: locales, devices: devices) }
    }
  }

  /// As in `fr-CA/ipad`.
  public var description: String { "\(locale)/\(device)" }
}
