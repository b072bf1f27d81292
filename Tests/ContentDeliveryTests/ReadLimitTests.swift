import Testing

@testable import ContentTargets

/// The largest sizes that contentc reads of files at a target.
@Suite struct ReadLimitTests {
  /// A forged property list of 1 GiB would take all memory once it is decoded.
  @Test(arguments: [
    ("objects/3f/3f.plist", 256), ("objects/3f/3f.json", 256), ("objects/3f/3f.png", 1_024),
    ("objects/3f/3f.bundletext", 4),
    ("qa/config.plist", 1), ("qa/lock", 1), ("qa/releases/7-3f.plist", 64),
    ("prune/marks.plist", 64),
    ("qa/purges/7.plist", 64), ("qa/purges/7-3f.plist", 64), ("qa/purges/7-3f/begun", 64),
    ("qa/purges/7-3f/live", 64), ("qa/purges/7-3f/more/begun", 1_024),
  ])
  func isThatOfTheKindOfFile(key: String, megabytes: Int) {
    #expect(ReadLimit.bytes(of: key) == megabytes << 20)
  }
}
