import ContentModel
import Diagnostics
import YAML

extension DeviceTree {
  /// Reads the value of `devices`, which maps names to settings.
  ///
  /// A device with an invalid parent is placed below the root.
  static func read(_ reader: inout RecordReader) -> DeviceTree {
    guard let node = reader.optional("devices") else { return DeviceTree() }
    guard node.kind == .mapping else {
      reader.report(
        .wrongType("'devices'", must: "map a device to its settings, or to {}", at: node.place),
        of: "devices")
      return DeviceTree()
    }
    let names = node.members.map(\.key.text).filter(isName)
    var parents: [(device: Device, place: SourceLocation)] = []
    for (key, value) in node.members {
      let parent = readParent(of: key, value, among: names, from: &reader)
      guard isName(key.text) else {
        let rule = key.text == root ? "not be 'any', the root" : "be of a-z, 0-9 and '-'"
        reader.report(.wrongType("a device's name", must: rule, at: key.place), of: "devices")
        continue
      }
      let device = Device(name: key.text, parent: parent?.text ?? root)
      parents.append((device: device, place: parent?.place ?? key.place))
    }
    return DeviceTree(parents.map(\.device)) ?? flat(parents, reportingTo: &reader)
  }

  private static func isName(_ text: String) -> Bool { EntryID.isPart(text) && text != root }

  /// Returns the node of a known parent; `nil` if there is none or it is invalid.
  private static func readParent(
    of key: YAMLNode, _ value: YAMLNode, among names: [String], from reader: inout RecordReader
  )
    -> YAMLNode?
  {
    guard !value.isNull else { return nil }
    var settings = RecordReader(value, of: "device '\(key.text)'")
    let parent = settings.optional("parent", must: "be a device's name") {
      $0.scalarText == nil ? nil : $0
    }
    reader.report(settings.finish(), of: "devices")
    guard let parent, parent.text != root else { return nil }
    if names.contains(parent.text) { return parent }
    let others = names.filter { $0 != key.text }
    reader.report(
      .unknown(
        "device", named: parent.text, rule: .unknownDevice, known: others, at: parent.location),
      of: "devices")
    return nil
  }

  /// Reports a circle, and returns a tree with all devices below the root.
  private static func flat(
    _ parents: [(device: Device, place: SourceLocation)], reportingTo reader: inout RecordReader
  )
    -> DeviceTree
  {
    let devices = parents.map(\.device)
    let parentNames = Dictionary(firstOf: devices.map { ($0.name, $0.parent) })
    let inCircle = circular(devices, in: parentNames)
    if let last = parents.last(where: { inCircle.contains(ExactString($0.device.name)) }) {
      var path = [last.device.name]
      while let next = parentNames[ExactString(path[path.count - 1])], next != path[0] {
        path.append(next)
      }
      let circle = (path + [path[0]]).joined(separator: " → ")
      reader.report(
        Diagnostic(
          .error, rule: .cyclicDevice, at: last.place,
          message: "the parents of a device must lead to 'any', not round in a circle: \(circle)"
        ), of: "devices")
    }
    return DeviceTree(devices.map { Device(name: $0.name, parent: root) }) ?? DeviceTree()
  }

  /// Returns the names of the devices that are ancestors of themselves.
  private static func circular(
    _ devices: [Device], in parents: [ExactString: String]
  ) -> Set<ExactString> {
    var result: Set<ExactString> = []
    var seen: Set<ExactString> = []
    for device in devices {
      var path: [ExactString] = []
      var name = ExactString(device.name)
      while let parent = parents[name], seen.insert(name).inserted {
        path.append(name)
        name = ExactString(parent)
      }
      // The walk ended at the root, at a device of an earlier walk, or at one of its own.
      if let start = path.firstIndex(of: name) { result.formUnion(path[start...]) }
    }
    return result
  }
}
