import TestInputs

/// A mistake that somebody makes in the settings of a project with the channels `qa` and `other`.
struct SettingMistake {
  /// The settings that a mistake may concern.
  enum Subject: Equatable {
    /// A setting of the project, by its name in the documentation.
    case project(String)
    /// A setting of a channel; `nil` for any of them.
    case channel(String, String?)
    /// Any setting, since lines may belong to others than it seems.
    case everything
    /// Content that no setting is about.
    case content
  }

  var subject: Subject
  /// The path below the content folder of the file with the mistake.
  var file = "content.yaml"
  /// The text of the file.
  var text: String

  private init(_ subject: Subject, file: String = "content.yaml", text: String) {
    (self.subject, self.file, self.text) = (subject, file, text)
  }

  /// Makes a mistake that depends on the seed only.
  init(seed: Int) {
    var random = SeededGenerator(seed: seed)
    switch random.below(20) {
    case 0..<11:
      self = Self.ofChannel(random.one(of: ["qa", "qa", "qa", "other"]), from: &random)
    case 11..<17: self = Self.ofProject(from: &random)
    case 17: self = Self.ofMaintenance(from: &random)
    default:
      var file = ProjectText()
      file.end = random.one(of: [
        "ttl: [\n", "chanels: {a: b\n", " x: \"y\n", "app: shop\n", "x-ray: 1\n",
      ])
      self.init(.everything, text: file.text)
    }
  }

  private static func ofChannel(
    _ name: String, from random: inout SeededGenerator
  ) -> SettingMistake {
    var file = ProjectText()
    let (key, values) = random.one(of: channelValues)
    var subject = Subject.channel(name, key)
    var channel = file.channels[name] ?? []
    let index = channel.firstIndex { $0.key == key } ?? 0
    switch random.below(4) {
    case 0: channel[index].key = misspelt(key, from: &random)
    case 1 where random.once(in: 3):
      // The lines after it may belong to another mapping.
      channel.append(channel[index])
      subject = .everything
    case 2 where random.once(in: 4):
      channel.append(("x-note", "1"))
      subject = .channel(name, nil)
    default: channel[index].value = random.one(of: values)
    }
    file.channels[name] = channel
    return SettingMistake(subject, text: file.text)
  }

  private static func ofProject(from random: inout SeededGenerator) -> SettingMistake {
    var file = ProjectText()
    let (key, values) = random.one(of: projectValues)
    let index = file.project.firstIndex { $0.key == key } ?? 0
    // Three letters have too many neighbours.
    if key.count > 3, random.once(in: 3) {
      file.project[index].key = misspelt(key, from: &random)
    } else {
      file.project[index].value = random.one(of: values)
    }
    let setting = ["sourceLocale", "fallback"].contains(key) ? "locales" : key
    return SettingMistake(.project(setting), text: file.text)
  }

  private static func ofMaintenance(from random: inout SeededGenerator) -> SettingMistake {
    SettingMistake(
      .content, file: "maintenance.yaml",
      text: random.one(of: ["title: [\n", "retryAfter: soon\n", "- title\n", "title: \"x\n"]))
  }

  /// A key with one letter too many or too few, or with two that are exchanged.
  private static func misspelt(_ key: String, from random: inout SeededGenerator) -> String {
    var letters = Array(key)
    let place = 1 + random.below(letters.count - 1)
    switch random.below(letters.count < 4 ? 1 : 3) {
    case 0: letters.insert(letters[place], at: place)
    case 1: letters.remove(at: place)
    default:
      if letters[place] == letters[place - 1] {
        letters.remove(at: place)
      } else {
        letters.swapAt(place, place - 1)
      }
    }
    return String(letters)
  }

  private static let spans = ["1mm", "-1s", "5 minutes", "[5m]", "soon", "99999999999w", "10"]

  private static let projectValues: [(key: String, values: [String])] = [
    (
      "ttl",
      spans.map { "{edge: \($0)}" } + spans.map { "{offline: \($0)}" }
        + ["{edg: 5m}", "{app: 0s}", "5m", "[5m]", "{edge 5m}"]
    ),
    ("ttl", ["{App: 5m}", "{staleWhileRevalidat: 1s}", "{edge: {max: 5m}}", "{origin: 1.5h}"]),
    ("stalenessLimit", spans),
    ("locales", ["[]", "en fr", "[en, fr, en]", "[english language]", "{en: fr}"]),
    ("fallback", ["{fr: [fr canadian]}", "en", "{it: [en]}"]),
    ("format", ["plist", "[xml]", "Binary"]),
    ("devices", ["[phone]", "{Phone: {}}", "{phone: {parent: tv}}"]),
    (
      "bundles",
      ["{all: {includes: product/*}}", "{all: product/*}", "{All: {include: product/*}}"]
    ),
    ("minimumApp", ["two", "[1]"]),
  ]

