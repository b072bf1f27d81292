#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

func readFile(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw BadUse() }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  return bytes
}

func writeFile(_ bytes: [UInt8], _ path: String) throws {
  guard let file = fopen(path, "w") else { throw BadUse() }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw BadUse() }
}

func flushOutput() { fflush(nil) }
