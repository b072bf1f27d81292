import ContentModel
import System

/// The git repository of a content folder, whose user and commit a release names.
///
/// It is read from its files: git itself is not run, because the configuration of a repository can
/// name programs that git then starts.
package struct Repository {
  /// The folder of this checkout, which has `HEAD`.
  private let folder: String
  /// The folder that all checkouts of the repository share, which has branches and configuration.
  private let common: String

  /// Finds the repository of a folder in the folder itself or above it; `nil` if there is none.
  ///
  /// The path is absolute, without `.` and `..`.
  package init?(around path: String) {
    var place = path
    while true {
      if let folder = Self.folder(at: place) {
        self.folder = folder
        common =
          Self.line("\(folder)/commondir").map { $0.hasBytePrefix("/") ? $0 : "\(folder)/\($0)" }
          ?? folder
        return
      }
      guard place != "/", let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else {
        return nil
      }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }

  /// The hash of the commit that is checked out, in hexadecimal digits; `nil` if it cannot be read.
  package var commit: String? {
    guard let head = Self.line("\(folder)/HEAD") else { return nil }
    guard head.hasBytePrefix("ref: ") else { return Self.hash(head) }
    let name = head.dropping("ref: ")
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.first == "refs", !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      return nil
    }
    if let line = Self.line("\(folder)/\(name)") ?? Self.line("\(common)/\(name)") {
      return Self.hash(line)
    }
    let packed = Self.text("\(common)/packed-refs")?.split(separator: "\n").first {
      String($0).hasByteSuffix(" \(name)")
    }
    return packed.flatMap { $0.split(separator: " ").first.map(String.init) }.flatMap(Self.hash)
  }

  /// The value of `user.name` in the configuration of the repository.
  package var userName: String? { Self.text("\(common)/config").flatMap(Self.userName) }

  /// Returns the value of `user.name` in a configuration file of git; included files are not read.
  package static func userName(in text: String) -> String? {
    var isUser = false
    var name: String?
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("[") {
        isUser = line.prefix { $0 != "]" }.dropFirst().lowercased() == "user"
      }
      let pair = line.split(separator: "=", maxSplits: 1)
      guard isUser, pair.count == 2,
        pair[0].filter({ $0 != " " && $0 != "\t" }).lowercased() == "name"
      else {
        continue
      }
      name = value(pair[1])
    }
    return name
  }

  /// Returns a value without its quotes and the comment after it.
  private static func value(_ text: Substring) -> String? {
    var value = ""
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == "#" || character == ";" {
        break
      } else {
        value.append(character)
      }
    }
    let words = value.split { $0.isWhitespace }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  /// Returns the folder of the checkout at a place: `.git`, or the folder that a file `.git` names.
  private static func folder(at place: String) -> String? {
    let path = "\(place == "/" ? "" : place)/.git"
    if line("\(path)/HEAD") != nil { return path }
    guard let line = line(path), line.hasBytePrefix("gitdir: ") else { return nil }
    let folder = line.dropping("gitdir: ")
    return folder.hasBytePrefix("/") ? folder : "\(place)/\(folder)"
  }

  private static func hash(_ text: String) -> String? {
    [40, 64].contains(text.utf8.count)
      && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) } ? text : nil
  }

  private static func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
  }

  private static func text(_ path: String) -> String? {
    Disk.contents(path, limit: 16 << 20).map { String(decoding: $0, as: UTF8.self) }
  }
}
