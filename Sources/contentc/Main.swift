import ContentcCommands

@main
enum Main {
  static func main() { Contentc.main() }
}
