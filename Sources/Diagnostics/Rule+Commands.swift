extension Rule {
  /// The rules that a project or a caller sets as a gate.
  ///
  /// A run that only these rules stop ends with status 2.
  static let gateRules: [Row] = [
    (
      .error, "baked-age",
      "baked content must not be older than the live release by more than '--max-age', or than a purge"
    ),
    (.error, "coverage", "a locale must cover at least the share of '--fail-under'"),
    (
      .error, "outdated",
      "with '--fail-on outdated', translations.lock must exist and no translation be outdated"
    ),
    (.error, "diff-added", "no entry may be added with '--fail-on added'"),
    (.error, "diff-changed", "no entry may be changed with '--fail-on changed'"),
    (.error, "diff-removed", "no entry may be removed with '--fail-on removed'"),
    (
      .error, "diff-unknown",
      "with '--fail-on', the target must have the objects that show the changes"
    ),
    (
      .both, "number-room",
      "the numbers of the live release must leave room for those of later releases and purges"
    ),
    (.both, "key-document-age", "a key document must be renewed 60 days before it ends"),
    (.error, "pseudo-locales", "a channel must have 'pseudo: true' to get pseudo-locales"),
    (
      .both, "signature-age",
      "a signed config must be current for more than a quarter of its time, or than '--fail-under'"
    ),
    (.both, "unsigned-key-document", "a changed key document must be signed before it counts"),
    (.both, "staleness", "no change may take longer to reach every reader than 'stalenessLimit'"),
  ]

  /// The rules for arguments, local files, targets and caches.
  static let commandRules: [Row] = [
    (.error, "changed-file", "a file must not change while a command edits it"),
    (
      .warning, "clock-ahead",
      "the clocks of publishers must agree, so that releases are issued in order"
    ),
    (
      .warning, "clock-behind",
      "the clock of a machine that signs must not be behind the signed config, or the target"
    ),
    (.warning, "embargo-ended", "entries under embargo must be published when it ends"),
    (
      .error, "key-document",
      "a key document must be of this app and channel, and signed by the keys before it"
    ),
    (
      .error, "signing-draft",
      "a draft must be whole, and sign no more than its release needs"
    ),
    (.error, "missing-keys", "a signed channel must have a first key document"),
    (
      .error, "public-key", "a public key must be an Ed25519 key, in PEM or as ssh-keygen writes it"
    ),
    (.error, "secret-in-content", "secret keys must not be in the content folder"),
    (.error, "secret-key", "a new secret key must not replace another one"),
    (.both, "signer", "a signer of the machine must have a key of its role"),
    (.error, "unsigned-channel", "a command about keys needs a channel with 'signing'"),
    (.both, "unverified", "a signed config must be one that an app accepts"),
    (
      .both, "key-document-room",
      "the key documents of a channel must leave room for later ones"
    ),
    (.warning, "signature-length", "a config must not be signed for longer than 'validFor'"),
    (.warning, "left-alone", "files at a target that contentc did not write are left alone"),
    (.warning, "prune", "files at a target that a prune cannot read are left alone"),
    (.error, "too-large", "a file must not exceed the size limit for its kind"),
    (.error, "baked-files", "baked files must be whole, and written by 'bake'"),
    (.error, "bad-duration", "a duration must be seconds or have a form such as 2m"),
    (.error, "bad-field", "a field's path must have a form such as badges.new.label"),
    (.error, "bad-hash", "an asset must be named by its SHA-256 in hex"),
    (.error, "bad-pattern", "an entry must be named by its id or a glob"),
    (.error, "bad-property-list", "a file must be a well-formed property list or JSON"),
    (.error, "bad-time", "a moment must have a form such as 10:30 or 2026-11-21T10:30"),
    (.error, "bad-window", "a maintenance must end after it begins, and in the future"),
    (.error, "binary-to-terminal", "a binary property list must go to a file"),
    (.error, "cache-address", "the address of a build cache must be one of those in docs/cache.md"),
    (.both, "cache-purge", "every cache of the channel must accept the purge"),
    (.error, "cannot-listen", "the preview must be able to listen on its port"),
    (
      .warning, "changed-address",
      "a channel's target, url and cdn should be those of the live release, or of '--base'"
    ),
    (.error, "content-exists", "'init' must not find a content folder"),
    (.error, "listen", "'--listen' must be a host and a port"),
    (
      .error, "lost-race",
      "another publisher was first; nothing was changed, so run the command again"
    ),
    (.error, "missing-content", "there must be a content folder"),
    (.error, "missing-executable", "'contentc-preview' must be installed beside 'contentc'"),
    (.error, "missing-file", "a file that the command line names must exist"),
    (.warning, "missing-objects", "the target must have every object of the live release"),
    (.warning, "missing-purge", "the target must have the files that say what purges removed"),
    (.error, "missing-release", "the channel must have the named release"),
    (.error, "missing-target", "the target must have the object that a release names"),
    (
      .error, "no-conditions",
      "a target must support conditional writes, or '--single-writer' must be given"
    ),
    (
      .error, "notify-failed",
      "a 'notify' command of the settings must succeed; the release is live in any case"
    ),
    (.error, "nothing-named", "a purge must name entries, a release or an asset"),
    (.error, "odd-path", "a path in a printed configuration must need no quotes"),
    (.error, "outdated-build", "'--built' must find a build of the current content"),
    (
      .warning, "not-restored",
      "a restored entry should come back to all readers from whom a purge removed it"
    ),
    (.error, "output", "standard output must accept the result"),
    (.error, "output-in-content", "the output folder must not be in the content folder"),
    (.error, "port-taken", "the preview's port must be free"),
    (.both, "public-url", "the channel's URL must answer with the release that was published"),
    (
      .both, "published-since",
      "a release was published while a purge was unfinished, or while a rollback ran"
    ),
    (
      .error, "purge-unfinished",
      "a purge must reach every cache and remove every object before it is finished"
    ),
    (.warning, "purged-reference", "a field should not refer to a purged entry"),
    (.error, "purgers", "'--purgers' must be addresses or networks"),
    (
      .error, "refused",
      "the release is refused: the target is another app's, too new, or the content was purged"
    ),
    (.warning, "remote-cache", "the build cache must answer; the build continues without it"),
    (.warning, "required-field", "a purge should leave fields that their datatype requires"),
    (.both, "restored-config", "config must not be older than its channel's purges and releases"),
    (.warning, "shown-elsewhere", "an object stays at the target while a live release shows it"),
    (
      .error, "target-address",
      "a target's address must be a folder, s3://bucket/prefix or rclone:remote:path"
    ),
    (.error, "target-busy", "the target is in use by another command"),
    (.error, "target-denied", "the target must accept the credentials"),
    (.error, "target-failed", "the target must carry out each request"),
    (.error, "target-unreachable", "the target must be reachable"),
    (
      .both, "translation-cell",
      "a translation must be a text, not an error or a formula of a spreadsheet"
    ),
    (
      .warning, "translation-copies",
      "most translations of a file must differ from their source texts"
    ),
    (
      .error, "translation-file",
      "a file of translations must be well-formed XLIFF 1.2, string catalog or CSV, in UTF-8"
    ),
    (
      .both, "translation-incomplete",
      "a plural, or a list without ids, must be translated as a whole"
    ),
    (
      .both, "translation-locale",
      "a file of translations must be from the source locale into declared locales"
    ),
    (
      .error, "translation-lock",
      "a line of translations.lock must be a unit, a locale and two hashes"
    ),
    (
      .both, "translation-source",
      "a translation must be made from the present source text"
    ),
    (
      .warning, "translation-space",
      "a translation must keep the white space at the ends of its source, and no-break spaces"
    ),
    (.error, "translation-state", "the state of a translation must be one of its format's"),
    (
      .error, "translation-text",
      "a text for translators, or of theirs, must not have characters that formats cannot hold"
    ),
    (
      .error, "translation-unit",
      "a unit must have an id that occurs once, a source, and texts without inline elements"
    ),
    (
      .both, "translation-unknown",
      "a unit of an imported file must be a text of the content"
    ),
    (
      .error, "translation-unwritable",
      "an imported text must fit into the YAML file that it belongs into"
    ),
    (.error, "unwritable-file", "a file that a command writes must be writable"),
    (.error, "unknown-bundle", "a bundle must be one of the live release"),
    (.error, "unknown-channel", "a channel must be one of content.yaml"),
    (.error, "unknown-command", "a command must be one of those that 'contentc help' lists"),
    (
      .error, "unknown-editor",
      "an editor must be one that 'contentc preview --help' names, or an address"
    ),
    (.error, "unknown-entry", "an entry must occur in the content or in the live release"),
    (.error, "unknown-rule", "a rule must be one of this list"),
    (.error, "unknown-server", "a server must be one of those that 'contentc server' prints"),
    (
      .warning, "unreadable-channel",
      "a channel that was not named cannot be read; the others are shown"
    ),
    (.error, "unreadable-content", "the content folder must be readable"),
    (.error, "unreadable-object", "an object of the target must match its hash"),
    (
      .error, "unsafe-settings",
      "the settings file must belong to the user or to root, and only its owner may write it"
    ),
    (.error, "unwritable", "files and folders must be writable"),
    (
      .error, "upstream", "'--upstream' must be a scheme and a host, and the server must be a cache"
    ),
    (.error, "usage", "the arguments must be those of the command"),
    (.error, "which-channel", "a channel must be named where there are several"),
  ]
}
