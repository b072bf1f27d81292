import ContentSource
import SystemC
import TestServers
import Testing

@testable import TestCommands

/// Runs the read-only commands on untrusted folders.
///
/// They must run no program that the folder chooses, send no secret, and read and write nothing
/// outside the folder.
@Suite struct HostileFolderTests {
  static let secrets = ["s3cret-token", "s3cret-key", "s3cret-path"]
  let sandbox: Sandbox
  /// A server that answers every request with 404 and records it.
  let listener: ScriptedServer

  init() throws {
    sandbox = try Sandbox(EditingShop.files.map { ("shop/\($0.path)", $0.text) })
    listener = try ScriptedServer { _ in .answer(status: 404) }
    // Each fake program that a folder could try to run records its call.
    try sandbox.shell(
      """
      mkdir fakes outside outside/empty
      for name in rclone ssh sh bash git python3 perl curl wget aws env open xdg-open sleep touch; do
        printf '#!/bin/sh\\necho "%s $*" >> %s/called\\nexit 3\\n' $name "$PWD" > fakes/$name
      done
      chmod +x fakes/*
      printf 'app: s3cret-path\\n' > outside/secret.yaml
      cp -R shop/content outside/content
      sed -i 's/Rose/s3cret-path/' outside/content/entries/product/rose.yaml
      printf '#!/bin/sh\\necho fsmonitor >> %s/called\\n' "$PWD" > shop/run.sh
      chmod +x shop/run.sh
      mkdir -p shop/.git && echo 'ref: ../../outside/secret.yaml' > shop/.git/HEAD
      printf '[core]\\n\\tfsmonitor = ./run.sh\\n\\tpager = ./run.sh\\n[alias]\\n\\tstatus = !./run.sh\\n' > shop/.git/config
      """)
  }

  /// The examples of all commands that read a folder, none of which changes a channel.
  static let commands =
    ListedCommand.all.filter { !$0.reads.isEmpty && !$0.listens }.flatMap { command in
      // `bake` would read the channel's URL.
      let places = [
        ("country-charm", "rose"), ("production", "qa"), ("bake qa", "bake qa --from-target"),
      ]
      return command.lines(replacing: ListedCommand.places + places, isDry: true)
    } + [["diff", "qa", "--built"], ["bake", "qa", "--to", "App", "--check", "--from-target"]]

  /// The channels of hostile `content.yaml` files.
  ///
  /// `PORT` is the listener's, and `OUT` is a folder outside.
  static let channels = [
    #"{target: "rclone::sftp,host=h,ssh=./run.sh:x"}"#,
    #"{target: "rclone::sftp,host=h,ssh=OUT/../shop/run.sh:x"}"#,
    #"{target: "rclone:--config=OUT/secret.yaml:x"}"#, #"{target: "rclone:x,ssh=./run.sh:y"}"#,
    #"{target: "s3://bucket/v1?endpoint=http://127.0.0.1:PORT&region=x&addressing=path"}"#,
    #"{target: site, url: "http://127.0.0.1:PORT/v1", cdn: [{varnish: {nodes: ["http://127.0.0.1:PORT"], token: TOKEN}}]}"#,
    #"{target: site, url: "http://127.0.0.1:PORT/v1", cdn: [{fastly: {service: NAME, token: AWS_SECRET_ACCESS_KEY, api: "http://127.0.0.1:PORT"}}]}"#,
    #"{target: site, cdn: [{bunny: {pullZone: NAME, token: TOKEN, api: "http://127.0.0.1:PORT"}}]}"#,
    #"{target: ../outside/empty}"#, #"{target: "OUT/empty"}"#, #"{target: "|./run.sh"}"#,
    #"{target: "$(./run.sh)"}"#,
    #"{target: "ext::./run.sh"}"#, #"{target: "file://OUT/secret.yaml"}"#,
  ]

