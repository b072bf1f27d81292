import SystemC

/// A SeaweedFS process with a filer and an S3 gateway.
package final class SeaweedServer: Sendable {
  /// The access key of the administrator, who may create buckets.
  package static let key = "reader"
  /// The access key of a user who may not create buckets.
  package static let publisherKey = "publisher"
  /// The secret key of both.
  package static let secretKey = "not much of a secret/+="

  private let folder: ScratchFolder
  private let filerPort: UInt16
  /// The port of the S3 gateway.
  package let bucketPort: UInt16
  private let grpcPorts: [UInt16]
  private let program: Program

  package init() throws {
    folder = try ScratchFolder()
    // Each of the four servers has a second port for gRPC.
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
      Program.tool("seaweedfs/bin/weed"),
      [
        "server", "-dir=\(folder.path)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-volume.max=40",
        "-master.volumeSizeLimitMB=64", "-master.telemetry=false", "-filer", "-s3",
        "-s3.port.iceberg=0",
        "-filer.localSocket=\(folder.path("filer"))", "-s3.localSocket=\(folder.path("s3"))",
        "-s3.port.lance=0",
        "-s3.config=\(folder.path("access.json"))",
      ] + own, output: folder.path("output"))
    for port in [filerPort, bucketPort] { try Socket.waitForListener(on: port, seconds: 30) }
    // The filer listens before it can store files.
    try waitForRoom()
  }

  deinit {
    program.stop()
    // A regular exit, which removes these files, would take ten seconds.
    for port in grpcPorts {
      for name in ["master", "volume", "filer", "s3"] {
        unlink("/tmp/seaweedfs-\(name)-grpc-\(port).sock")
      }
    }
  }

  /// The URL of the filer, which stores files by path.
  package var filer: String { "http://127.0.0.1:\(filerPort)" }
  /// The address of the default bucket as a build cache.
  package var bucket: String { "s3+\(buckets)/shared" }
  /// The URL of the S3 gateway.
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

  /// Returns the output of the process.
  package func printed() -> String {
    (try? folder.read("output")) ?? ""
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
    throw Problem("SeaweedFS stores no file:\n\(printed().suffix(2_000))")
  }

  private static let access = """
    {"identities": [{"name": "ci",
      "credentials": [{"accessKey": "\(key)", "secretKey": "\(secretKey)"}],
      "actions": ["Admin", "Read", "Write", "List"]}, {"name": "publisher",
      "credentials": [{"accessKey": "\(publisherKey)", "secretKey": "\(secretKey)"}],
      "actions": ["Read", "Write", "List"]}]}
    """
}
