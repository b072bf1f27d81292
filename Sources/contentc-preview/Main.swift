import ContentPreviewServer
import ContentcCommands

/// The executable `contentc-preview`: `contentc` with a web server.
///
/// `contentc preview` replaces its process with this executable.
@main
enum Main {
  static func main() { Contentc.main(listener: PreviewServer.self) }
}
