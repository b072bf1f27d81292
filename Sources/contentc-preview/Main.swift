import ContentPreviewServer
import ContentcCommands

/// `contentc` with a web server in it: `contentc preview` becomes this program.
@main
enum Main {
  static func main() { Contentc.main(listener: PreviewServer.self) }
}
