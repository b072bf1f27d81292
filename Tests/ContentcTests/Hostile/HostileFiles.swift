import ContentModel
import PropertyLists
import TestInputs

@testable import TestCommands

/// The property lists of a target or of a build, one of which changes.
///
/// Every file that names a changed one by its hash changes, too. A command then finds the hostile
/// value, not a wrong hash.
struct HostileFiles {
  private struct File {
    var path: String
    var bytes: [UInt8]
    var value: Value
    var digest: Digest
    var mentions: Set<Digest>
  }

  /// The files in an order in which each file follows those that it names.
  private let files: [File]
  /// The indices of all files except objects.
  private let heads: [Int]
  /// The indices of the channels' configs.
  private let configs: [Int]

  init(_ all: [String: [UInt8]], below folder: String) {
    let named = all.keys.filter {
      $0.hasPrefix(folder) && ($0.hasSuffix(".plist") || $0.hasSuffix(".json"))
    }
    let unordered = named.sorted { $0.precedesInBytes($1) }.compactMap { path in
      all[path].flatMap { bytes in
        (try? PropertyList.decode(bytes).value).map { value in
          File(
            path: path, bytes: bytes, value: value, digest: Digest(of: bytes),
            mentions: value.mentions)
        }
      }
    }
    files = Self.ordered(unordered)
    heads = files.indices.filter { [files] in !files[$0].path.contains("/objects/") }
    configs = files.indices.filter { [files] in files[$0].path.contains("/config.") }
  }

  private static func ordered(_ files: [File]) -> [File] {
    let places = Dictionary(files.indices.map { (files[$0].digest, [$0]) }, uniquingKeysWith: +)
    var (seen, order) = (Set<Int>(), [File]())
    func visit(_ index: Int) {
      guard seen.insert(index).inserted else { return }
      files[index].mentions.flatMap { places[$0] ?? [] }.sorted().forEach(visit)
      order.append(files[index])
    }
    files.indices.forEach(visit)
    return order
  }

  /// Returns the new bytes of the changed files, by path.
  func mutated(_ hostile: inout HostileValues) -> (changes: [String: [UInt8]], mutation: String) {
    // Most files are objects. Configs therefore receive a third of the changes, and records and
    // notes of purges most of another third.
    let places = [configs, heads, Array(files.indices)][hostile.random.below(3)]
    let chosen = places[hostile.random.below(places.count)]
    let path = files[chosen].path
    if hostile.random.below(12) == 0 {
      return ([path: hostile.damaged(files[chosen].bytes)], "\(path): damaged")
    }
    let (node, new) = hostile.change(of: files[chosen].value)
    // A channel's config and its record have the same number, however absurd.
    let isShared = hostile.random.below(3) == 0
    return (
      changes(of: chosen, at: node, to: new, sharingRelease: isShared),
      "\(path): \(hostile.mutation)"
    )
  }

  /// Returns the new bytes of all files that change with one node, by path.
  private func changes(
    of chosen: Int, at node: [String], to new: HostileValue, sharingRelease: Bool = false
  ) -> [String: [UInt8]] {
    let changed = files[chosen].value.setting(node, to: new.value) ?? .dictionary(Members())
    let number = sharingRelease ? changed["release"] : nil
    let folder = files[chosen].path.split(separator: "/").prefix(2).joined(separator: "/")
    var (changes, digests) = ([String: [UInt8]](), [Digest: Digest]())
    for index in files.indices {
      let file = files[index]
      var value = index == chosen ? changed : file.value
      var isChanged = index == chosen
      if let number, !isChanged, value["release"] != nil, file.path.hasPrefix("\(folder)/"),
        case .dictionary(var members) = value
      {
        members["release"] = number
        (value, isChanged) = (.dictionary(members), true)
      }
      if !digests.isEmpty, digests.keys.contains(where: file.mentions.contains) {
        (value, isChanged) = (value.exchanging(digests), true)
      }
      let format: PropertyListFormat = file.path.hasSuffix(".json") ? .json : .binary
      guard isChanged, let bytes = new.bytes(of: value, as: format) else { continue }
      let digest = Digest(of: bytes)
      digests[file.digest] = digest
      changes[Self.path(of: file, value, digest)] = bytes
    }
    return changes
  }

  /// Returns the path of a changed file.
  ///
  /// Paths of objects, records and some notes of purges contain their hashes.
  private static func path(of file: File, _ value: Value, _ digest: Digest) -> String {
    if file.path.contains("objects/") {
      return file.path.replacing(
        "/\(file.digest.hex.prefix(2))/", with: "/\(digest.hex.prefix(2))/"
      )
      .replacing(file.digest.hex, with: digest.hex)
    }
    let (old, new) = (file.digest.hex.prefix(16), digest.hex.prefix(16))
    if file.path.contains("/purges/") {
      let path = file.path.replacing("-\(old)", with: "-\(new)")
      guard file.path.hasSuffix("/begun"), let number = value["sequence"]?.number else {
        return path
      }
      return "\(path.split(separator: "/").prefix(3).joined(separator: "/"))/\(number)-\(new)/begun"
    }
    guard file.path.contains("/releases/") else { return file.path }
    let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
    let number = value["release"].flatMap(\.number) ?? 1
    return
      "\(folder)/\(number)-\(new).\(file.path.split(separator: ".").last ?? "")"
  }
}

