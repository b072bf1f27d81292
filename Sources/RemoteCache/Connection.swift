import CCurl
import HTTPTransport
import SystemC

/// One connection to a server, kept open between requests; one thread at a time uses it.
///
/// A class, since libcurl holds its address. Unchecked, since `ConnectionPool` lends it to one
/// thread at a time.
final class Connection: @unchecked Sendable {
  private let curl: ccurl_functions
  private let handle: UnsafeMutableRawPointer
  private let headers: RequestHeaders
  private var list: UnsafeMutablePointer<curl_slist>?
  private let standing: Standing
  private let limit: Int
  private var received: [UInt8] = []
  private var isTooLong = false

  /// Prepares a connection, which stands when it is first used; `nil` if there is no libcurl.
  init?(_ address: CacheAddress, _ access: CacheAccess, _ limits: CacheLimits, _ standing: Standing)
  {
    guard let curl = Curl.loaded?.functions, let handle = curl.easy_init() else { return nil }
    self.curl = curl
    self.handle = handle
    self.standing = standing
    limit = limits.answerBytes
    headers = RequestHeaders(address, access)
    set(limits)
    set(access, address)
    ccurl_set_receiver(curl, handle, receive, Unmanaged.passUnretained(self).toOpaque())
    ccurl_set_observer(curl, handle, observe, Unmanaged.passUnretained(standing).toOpaque())
  }

  deinit {
    curl.easy_cleanup(handle)
    curl.slist_free_all(list)
  }

  /// Asks for what is at an address.
  func get(_ address: String) -> Answer {
    ccurl_set_number(curl, handle, CURLOPT_HTTPGET, 1)
    ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, nil)
    return perform(address, sending: [])
  }

  /// Puts bytes there.
  func put(_ bytes: [UInt8], at address: String) -> Answer {
    bytes.withUnsafeBytes { buffer in
      // Of libcurl's two ways to send, this one signs the bytes for a bucket and needs no function
      // that is called back.
      ccurl_set_number(curl, handle, CURLOPT_POST, 1)
      ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, "PUT")
      ccurl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(buffer.count))
      ccurl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, buffer.baseAddress)
      defer { ccurl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, nil) }
      return perform(address, sending: bytes)
    }
  }

  /// Takes a part of an answer; `false` if it has become too long.
  fileprivate func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isTooLong = received.count + bytes.count > limit
    if !isTooLong { received.append(contentsOf: bytes) }
    return !isTooLong
  }

  private func perform(_ address: String, sending bytes: [UInt8]) -> Answer {
    set(headers.lines(sending: bytes))
    received = []
    isTooLong = false
    blockBrokenPipes()
    ccurl_set_text(curl, handle, CURLOPT_URL, address)
    let code = curl.easy_perform(handle)
    guard code == CURLE_OK else { return .failed(failure(code)) }
    return .answered(status: ccurl_status(curl, handle), bytes: received)
  }

  private func failure(_ code: CURLcode) -> Answer.Failure {
    let happens = [
      CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WRITE_ERROR,
    ]
    let reason =
      isTooLong
      ? "an answer is too long"
      : (curl.easy_strerror(code).map { String(cString: $0) } ?? "it fails")
    return Answer.Failure(reason: reason, isFinal: !happens.contains(code))
  }

  private func set(_ limits: CacheLimits) {
    ccurl_set_number(curl, handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
    ccurl_set_number(curl, handle, CURLOPT_TIMEOUT_MS, limits.requestMilliseconds)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_TIME, limits.silentSeconds)
    // Time-outs without signals, as there are other threads.
    ccurl_set_number(curl, handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(curl, handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(curl, handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
  }

  private func set(_ access: CacheAccess, _ address: CacheAddress) {
    if let file = access.certificates { ccurl_set_text(curl, handle, CURLOPT_CAINFO, file) }
    if let user = address.user { set(user: user.name, user.password) }
    guard address.isBucket, let bucket = access.bucket else { return }
    set(user: bucket.key, bucket.secretKey)
    ccurl_set_text(curl, handle, CURLOPT_AWS_SIGV4, "aws:amz:\(bucket.region):s3")
  }

  private func set(_ lines: [String]) {
    let earlier = list
    list = lines.reduce(nil) { curl.slist_append($0, $1) }
    ccurl_set_pointer(curl, handle, CURLOPT_HTTPHEADER, list)
    curl.slist_free_all(earlier)
  }

  private func set(user name: String, _ password: String) {
    ccurl_set_text(curl, handle, CURLOPT_USERNAME, name)
    ccurl_set_text(curl, handle, CURLOPT_PASSWORD, password)
  }
}

/// Takes what has arrived; any other number than that of the bytes ends the request.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ receiver: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver else { return 0 }
  let connection = Unmanaged<Connection>.fromOpaque(receiver).takeUnretainedValue()
  return connection.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    ? size * count : 0
}

/// Is called at least once a second; 1 ends the request.
private func observe(
  _ standing: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  guard let standing else { return 0 }
  return Unmanaged<Standing>.fromOpaque(standing).takeUnretainedValue().isOver ? 1 : 0
}

/// Sees to it that a server which hangs up does not end the process: OpenSSL writes without
/// `MSG_NOSIGNAL`.
private func blockBrokenPipes() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}
