import ContentModel
import PropertyLists
import Testing

@testable import ContentcCommands

@Suite("A notification")
struct NotificationTests {
  private func value(changed: [String]?) throws -> Value {
    let notification = Notification(
      .publish, app: "bakery", channel: "qa", release: 7, changed: changed)
    let line = try notification.line()
    #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
    return try PropertyList.decode(line, as: .json).value
  }

  @Test func listsChangedEntriesOnceInOrder() throws {
    let value = try value(changed: ["product/rose", "product/lily", "product/rose"])
    let expected: Value = [
      "format": 1, "app": "bakery", "channel": "qa", "release": 7, "kind": "publish",
      "changed": ["product/lily", "product/rose"],
    ]
    #expect(value == expected)
  }

  @Test func saysThatEverythingMayHaveChanged() throws {
    let ids = (0...Notification.mostEntries).map { "product/p\($0)" }
    #expect(try value(changed: Array(ids.dropFirst()))["changed"]?.items?.count == 100)
    for changed in [nil, ids] {
      let value = try value(changed: changed)
      #expect(value["everything"] == true && value["changed"] == nil)
    }
    #expect(try value(changed: [])["changed"]?.items?.isEmpty == true)
  }
}