extension HostileFiles {
  /// Returns the places of the numbers in the files whose path passes the test, with the commands
  /// that read them.
  ///
  /// For numbers with one name in files of one kind, the first and the last suffice. One loop reads
  /// the sizes in a release record, and one function reads all records.
  func numbers(readBy commands: [String], where isWanted: (String) -> Bool) -> [HostilePlace] {
    typealias Node = (file: Int, path: [String])
    var nodes: [String: (first: Node, last: Node)] = [:]
    for index in files.indices where isWanted(files[index].path) {
      let file = files[index]
      for path in file.value.paths where file.value.node(path)?.isNumeral ?? false {
        let name = [
          Self.kind(of: file.path), path.first ?? "", path.last { !$0.hasPrefix("#") } ?? "",
          "\(path.count)",
        ].joined(separator: ":")
        nodes[name, default: ((index, path), (index, path))].last = (index, path)
      }
    }
    return nodes.sorted { $0.key.precedesInBytes($1.key) }.flatMap { _, ends in
      let isSingle = ends.first == ends.last
      return isSingle ? [ends.first] : [ends.first, ends.last]
    }.map { index, path in
      let extremes = files[index].value.node(path).map(HostileValue.extremes) ?? []
      let name = "\(files[index].path): \(path.joined(separator: "."))"
      return HostilePlace(extremes: extremes.count, commands: commands) { extreme in
        (
          changes(
            of: index, at: path, to: extremes[extreme], sharingRelease: path == ["release"]),
          "\(name) = \(extremes[extreme])"
        )
      }
    }
  }

  private static func kind(of path: String) -> String {
    if path.contains("/objects/") || path.contains("/latest/") { return "object" }
    let parts = path.split(separator: "/")
    if path.contains("/releases/") { return parts.dropLast().joined(separator: "/") }
    guard path.contains("/purges/") else { return path }
    // A note: `begun`, or `copies-` and a hash.
    let note = parts.count > 4 ? parts[4].prefix { $0 != "-" } : ""
    return "\(parts.prefix(3).joined(separator: "/"))/\(note)"
  }

  /// Returns the places of the numbers that begin the names of records, of files that take the number of
  /// a purge, and of folders with the notes of purges.
  ///
  /// A copy of the file gets another name.
  func names(below folder: String, readBy commands: [String]) -> [HostilePlace] {
    let numbers = ["9223372036854775807", "9223372036854775808", "-1", "0", "9007199254740993"]
    return files.indices.compactMap { index in
      let file = files[index]
      let parts = file.path.split(separator: "/").map(String.init)
      guard file.path.hasPrefix(folder),
        let place = parts.lastIndex(where: { $0.first?.isNumber ?? false }),
        place == parts.count - 1 || parts.last == "begun"
      else { return nil }
      return HostilePlace(extremes: numbers.count, commands: commands) { extreme in
        var parts = parts
        parts[place] = "\(numbers[extreme])\(parts[place].drop(while: \.isNumber))"
        let path = parts.joined(separator: "/")
        return ([path: file.bytes], "\(path): a copy of \(file.path)")
      }
    }
  }
}

extension Value {
  /// The hashes in the value.
  fileprivate var mentions: Set<Digest> {
    switch self {
    case .data(let bytes): Set([Digest(bytes: bytes)].compactMap(\.self))
    case .string(let text): Set([Digest(hex: text)].compactMap(\.self))
    case .array(let items): items.reduce(into: []) { $0.formUnion($1.mentions) }
    case .dictionary(let members):
      members.reduce(into: []) {
        $0.formUnion($1.value.mentions.union(Value.string($1.key).mentions))
      }
    default: []
    }
  }

  /// Returns the value with some hashes replaced.
  fileprivate func exchanging(_ digests: [Digest: Digest]) -> Value {
    switch self {
    case .data(let bytes):
      Digest(bytes: bytes).flatMap { digests[$0] }.map { .data($0.bytes) } ?? self
    case .string(let text): .string(Self.exchanging(digests, in: text))
    case .array(let items): .array(items.map { $0.exchanging(digests) })
    case .dictionary(let members):
      .dictionary(
        Members(members.map { (Self.exchanging(digests, in: $0), $1.exchanging(digests)) }))
    default: self
    }
  }

  private static func exchanging(_ digests: [Digest: Digest], in text: String) -> String {
    Digest(hex: text).flatMap { digests[$0] }?.hex ?? text
  }
}
