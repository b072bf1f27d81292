import ContentModel
import System
import SystemC

extension TimeZoneDatabase {
  /// Returns the name of a machine's time zone; `root` is the folder that contains `etc`.
  ///
  /// That is the zone that the variable `TZ` names, or else the target of the link
  /// `/etc/localtime`, or else the text of `/etc/timezone`. Names that the database does not have
  /// are skipped. If all are, the zone is UTC.
  ///
  /// The value of `TZ` is a name such as `Europe/Paris` or the path of a zone's file, perhaps after
  /// a colon. The rules that POSIX allows there are skipped.
  func zoneOfMachine(variable: String?, root: String = "") -> String {
    if let variable, let name = zoneName(ofVariable: variable) { return name }
    if let name = zoneName(ofFile: "\(root)/etc/localtime") { return name }
    let bytes = Disk.contents("\(root)/etc/timezone", limit: 4_096) ?? []
    let line = String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    return known(line) ?? "UTC"
  }

  private func zoneName(ofVariable value: String) -> String? {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    return name.hasPrefix("/") ? zoneName(ofFile: name) : known(name)
  }

  /// Returns the name of the zone that a file contains, from its path or the path that it links to.
  private func zoneName(ofFile path: String) -> String? {
    // The administrator chose the name in the link's own target. At the end of a chain of links, the
    // file may have another name of the same zone.
    zoneName(inPath: path) ?? linkTarget(path).flatMap(zoneName(inPath:))
      ?? resolved(path).flatMap(zoneName(inPath:))
  }

  /// Returns the name of the zone in a path: what follows the folder `zoneinfo`.
  private func zoneName(inPath path: String) -> String? {
    let names = path.split(separator: "/")
    guard let folder = names.lastIndex(of: "zoneinfo") else { return nil }
    let rest = names[(folder + 1)...]
    // These folders have the same zones, without and with leap seconds.
    let isCopy = rest.first == "posix" || rest.first == "right"
    return known(rest.dropFirst(isCopy ? 1 : 0).joined(separator: "/"))
  }

  private func known(_ name: String) -> String? { zone(named: name)?.name }

  private func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
