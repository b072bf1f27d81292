#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SeaweedFS, all of it in one process: its filer, and its S3 door.
package final class SeaweedServer: Sendable {
  package static let key = "reader"
  /// Of somebody for whom no bucket is made.
  package static let publisherKey = "publisher"
  /// Of both.
  package static let secretKey = "not much of a secret/+="

  private let folder: TemporaryFolder
  private let filerPort: UInt16
  /// Where buckets are.
  package let bucketPort: UInt16
  private let grpcPorts: [UInt16]
  private let program: Program

  package init() throws {
    folder = try TemporaryFolder()
    // Each server has a second port for its own kind.
    let ports = try Socket.freePorts(8)
    grpcPorts = Array(ports[4...])
    filerPort = ports[2]
    bucketPort = ports[3]
    try folder.write("access.json", Self.access)
    let names = ["master.port", "volume.port", "filer.port", "s3.port"]
    let own = names.enumerated().flatMap {
      ["-\($1)=\(ports[$0])", "-\($1).grpc=\(ports[$0 + 4])"]
    }
    program = try Program(
      Self.path,
      [
        "server", "-dir=\(folder.path)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-volume.max=40",
        "-master.volumeSizeLimitMB=64", "-master.telemetry=false", "-filer", "-s3",
        "-s3.port.iceberg=0",
        "-filer.localSocket=\(folder.path("filer"))", "-s3.localSocket=\(folder.path("s3"))",
        "-s3.port.lance=0",
        "-s3.config=\(folder.path("access.json"))",
      ] + own, output: folder.path("output"))
    for port in [filerPort, bucketPort] { try Socket.waitForListener(on: port, seconds: 30) }
    // It listens a while before it has room for files.
    try waitForRoom()
  }

  deinit {
    program.stop()
    // It is not given the ten seconds that it takes to leave by itself.
    for port in grpcPorts {
      for name in ["master", "volume", "filer", "s3"] {
        unlink("/tmp/seaweedfs-\(name)-grpc-\(port).sock")
      }
    }
  }

  /// Where files are got and put by their paths.
  package var filer: String { "http://127.0.0.1:\(filerPort)" }
  /// A bucket, once it is made, as a cache's address.
  package var bucket: String { "s3+\(buckets)/shared" }
  /// Where buckets are.
  package var buckets: String { "http://127.0.0.1:\(bucketPort)" }

  /// Makes a bucket.
  package func makeBucket(_ name: String = "shared") throws {
    try Program.run(
      "/usr/bin/curl",
      [
        "--fail", "--silent", "--request", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user",
        "\(Self.key):\(Self.secretKey)", "\(buckets)/\(name)",
      ])
  }

  /// What it has said.
  package func printed() -> String {
    (try? folder.read("output")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func waitForRoom() throws {
    for _ in 0..<100 {
      if (try? Program.run(
        "/usr/bin/curl", ["-sf", "-T", folder.path("access.json"), "\(filer)/room"])) != nil
      {
        return
      }
      usleep(200_000)
    }
    throw Problem(message: "SeaweedFS takes no file:\n\(printed().suffix(2_000))")
  }

  private static let access = """
    {"identities": [{"name": "ci", "credentials": [{"accessKey": "\(key)", "secretKey": "\(secretKey)"}],
      "actions": ["Admin", "Read", "Write", "List"]}, {"name": "publisher",
      "credentials": [{"accessKey": "\(publisherKey)", "secretKey": "\(secretKey)"}],
      "actions": ["Read", "Write", "List"]}]}
    """

  private static var path: String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
      separator: "/")
    return "\(root)/.build/tools/seaweedfs/bin/weed"
  }
}
