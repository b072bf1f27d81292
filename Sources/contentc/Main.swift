import ContentcCommands

/// The executable `contentc`.
@main
enum Main {
  static func main() { Contentc.main() }
}