  private static let channelValues: [(key: String, values: [String])] = [
    (
      "target",
      [
        "[site]", "{folder: site}", "\"\"", "\"rclone:\"", "\"rclone::x,y=z:a\"", "s3:flowers",
        "s3://flowers/v1?endpiont=http://a", "~/site", "$HOME/site", "\"site\\u200B\"", ".",
      ]
    ),
    (
      "url",
      [
        "ftp://127.0.0.1", "127.0.0.1:1/v1", "http://user@127.0.0.1:1/v1",
        "\"http://127.0.0.1:1/v 1\"",
        "[http://127.0.0.1:1/v1]", "http://127.0.0.1:1/v1?x=1", "true",
      ]
    ),
    (
      "cdn",
      [
        "nginks", "[{nginks: {nodes: \"http://127.0.0.1:1\"}}]",
        "[{nginx: {node: \"http://127.0.0.1:1\"}}]", "[{nginx: {nodes: \"127.0.0.1:1\"}}]",
        "[{nginx: {nodes: []}}]", "[{nginx: \"http://127.0.0.1:1\"}]",
        "[{nginx: {nodes: \"http://127.0.0.1:1\", token: purge_token}}]",
        "[{nginx: {nodes: \"http://127.0.0.1:1\", tokn: PURGE_TOKEN}}]",
        "[{varnish: {nodes: \"http://127.0.0.1:1\", keys: orign}}]", "[[nginx]]",
        "[{varnish: {nodes: \"http://127.0.0.1:1\", keys: [origin, none]}}]",
        "[{nginx: {nodes: \"http://a@127.0.0.1:1\"}}]", "[{fastly: {service: ID}}]",
        "[{cloudflare: {zone: ZONE, token: TOKEN, plan: gold}}]",
        "[{bunny: {pullZone: ID, token: TOKEN, api: \"http://example.com\"}}]",
        "{nginx: {}, varnish: {}}", "{}",
      ]
    ),
    ("cdn", ["[varnish, nginks]", "[{varnish: {token: [TOKEN]}}]", "[{varnish: {token: }}]"]),
    ("originTimeout", spans + ["0s"]),
    (
      "signing",
      [
        "{keyes: keys/qa}", "{keys: keys/qa, validFor: 0s}", "{keys: ../keys}", "keys/qa", "{}",
        "{keys: entries/qa}", "{keys: keys/qa, validfor: 14d}", "{keys: [keys/qa]}",
      ]
    ),
    ("headers", ["yes", "1", "[true]"]), ("latest", ["on", "\"true\""]),
    ("pseudo", ["yes", "2", "{}"]),
  ]
}

/// The text of a `content.yaml` with every setting of a project and of two channels.
struct ProjectText {
  var project: [(key: String, value: String)] = [
    ("app", "shop"), ("sourceLocale", "en"), ("locales", "[en, fr]"),
    ("fallback", "{fr: [fr, en]}"),
    ("format", "binary"), ("devices", "{phone: {}}"), ("minimumApp", "\"1.0\""),
    ("stalenessLimit", "1d"), ("ttl", "{app: 11m, edge: 6m, offline: 8d}"),
    ("bundles", "{all: {include: product/*}}"),
  ]
  var channels: [String: [(key: String, value: String)]] = [
    "qa": Self.channel("site", signing: "{keys: keys/qa, validFor: 13d}"),
    "other": Self.channel("elsewhere", signing: nil),
  ]
  /// The last lines.
  var end = ""

  private static func channel(
    _ target: String, signing: String?
  ) -> [(key: String, value: String)] {
    [
      ("target", target), ("url", "http://127.0.0.1:1/v1"), ("originTimeout", "2s"),
      ("cdn", "[{varnish: {nodes: \"http://127.0.0.1:1\", token: PURGE_TOKEN}}]"),
      ("headers", "true"), ("latest", "false"), ("pseudo", "false"),
      ("signing", signing ?? "~"),
    ]
  }

  var text: String {
    let channels = ["qa", "other"].map { name in
      "  \(name):\n" + (self.channels[name] ?? []).map { "    \($0.key): \($0.value)\n" }.joined()
    }
    return project.map { "\($0.key): \($0.value)\n" }.joined()
      + "channels:\n" + channels.joined() + end
  }
}
