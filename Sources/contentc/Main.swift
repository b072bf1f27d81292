import ContentcCommands

/// The executable `contentc`, which has no web server, so that it starts faster.
@main
enum Main {
  static func main() { Contentc.main() }
}