  @Test func hasAddressesOfEachKindOfTarget() {
    let addresses = Self.channels.compactMap { $0.firstMatch(of: /target: "?([^",}]+)/)?.output.1 }
    let kinds = Set(addresses.map { Channel.TargetKind(of: String($0)) })
    #expect(kinds == Set(Channel.TargetKind.allCases))
  }

  @Test(arguments: channels) func runsNoProgramAndSendsNoSecret(channel: String) throws {
    let address = channel.replacing("PORT", with: "\(listener.address.split(separator: ":")[2])")
      .replacing("OUT", with: "\(sandbox.root)/outside")
    try sandbox.shell("cat >> shop/content/content.yaml <<'E'\nchannels: {qa: \(address)}\nE")
    let before = sandbox.tree("outside").map { "\($0.path) \($0.bytes)" }
    for command in Self.commands {
      let outcome = try runUntrusted(command)
      #expect(outcome.status >= 0, "\(command)")
      requireNoSecret(outcome.output + outcome.errors, "\(command) prints it")
    }
    #expect(
      sandbox.read("called") == nil,
      "\(String(decoding: sandbox.read("called") ?? [], as: UTF8.self))")
    for request in listener.requests {
      requireNoSecret(
        "\(request.path) \(request.headers) \(String(decoding: request.body, as: UTF8.self))",
        "sent")
    }
    if !channel.contains("s3://") {
      // A command that finds nothing at the target asks what readers get, without credentials.
      #expect(
        listener.requests.allSatisfy { $0.method == "GET" && $0.path == "/v1/qa/config.plist" },
        "\(listener.requests)")
    }
    #expect(sandbox.tree("outside").map { "\($0.path) \($0.bytes)" } == before)
  }

  @Test func passesRcloneOnlyANameAndAPath() throws {
    try sandbox.shell(
      "echo 'channels: {qa: {target: \"rclone:shop:-v/--config=x\"}}' >> shop/content/content.yaml")
    for command in Self.commands { _ = try runUntrusted(command) }
    let calls = String(decoding: sandbox.read("called") ?? [], as: UTF8.self).split(separator: "\n")
    #expect(!calls.isEmpty)
    for call in calls {
      let isPlain =
        call.hasPrefix("rclone ") && call.contains(" -- ")
        && call.firstRange(of: "shop:").map { found in
          call[..<found.lowerBound].hasSuffix(" -- ")
        } == true
      #expect(isPlain, "\(call)")
    }
  }

  @Test func previewsWithoutRunningOrSendingAnything() throws {
    let channel = #"{target: "rclone::sftp,host=h,ssh=./run.sh:x"}"#
    try sandbox.shell("echo 'channels: {qa: \(channel)}' >> shop/content/content.yaml")
    let refused = try runUntrusted(["preview", "--port", "0", "--channel", "qa"])
    #expect(refused.status == 1 || refused.status == 69 || refused.status == 66, "\(refused)")
    #expect(sandbox.read("called") == nil && listener.requests.isEmpty)
  }

  /// Shell commands that link files of a checkout to files and folders outside.
  static let links = [
    "rm shop/content/content.yaml && ln -s ../../outside/secret.yaml shop/content/content.yaml",
    "rm shop/content/entries/product/rose.yaml && ln -s ../../../../outside/secret.yaml shop/content/entries/product/rose.yaml",
    "rm -r shop/content/entries && ln -s ../../outside/content/entries shop/content/entries",
    "rm -r shop/content && ln -s ../outside/content shop/content",
    "rm -r shop/content/assets && ln -s ../../outside shop/content/assets",
    "ln -s ../outside/empty shop/out", "ln -s ../outside/empty shop/.contentc",
    "mkdir shop/out && ln -s ../../outside/empty shop/out/objects",
  ]

  @Test(arguments: links) func readsAndWritesNothingThroughALink(making: String) throws {
    try sandbox.shell("echo 'channels: {qa: {target: site}}' >> shop/content/content.yaml")
    try sandbox.shell(making)
    let before =
      sandbox.tree("outside").map { "\($0.path) \($0.bytes)" } + sandbox.folders("outside")
    for command in Self.commands {
      let outcome = try runUntrusted(command)
      #expect(!(outcome.output + outcome.errors).contains("s3cret-path"), "\(command): \(outcome)")
    }
    #expect(
      sandbox.tree("outside").map { "\($0.path) \($0.bytes)" } + sandbox.folders("outside")
        == before)
  }

  /// Runs a command in the untrusted folder, with secrets in the environment and the fakes first in
  /// `PATH`.
  private func runUntrusted(_ command: [String]) throws -> Outcome {
    let variables = [
      "PATH=\(sandbox.root)/fakes:/usr/bin:/bin", "TOKEN=s3cret-token", "NAME=name",
      "AWS_ACCESS_KEY_ID=id",
      "AWS_SECRET_ACCESS_KEY=s3cret-key", "HOME=\(sandbox.root)/nobody",
    ]
    return try sandbox.run(
      "/usr/bin/env", ["-C", "\(sandbox.root)/shop"] + variables + [Sandbox.binary] + command)
  }

  private func requireNoSecret(_ text: String, _ what: String) {
    for secret in Self.secrets where text.contains(secret) {
      Issue.record("\(secret): \(what): \(text)")
    }
  }
}
