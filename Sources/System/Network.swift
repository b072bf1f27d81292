import SystemC

/// The addresses and names of this machine on the network.
package enum Network {
  /// The IPv4 addresses, except those of the loopback interface.
  package static var addresses: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var addresses: [String] = []
    var next = list
    while let interface = next {
      next = interface.pointee.ifa_next
      guard let address = interface.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET
      else { continue }
      let number = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr
      let text = Self.text(of: number)
      if let text, !text.hasPrefix("127."), !addresses.contains(text) { addresses.append(text) }
    }
    return addresses
  }

  /// The host names in lower case.
  package static var names: [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let name = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    ).lowercased()
    guard !name.isEmpty else { return [] }
    let short = name.split(separator: ".").first.map(String.init) ?? name
    return [name, short, "\(short).local"]
  }

  private static func text(of address: in_addr) -> String? {
    var address = address
    var buffer = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
