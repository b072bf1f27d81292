/// The kinds of devices for which content can differ, each below a more general one.
///
/// ```swift
/// let tree = DeviceTree([
///   DeviceTree.Device(name: "tablet", parent: "any"),
///   DeviceTree.Device(name: "ipad", parent: "tablet"),
/// ])
/// let ancestry = tree?.ancestry(of: "ipad")  // ipad, tablet, any
/// ```
public struct DeviceTree: Hashable, Sendable {
  /// The name of the root, `any`, which unknown devices use.
  public static let root = "any"

  /// The devices without the root, in declared order.
  public let declared: [Device]

  /// A declared device.
  public struct Device: Hashable, Sendable {
    /// The name: `a`–`z`, `0`–`9` and `-`.
    public let name: String
    /// The name of the next more general device, or `any`.
    public let parent: String

    /// Creates a device below another.
    public init(name: String, parent: String) {
      (self.name, self.parent) = (name, parent)
    }
  }

  /// Creates a tree that has only the root.
  public init() { declared = [] }

  /// Creates a tree; `nil` if a name occurs twice or is `any`, a parent is not declared, or parents
  /// form a cycle.
  public init?(_ devices: [Device]) {
    let parents = Dictionary(firstOf: devices.map { ($0.name, $0.parent) })
    guard parents.count == devices.count, parents[Self.root] == nil else { return nil }
    // The names from which the parents lead to the root.
    var rooted: Set = [ExactString(Self.root)]
    for device in devices {
      var path: [ExactString] = []
      var name = ExactString(device.name)
      while !rooted.contains(name) {
        guard let parent = parents[name], path.count < devices.count else { return nil }
        path.append(name)
        name = ExactString(parent)
      }
      rooted.formUnion(path)
    }
    declared = devices
  }

  /// The root and the declared devices in order; each has one context for each locale.
  public var names: [String] { [Self.root] + declared.map(\.name) }

  /// Returns a device, its ancestors and `any`; only `any` for an unknown device.
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
