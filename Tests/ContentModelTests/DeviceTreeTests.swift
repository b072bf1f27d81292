import ContentModel
import Testing

@Suite struct DeviceTreeTests {
  private static func tree(_ devices: KeyValuePairs<String, String>) -> DeviceTree? {
    DeviceTree(devices.map { DeviceTree.Device(name: $0.key, parent: $0.value) })
  }

  @Test func returnsTheAncestryOfADevice() throws {
    let tree = try #require(
      Self.tree(["mini": "ipad", "phone": "any", "tablet": "any", "ipad": "tablet"]))
    #expect(tree.ancestry(of: "mini") == ["mini", "ipad", "tablet", "any"])
    #expect(tree.ancestry(of: "phone") == ["phone", "any"])
    #expect(tree.names == ["any", "mini", "phone", "tablet", "ipad"])
  }

  @Test(arguments: ["watch", "any", "", "Phone"])
  func returnsTheRootForAnUnknownDevice(name: String) throws {
    #expect(try #require(Self.tree(["phone": "any"])).ancestry(of: name) == ["any"])
  }

  @Test func canHaveOnlyTheRoot() {
    #expect(DeviceTree().names == ["any"])
    #expect(DeviceTree([]) == DeviceTree())
  }

  @Test func refusesCyclesDuplicatesAndUnknownParents() {
    #expect(Self.tree(["a": "b"]) == nil)
    #expect(Self.tree(["a": "a"]) == nil)
    #expect(Self.tree(["a": "b", "b": "a"]) == nil)
    #expect(Self.tree(["c": "a", "a": "b", "b": "a"]) == nil)
    #expect(Self.tree(["a": "any", "a": "any"]) == nil)
    #expect(Self.tree(["any": "a", "a": "any"]) == nil)
  }
}
