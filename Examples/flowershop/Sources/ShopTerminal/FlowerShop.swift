import ContentClient
import Foundation

/// The program.
public enum FlowerShop {
  /// Runs the program with the arguments after its name, and returns its exit status.
  public static func run(_ words: [String]) async -> Int32 {
    do {
      let arguments = try Arguments(words)
      guard !arguments.asksForHelp else {
        print(Arguments.help, terminator: "")
        return 0
      }
      var app = try ShopApp(arguments.configuration, terminal: Terminal())
      await app.run(LineInput())
      return 0
    } catch let mistake as Arguments.Mistake {
      complain(mistake.advice)
    } catch {
      complain("\(error)")
    }
    return 64
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("flowershop: \(text.harmless)\n".utf8))
  }
}
