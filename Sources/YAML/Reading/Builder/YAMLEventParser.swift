import CYAML

/// libyaml's parser over bytes that outlive it, one event at a time.
struct YAMLEventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Calls back with the next event, which is valid during the call; returns `false` after a syntax
  /// error.
  mutating func next(_ body: (borrowing yaml_event_t) -> Void) -> Bool {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { return false }
    body(event)
    yaml_event_delete(&event)
    return true
  }

  /// The syntax error that ended the events.
  var problem: YAMLProblem {
    YAMLProblem(
      problem: parser.pointee.problem.map { String(cString: $0) } ?? "",
      context: parser.pointee.context.map { String(cString: $0) } ?? "",
      mark: parser.pointee.problem_mark, contextMark: parser.pointee.context_mark)
  }
}

/// A syntax error as libyaml reports it.
struct YAMLProblem {
  var problem: String
  var context: String
  var mark: yaml_mark_t
  /// The beginning of the construct that libyaml was parsing.
  var contextMark: yaml_mark_t
}

extension YAMLMark {
  init(_ mark: yaml_mark_t) {
    self.init(
      line: UInt32(truncatingIfNeeded: mark.line), column: UInt32(truncatingIfNeeded: mark.column))
  }
}
