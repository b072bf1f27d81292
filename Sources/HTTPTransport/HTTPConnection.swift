import CCurl

/// One connection, kept open between requests; one thread at a time uses it.
///
/// A class, since libcurl's handle is to be given back once. Unchecked, since `HTTPClient` lends it
/// to one thread at a time.
final class HTTPConnection: @unchecked Sendable {
  private let curl: ccurl_functions
  private let handle: UnsafeMutableRawPointer
  private let limits: HTTPLimits
  private let certificates: String?
  /// `true` if a connection of an earlier request may still be open.
  private var wasOpen = false
  /// The bytes of the last request.
  private(set) var traffic = HTTPTraffic()

  /// Prepares a connection, which opens on first use; `nil` if there is no libcurl.
  init?(_ limits: HTTPLimits, certificates: String?) {
    guard let curl = Curl.loaded?.functions, let handle = curl.easy_init() else { return nil }
    (self.curl, self.handle, self.limits, self.certificates) = (curl, handle, limits, certificates)
  }

  // Says goodbye to servers that may not listen any more.
  deinit { withoutBrokenPipes { curl.easy_cleanup(handle) } }

  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    let incoming = IncomingAnswer(
      limit: answerLimit(of: request),
      milliseconds: limits.requestMilliseconds + sendingMilliseconds(request),
      sink: request.sink)
    let outgoing = request.stream.map(OutgoingBody.init)
    let code = withExtendedLifetime((incoming, outgoing)) {
      // Keeps open connections, and forgets all that the last request has set.
      curl.easy_reset(handle)
      let bodyCount = request.stream?.count ?? request.body.count
      setLimits(request)
      receive(into: incoming)
      let lines = set(request.headers, bodyCount: bodyCount)
      defer { curl.slist_free_all(lines) }
      ccurl_set_text(curl, handle, CURLOPT_URL, request.url)
      return withoutBrokenPipes { perform(request, outgoing) }
    }
    count(incoming)
    defer { if code == CURLE_OK { wasOpen = true } }
    if let error = outgoing?.failure {
      throw HTTPFailure(.unreadable, mayHaveTakenEffect: false, "\(error)")
    }
    guard code == CURLE_OK else { throw failure(code, incoming) }
    guard incoming.isHeadWhole else {
      throw HTTPFailure(.lost, mayHaveTakenEffect: true, "an answer breaks off")
    }
    let connects = ccurl_count(curl, handle, CURLINFO_NUM_CONNECTS)
    return HTTPAnswer(
      status: ccurl_status(curl, handle), headers: incoming.headers, body: incoming.body,
      mayHaveBeenSentTwice: wasOpen && connects > 0)
  }

  private func count(_ incoming: IncomingAnswer) {
    let head = ccurl_count(curl, handle, CURLINFO_REQUEST_SIZE)
    traffic = HTTPTraffic()
    traffic.requests = head > 0 ? 1 : 0
    traffic.sentBytes = head + Int(ccurl_size(curl, handle, CURLINFO_SIZE_UPLOAD_T))
    traffic.receivedBytes = ccurl_count(curl, handle, CURLINFO_HEADER_SIZE) + incoming.bodyCount
  }

  private func perform(_ request: HTTPRequest, _ outgoing: OutgoingBody?) -> CURLcode {
    switch request.method {
    case .get: return curl.easy_perform(handle)
    case .head:
      ccurl_set_number(curl, handle, CURLOPT_NOBODY, 1)
      return curl.easy_perform(handle)
    case .delete, .purge, .ban, .purgeKeys:
      ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      return curl.easy_perform(handle)
    case .put, .post:
      ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      guard let outgoing, let stream = request.stream else { return perform(sending: request.body) }
      ccurl_set_number(curl, handle, CURLOPT_UPLOAD, 1)
      ccurl_set_size(curl, handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(stream.count))
      ccurl_set_sender(
        curl, handle, sendBody, rewindBody, Unmanaged.passUnretained(outgoing).toOpaque())
      return curl.easy_perform(handle)
    }
  }

  /// Of libcurl's two ways to send, this one needs no function that is called back.
  private func perform(sending body: [UInt8]) -> CURLcode {
    ccurl_set_number(curl, handle, CURLOPT_POST, 1)
    return body.withUnsafeBytes { bytes in
      ccurl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
      ccurl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, bytes.baseAddress)
      return curl.easy_perform(handle)
    }
  }

  private func answerLimit(of request: HTTPRequest) -> Int {
    request.method == .head ? 0 : request.answerLimit ?? limits.answerBytes
  }

  private func sendingMilliseconds(_ request: HTTPRequest) -> Int {
    HTTPLimits.milliseconds(forBytes: request.stream?.count ?? request.body.count)
  }

  private func setLimits(_ request: HTTPRequest) {
    ccurl_set_number(curl, handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
    // The first megabyte of an answer must arrive within the time of the request itself.
    let answerCount = max(0, request.sink?.count ?? answerLimit(of: request)) - (1 << 20)
    let milliseconds = min(
      limits.requestMilliseconds + sendingMilliseconds(request)
        + HTTPLimits.milliseconds(forBytes: answerCount),
      Int(Int32.max))
    ccurl_set_number(curl, handle, CURLOPT_TIMEOUT_MS, milliseconds)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_LIMIT, HTTPLimits.leastBytesPerSecond)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_TIME, limits.silentSeconds)
    // Time-outs without signals, as there are other threads.
    ccurl_set_number(curl, handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(curl, handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(curl, handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // The signed path must be the sent one.
    ccurl_set_number(curl, handle, CURLOPT_PATH_AS_IS, 1)
    if let certificates { ccurl_set_text(curl, handle, CURLOPT_CAINFO, certificates) }
  }

  private func receive(into incoming: IncomingAnswer) {
    let address = Unmanaged.passUnretained(incoming).toOpaque()
    ccurl_set_receiver(curl, handle, receiveBody, address)
    ccurl_set_header_receiver(curl, handle, receiveHeader, address)
  }

  /// Sets the headers, and leaves out those that libcurl would add by itself.
  ///
  /// It asks before it sends a megabyte: a server that wants none of it would hang up in the
  /// middle, unheard.
  private func set(
    _ headers: [(name: String, value: String)], bodyCount: Int
  ) -> UnsafeMutablePointer<curl_slist>? {
    // A semicolon in place of the colon: a header without a value.
    var lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    let names = headers.map { $0.name.lowercased() }
    let unwanted = ["Content-Type", "Accept"] + (bodyCount <= 1 << 20 ? ["Expect"] : [])
    for name in unwanted where !names.contains(name.lowercased()) { lines.append("\(name):") }
    let list = lines.reduce(nil) { curl.slist_append($0, $1) }
    ccurl_set_pointer(curl, handle, CURLOPT_HTTPHEADER, list)
    return list
  }

  private func failure(_ code: CURLcode, _ incoming: IncomingAnswer) -> HTTPFailure {
    let wasSent = ccurl_count(curl, handle, CURLINFO_REQUEST_SIZE) > 0
    guard !incoming.isTooSlow else {
      return HTTPFailure(.late, mayHaveTakenEffect: true, "an answer arrives too slowly")
    }
    guard !incoming.isTooLong else {
      return HTTPFailure(.tooLong, mayHaveTakenEffect: true, "an answer is too long")
    }
    let reason = curl.easy_strerror(code).map { String(cString: $0) } ?? "it fails"
    // An open connection may have ended with the request on it, before there was no new one.
    return HTTPFailure(
      Self.kind(code, wasSent: wasSent), mayHaveTakenEffect: wasSent || wasOpen, reason)
  }

  private static func kind(_ code: CURLcode, wasSent: Bool) -> HTTPFailure.Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
      .unconnected
    case CURLE_OPERATION_TIMEDOUT: wasSent ? .late : .unconnected
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      .untrusted
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .lost
    default: wasSent ? .lost : .unusable
    }
  }
}

/// Takes a part of a body; any other number than that of the bytes ends the request.
private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ receiver: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver else { return 0 }
  let incoming = Unmanaged<IncomingAnswer>.fromOpaque(receiver).takeUnretainedValue()
  return incoming.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    ? size * count : 0
}

/// Takes one line of the head.
private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ receiver: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver else { return 0 }
  let incoming = Unmanaged<IncomingAnswer>.fromOpaque(receiver).takeUnretainedValue()
  return incoming.appendLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    ? size * count : 0
}
