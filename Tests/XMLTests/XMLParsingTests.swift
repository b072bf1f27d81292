import Testing
import XML

@Suite struct XMLParsingTests {
  /// A handler that records what it receives, and ends the reading at elements named `stop`.
  private struct Recorder: XMLHandler {
    var events: [String] = []

    mutating func begin(_ tag: XMLStartTag) -> Bool {
      let attribute = tag.attribute("b").map { " \($0)" } ?? ""
      events.append("<\(tag.namespace)|\(tag.name)\(attribute)> \(tag.bytes)")
      return tag.name != "stop"
    }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
      events.append(String(decoding: text, as: UTF8.self))
    }

    mutating func end(at offset: Int) { events.append("end \(offset)") }
  }

  private func parse(_ text: String) -> (handler: Recorder, problem: XMLProblem?) {
    XMLParsing.parse(Array(text.utf8), depthLimit: 3, handler: Recorder())
  }

  @Test func reportsTagsWithTheirBytes() {
    let (handler, problem) = parse("<a xmlns='urn:x' b='c&amp;'>é<d xmlns=''/></a>")
    #expect(problem == nil)
    #expect(
      handler.events
        == ["<urn:x|a c&> 0..<28", "é", "<|d> 30..<43", "end 43", "end 47"])
  }

  @Test func endsWithoutAProblemWhereTheHandlerEnds() {
    let (handler, problem) = parse("<a><stop/>b</a")
    #expect(problem == nil)
    #expect(handler.events == ["<|a> 0..<3", "<|stop> 3..<10"])
  }

  @Test(arguments: [
    ("<a><b></a>", "mismatched tag", 8..<8, true),
    ("<a>&b;</a>", "undefined entity", 3..<3, true),
    ("<a><a><a><a/></a></a></a>", "3 deep", 9..<13, false),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "no document type", 0..<12, false),
    ("<?xml version='1.0' encoding='latin1'?><a/>", "UTF-8, not 'latin1'", 0..<39, false),
  ])
  func reportsProblemsWithTheirBytes(
    text: String, words: String, bytes: Range<Int>, isMalformed: Bool
  ) throws {
    let problem = try #require(parse(text).problem)
    #expect(problem.rule.contains(words), "\(problem)")
    #expect(problem.bytes == bytes && problem.isMalformed == isMalformed, "\(problem)")
  }
}
