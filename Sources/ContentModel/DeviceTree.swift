/// The kinds of device that content may differ for, each below a more general one; the root is
/// `any`.
public struct DeviceTree: Hashable, Sendable {
  /// The root: what an unknown device gets.
  public static let root = "any"

  /// Every device but the root, in declared order, with its parent.
  public let declared: [Device]

  /// A declared device.
  public struct Device: Hashable, Sendable {
    /// Its name, `[a-z0-9-]+`.
    public let name: String
    /// The device one step more general; `any` at the top.
    public let parent: String

    /// A device below another.
    public init(name: String, parent: String) {
      (self.name, self.parent) = (name, parent)
    }
  }

  /// The root alone.
  public init() { declared = [] }

  /// A tree; `nil` if a name stands twice, a parent is not declared, or parents go round in a
  /// circle.
  public init?(_ devices: [Device]) {
    let parents = Dictionary(firstOf: devices.map { ($0.name, $0.parent) })
    guard parents.count == devices.count, parents[Self.root] == nil else { return nil }
    for device in devices {
      var steps = 0
      var name = device.name
      while name != Self.root {
        guard let parent = parents[name], steps < devices.count else { return nil }
        (name, steps) = (parent, steps + 1)
      }
    }
    declared = devices
  }

  /// The root and every declared device, in declared order: one context each.
  public var names: [String] { [Self.root] + declared.map(\.name) }

  /// A device, its parent and so on up to `any`; an unknown device is `any`.
  public func ancestry(of name: String) -> [String] {
    var path: [String] = []
    var current = name
    while current != Self.root, let device = declared.first(where: { $0.name == current }) {
      path.append(current)
      current = device.parent
    }
    return path + [Self.root]
  }
}
