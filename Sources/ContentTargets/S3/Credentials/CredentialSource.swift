import HTTPTransport

/// A way to get the credentials with which requests to a bucket are signed.
indirect enum CredentialSource: Sendable {
  /// Keys of the environment or of a profile.
  case keys(AmazonCredentials)
  /// The credentials of a role, which a token of another service asks for.
  case webIdentity(AmazonRole, token: IdentityToken)
  /// The credentials of a role, which other credentials ask for.
  case role(AmazonRole, source: CredentialSource)
  /// The credentials that Amazon gives to a container.
  case container(ContainerCredentials)
  /// The credentials that Amazon gives to a virtual machine.
  case instance(InstanceCredentials)

  /// `true` if a second fetch can return other credentials.
  var isTemporary: Bool { if case .keys = self { false } else { true } }

  /// Fetches the credentials.
  ///
  /// - Throws: the reason for which there are none, without a secret.
  func fetch(with requests: CredentialRequests) throws(TargetError) -> FetchedCredentials {
    switch self {
    case .keys(let credentials): return FetchedCredentials(credentials: credentials, end: nil)
    case .webIdentity(let role, let token):
      return try role.credentials(for: token.read(with: requests), with: requests)
    case .role(let role, let source):
      let assuming = try source.fetch(with: requests)
      return try role.credentials(assumedBy: assuming.credentials, with: requests)
    case .container(let container): return try container.fetch(with: requests)
    case .instance(let instance): return try instance.fetch(with: requests)
    }
  }
}
