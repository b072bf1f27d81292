extension Rule {
  /// The rules for the content folder.
  static let contentRules: [Row] = [
    (.error, "alias-expansion", "aliases must not add more than a million nodes to a file"),
    (
      .error, "ambiguous-time",
      "a local time must occur once: clocks neither skip it nor show it twice"
    ),
    (.error, "asset-ending", "an asset's file must end in letters and digits, such as '.png'"),
    (
      .warning, "asset-scale",
      "a picture at scale 2 or 3 must have that multiple of the size at scale 1"
    ),
    (
      .error, "bad-image",
      "a picture that content refers to must be readable"
    ),
    (.error, "bad-merge", "'<<' must merge a mapping or a list of mappings"),
    (
      .both, "broken-reference",
      "a reference must name an entry; a warning if only some readers lack it"
    ),
    (
      .both, "comment-in-text",
      "a '#' in a text must not begin a comment that loses the rest; an error if it causes one"
    ),
    (.error, "complex-key", "a key must be a text, not a list or a mapping"),
    (.error, "control-character", "a YAML file must hold no control character"),
    (.error, "cyclic-alias", "an alias must not occur inside the node that it names"),
    (.error, "cyclic-device", "a device must not be its own ancestor"),
    (.error, "cyclic-link", "a symbolic link must not lead back to itself"),
    (
      .error, "declared-pseudo-locale",
      "a build that makes the pseudo-locales must not find one in 'locales'"
    ),
    (.error, "dangling-link", "a symbolic link must lead to a file"),
    (.warning, "dead-end", "an entry of a 'flow' datatype must lead to another one"),
    (.error, "duplicate-datatype", "a datatype must be declared by one file"),
    (.error, "duplicate-id", "an entry must have one base, and one overlay per locale and device"),
    (.error, "duplicate-item", "an 'id' must occur once in a list"),
    (
      .both, "duplicate-key",
      "a key must occur once in a mapping; a warning where 'sources' allows it"
    ),
    (.error, "duplicate-locale", "a locale must be declared once"),
    (.error, "embargo-of-maintenance", "'embargo' must not occur in maintenance.yaml"),
    (.error, "embargo-without-from", "'embargo' must have 'from' beside it"),
    (.warning, "empty-bundle", "a bundle must select an entry"),
    (
      .error, "empty-condition",
      "a condition must have a key, and 'until' must be later than 'from'"
    ),
    (
      .error, "empty-document",
      "a file must not be empty; an overlay that changes nothing is '{}'"
    ),
    (.warning, "empty-pattern", "a pattern of a bundle must match an entry"),
    (
      .warning, "file-locale",
      "the locale in a string catalog's file name must be one that the file has texts of"
    ),
    (.error, "file-for-folder", "a file must not have the name of a folder of the content folder"),
    (.error, "file-name", "a file's name must have the form 'id.locale@device.yaml'"),
    (.error, "folder-for-file", "a folder must not have the name of a file of the content folder"),
    (
      .warning, "invisible-character",
      "a text must hold no invisible character that its language does not need"
    ),
    (
      .warning, "item-in-text",
      "a further line of a text must not begin like an item of a list"
    ),
    (
      .both, "large-config",
      "config, which every reader asks for, must stay below 16 kB; clients refuse more than 64 kB"
    ),
    (
      .both, "large-index",
      "the index of a locale and device must stay below 1 MB; clients refuse more than 4 MB"
    ),
    (
      .both, "large-list",
      "a list of a split bundle must stay below 1 MB; clients refuse more than 4 MB"
    ),
    (
      .both, "large-maintenance",
      "the texts for maintenance must stay below 1 MB; clients refuse more than 4 MB"
    ),
    (
      .warning, "large-tile",
      "a tile of a bundle with 'split: place' must stay below 1 MB"
    ),
    (.error, "link-outside", "a symbolic link must not lead out of the content folder"),
    (.error, "link-to-folder", "a symbolic link must not lead to a folder"),
    (
      .warning, "literal-markup",
      "a text must not hold comments or escapes of HTML or of programs, which readers see as they are"
    ),
    (
      .error, "literal-credential",
      "a channel must name the variables that hold its credentials, not the credentials"
    ),
    (
      .warning, "long-lifetime",
      "'ttl.app' must be at most 7 days, since clients ask for config at least once a week"
    ),
    (.error, "merge-conflict", "a merge conflict must be resolved"),
    (
      .warning, "misplaced-condition",
      "'when' works in entries and in items of lists; elsewhere it is content"
    ),
    (.error, "missing-field", "a required field must have a value for every reader"),
    (.error, "missing-key", "a mapping must have the keys that it requires"),
    (
      .both, "missing-plural",
      "a plural must have every category of its language; a warning in a catalog"
    ),
    (
      .error, "missing-project",
      "the content folder must hold a 'content.yaml' that can be read as a project"
    ),
    (
      .error, "markdown",
      "a text of type 'markdown' must be CommonMark without raw HTML, with links and images of its rules"
    ),
    (.both, "more-mistakes", "the list of mistakes is cut at a limit; correct these first"),
    (.error, "multiple-documents", "a file must hold one YAML document"),
    (.error, "nesting-too-deep", "nodes must not be nested deeper than 64 levels"),
    (.error, "not-a-choice", "a value must be one of those that its field declares"),
    (
      .error, "not-a-file",
      "a path of the content folder must be a plain file, not a pipe, socket or device"
    ),
    (.error, "not-localized", "a locale's overlay must hold localized fields only"),
    (
      .error, "null",
      "a property list has no null, so a file that holds only null cannot be converted"
    ),
    (
      .warning, "null-in-catalog",
      "a list of a string catalog must hold no null; readers get an empty text"
    ),
    (.error, "null-in-list", "a list must hold no null, which property lists do not have"),
    (
      .error, "out-of-range", "a number or a text's length must be within the limits of its field"
    ),
    (.error, "overlay-without-entry", "an overlay must have an entry that it changes"),
    (
      .error, "pattern",
      "a text must match its field's pattern, and a pattern must be a regular expression"
    ),
    (
      .error, "place-field",
      "a bundle with 'split: place' must have one field of type 'place', which readers get"
    ),
    (
      .both, "placeholders",
      "a translation must have its source text's placeholders; a warning in a catalog"
    ),
    (
      .warning, "pseudo-length",
      "a text that is 40 % longer in another language should fit its field's 'maxLength'"
    ),
    (
      .warning, "pseudo-pattern",
      "a localized text should match its field's pattern in other languages, too"
    ),
    (.error, "split-datatypes", "a bundle with 'split: entry' must hold one datatype"),
    (.error, "split-startup", "a bundle must not have both 'split' and 'startup'"),
    (.error, "tab-indentation", "lines must be indented with spaces"),
    (
      .both, "text-kind",
      "a translation in a catalog must be a text, list, mapping or plural, as its source text is; a warning if no text is lost"
    ),
    (.warning, "unbundled-entry", "an entry must be in a bundle, or no reader gets it"),
    (.both, "unclosed-quote", "a quoted text must be closed before the next key"),
    (.warning, "unconsulted-overlay", "an overlay must be consulted for some reader"),
    (.error, "undefined-anchor", "an alias must name an anchor before it in the file"),
    (.error, "unencodable", "a value must be one that the bundle's format can hold"),
    (
      .warning, "unparsed-markdown",
      "signs of Markdown must have an effect, or be written as text"
    ),
    (
      .error, "unplaced-entry",
      "an entry of a bundle with 'split: place' must have one place for all readers"
    ),
    (.error, "unknown-asset", "an asset must be a file below 'assets'"),
    (.error, "unknown-cache", "a channel's 'cdn' must name caches that contentc knows"),
    (.error, "unknown-country", "a country must be a code of ISO 3166-1, such as GB"),
    (.error, "unknown-datatype", "an entry must have a declared datatype"),
    (.error, "unknown-device", "a device must be declared in 'devices'"),
    (
      .both, "unknown-field",
      "a field must be declared by its datatype; in an open one, a name that is nearly declared warns"
    ),
    (.error, "unknown-item", "an overlay must not add items to a list that is not localized"),
    (.error, "unknown-key", "a key must be one that its mapping accepts"),
    (.error, "unknown-locale", "a locale must be declared, or be in a declared locale's chain"),
    (
      .error, "unknown-projection", "a bundle's projection must be declared by one of its datatypes"
    ),
    (.error, "unknown-tag", "a YAML tag must be one of those that contentc knows"),
    (
      .warning, "unknown-text",
      "a text of a catalog must occur in the source locale's catalog"
    ),
    (.error, "unknown-time-zone", "a time zone must be one of IANA's, such as Europe/Paris"),
    (.error, "unknown-type", "a field's type must be one that contentc knows"),
    (.warning, "unmet-condition", "a condition must hold for some reader"),
    (
      .warning, "unreachable-entry",
      "an entry of a 'flow' datatype must be reachable from a startup bundle"
    ),
    (.warning, "unread-file", "a file of the content folder must be one that the build reads"),
    (.error, "unreadable-file", "a file or a folder must be readable"),
    (.warning, "unused-anchor", "an anchor must have an alias"),
    (.warning, "unused-category", "a plural must have no category that its language does not use"),
    (
      .warning, "untyped-text",
      "a text without a declared type must be in quotes if it looks like a number or a Boolean value"
    ),
    (.error, "unused-key", "a key must have an effect beside the others of its mapping"),
    (.error, "wrong-tag", "a YAML tag must fit its value"),
    (.error, "wrong-type", "a value must have the form that its key or field requires"),
    (.error, "yaml-syntax", "a file must be well-formed YAML"),
  ]
}
