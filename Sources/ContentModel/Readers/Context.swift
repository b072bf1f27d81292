/// A declared locale and a device, for which a bundle is compiled.
///
/// A reader's country and app version do not make contexts, but variants of a bundle.
public struct Context: Hashable, Sendable, CustomStringConvertible {
  /// A declared locale.
  public let locale: LocaleTag
  /// A declared device, or `any`.
  public let device: String
  /// The locale's chain, which begins with the locale.
  public let chain: [LocaleTag]
  /// The device, its parents, and `any`.
  public let ancestry: [String]

  /// Creates the context of a locale and a device.
  public init(locale: LocaleTag, device: String, locales: LocaleSet, devices: DeviceTree) {
    (self.locale, self.device) = (locale, device)
    chain = locales.chain(of: locale)
    ancestry = devices.ancestry(of: device)
  }

  /// Returns the contexts of all locales in declared order, for each locale with `any` before the
  /// declared devices.
  public static func all(locales: LocaleSet, devices: DeviceTree) -> [Context] {
    locales.declared.flatMap { locale in
      devices.names.map { Context(locale: locale, device: $0, locales: locales, devices: devices) }
    }
  }

  /// The context in the form `fr-CA/ipad`.
  public var description: String { "\(locale)/\(device)" }
}
