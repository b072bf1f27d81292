/// A rule that content or a command line can break; messages end in its name, in brackets.
///
/// A new rule is a case here and a branch of `definition`; documents and tests follow from both.
package enum Rule: String, CaseIterable, Sendable {
  // The content folder.
  case aliasExpansion = "alias-expansion"
  case ambiguousTime = "ambiguous-time"
  case assetEnding = "asset-ending"
  case assetScale = "asset-scale"
  case badImage = "bad-image"
  case badMerge = "bad-merge"
  case brokenReference = "broken-reference"
  case commentInText = "comment-in-text"
  case complexKey = "complex-key"
  case controlCharacter = "control-character"
  case cyclicAlias = "cyclic-alias"
  case cyclicDevice = "cyclic-device"
  case cyclicLink = "cyclic-link"
  case danglingLink = "dangling-link"
  case deadEnd = "dead-end"
  case declaredPseudoLocale = "declared-pseudo-locale"
  case duplicateDatatype = "duplicate-datatype"
  case duplicateID = "duplicate-id"
  case duplicateItem = "duplicate-item"
  case duplicateKey = "duplicate-key"
  case duplicateLocale = "duplicate-locale"
  case embargoOfMaintenance = "embargo-of-maintenance"
  case embargoWithoutFrom = "embargo-without-from"
  case emptyBundle = "empty-bundle"
  case emptyCondition = "empty-condition"
  case emptyDocument = "empty-document"
  case emptyPattern = "empty-pattern"
  case fileForFolder = "file-for-folder"
  case fileLocale = "file-locale"
  case fileName = "file-name"
  case folderForFile = "folder-for-file"
  case insecureAddress = "insecure-address"
  case invalidBase64 = "invalid-base64"
  case invalidUTF8 = "invalid-utf8"
  case invisibleCharacter = "invisible-character"
  case itemInText = "item-in-text"
  case largeConfig = "large-config"
  case largeIndex = "large-index"
  case largeList = "large-list"
  case largeMaintenance = "large-maintenance"
  case largeTile = "large-tile"
  case linkOutside = "link-outside"
  case linkToFolder = "link-to-folder"
  case literalCredential = "literal-credential"
  case literalMarkup = "literal-markup"
  case longLifetime = "long-lifetime"
  case markdown
  case mergeConflict = "merge-conflict"
  case misplacedCondition = "misplaced-condition"
  case missingField = "missing-field"
  case missingKey = "missing-key"
  case missingPlural = "missing-plural"
  case missingProject = "missing-project"
  case moreMistakes = "more-mistakes"
  case multipleDocuments = "multiple-documents"
  case nestingTooDeep = "nesting-too-deep"
  case notAChoice = "not-a-choice"
  case notAFile = "not-a-file"
  case notLocalized = "not-localized"
  case null
  case nullInCatalog = "null-in-catalog"
  case nullInList = "null-in-list"
  case outOfRange = "out-of-range"
  case overlayWithoutEntry = "overlay-without-entry"
  case pattern
  case placeField = "place-field"
  case placeholders
  case pseudoLength = "pseudo-length"
  case pseudoPattern = "pseudo-pattern"
  case splitDatatypes = "split-datatypes"
  case splitStartup = "split-startup"
  case tabIndentation = "tab-indentation"
  case textKind = "text-kind"
  case unbundledEntry = "unbundled-entry"
  case unclosedQuote = "unclosed-quote"
  case unconsultedOverlay = "unconsulted-overlay"
  case undefinedAnchor = "undefined-anchor"
  case unencodable
  case unknownAsset = "unknown-asset"
  case unknownCache = "unknown-cache"
  case unknownCountry = "unknown-country"
  case unknownDatatype = "unknown-datatype"
  case unknownDevice = "unknown-device"
  case unknownField = "unknown-field"
  case unknownItem = "unknown-item"
  case unknownKey = "unknown-key"
  case unknownLocale = "unknown-locale"
  case unknownProjection = "unknown-projection"
  case unknownTag = "unknown-tag"
  case unknownText = "unknown-text"
  case unknownTimeZone = "unknown-time-zone"
  case unknownType = "unknown-type"
  case unmetCondition = "unmet-condition"
  case unparsedMarkdown = "unparsed-markdown"
  case unplacedEntry = "unplaced-entry"
  case unreachableEntry = "unreachable-entry"
  case unreadFile = "unread-file"
  case unreadableFile = "unreadable-file"
  case untypedText = "untyped-text"
  case unusedAnchor = "unused-anchor"
  case unusedCategory = "unused-category"
  case unusedKey = "unused-key"
  case wrongTag = "wrong-tag"
  case wrongType = "wrong-type"
  case yamlSyntax = "yaml-syntax"

  // Gates: the exit status is 2 if no other rule stops the run.
  case bakedAge = "baked-age"
  case coverage
  case diffAdded = "diff-added"
  case diffChanged = "diff-changed"
  case diffRemoved = "diff-removed"
  case diffUnknown = "diff-unknown"
  case keyDocumentAge = "key-document-age"
  case numberRoom = "number-room"
  case outdated
  case pseudoLocales = "pseudo-locales"
  case signatureAge = "signature-age"
  case staleness
  case unsignedKeyDocument = "unsigned-key-document"

  // Arguments, local files, targets and caches.
  case badDuration = "bad-duration"
  case badField = "bad-field"
  case badHash = "bad-hash"
  case badPattern = "bad-pattern"
  case badPropertyList = "bad-property-list"
  case badTime = "bad-time"
  case badWindow = "bad-window"
  case bakedFiles = "baked-files"
  case binaryToTerminal = "binary-to-terminal"
  case cacheAddress = "cache-address"
  case cachePurge = "cache-purge"
  case cannotListen = "cannot-listen"
  case changedAddress = "changed-address"
  case changedFile = "changed-file"
  case clockAhead = "clock-ahead"
  case clockBehind = "clock-behind"
  case contentExists = "content-exists"
  case embargoEnded = "embargo-ended"
  case keptTexts = "kept-texts"
  case keyDocument = "key-document"
  case keyDocumentRoom = "key-document-room"
  case leftAlone = "left-alone"
  case listen
  case lostRace = "lost-race"
  case missingContent = "missing-content"
  case missingFile = "missing-file"
  case missingKeys = "missing-keys"
  case missingObjects = "missing-objects"
  case missingPurge = "missing-purge"
  case missingRelease = "missing-release"
  case missingTarget = "missing-target"
  case noConditions = "no-conditions"
  case notRestored = "not-restored"
  case nothingNamed = "nothing-named"
  case notifyFailed = "notify-failed"
  case oddPath = "odd-path"
  case outdatedBuild = "outdated-build"
  case output
  case outputInContent = "output-in-content"
  case portTaken = "port-taken"
  case prune
  case publicKey = "public-key"
  case publicURL = "public-url"
  case publishedSince = "published-since"
  case purgeUnfinished = "purge-unfinished"
  case purgedReference = "purged-reference"
  case purgers
  case refused
  case remoteCache = "remote-cache"
  case requiredField = "required-field"
  case restoredConfig = "restored-config"
  case returnedContent = "returned-content"
  case returnedObjects = "returned-objects"
  case runningRollout = "running-rollout"
  case secretInContent = "secret-in-content"
  case secretKey = "secret-key"
  case shownElsewhere = "shown-elsewhere"
  case signatureLength = "signature-length"
  case signer
  case signingDraft = "signing-draft"
  case targetAddress = "target-address"
  case targetBusy = "target-busy"
  case targetDenied = "target-denied"
  case targetFailed = "target-failed"
  case targetUnreachable = "target-unreachable"
  case tooLarge = "too-large"
  case translationCell = "translation-cell"
  case translationCopies = "translation-copies"
  case translationFile = "translation-file"
  case translationIncomplete = "translation-incomplete"
  case translationLocale = "translation-locale"
  case translationLock = "translation-lock"
  case translationSource = "translation-source"
  case translationSpace = "translation-space"
  case translationState = "translation-state"
  case translationText = "translation-text"
  case translationUnit = "translation-unit"
  case translationUnknown = "translation-unknown"
  case translationUnwritable = "translation-unwritable"
  case unknownBundle = "unknown-bundle"
  case unknownChannel = "unknown-channel"
  case unknownCommand = "unknown-command"
  case unknownEditor = "unknown-editor"
  case unknownEntry = "unknown-entry"
  case unknownRule = "unknown-rule"
  case unknownServer = "unknown-server"
  case unreadableChannel = "unreadable-channel"
  case unreadableContent = "unreadable-content"
  case unreadableObject = "unreadable-object"
  case unsafeSettings = "unsafe-settings"
  case unsignedChannel = "unsigned-channel"
  case unverified
  case unwritable
  case unwritableFile = "unwritable-file"
  case upstream
  case usage
  case whichChannel = "which-channel"
  case workflowCommand = "workflow-command"
}

extension Rule {
  /// The properties of the rule.
  package var definition: Definition {
    switch self {
    // The content folder.
    case .aliasExpansion:
      .content(.error, "aliases must not add more than a million nodes to a file")
    case .ambiguousTime:
      .content(
        .error,
        "a local time must occur once: clocks neither skip it nor show it twice",
        example: Example(
          "sale: 2026-03-29T02:30 Europe/Paris", cure: "sale: 2026-03-29T03:30 Europe/Paris")
      )
    case .assetEnding:
      .content(.error, "an asset's file must end in letters and digits, such as '.png'")
    case .assetScale:
      .content(.warning, "a picture at scale 2 or 3 must have that multiple of the size at scale 1")
    case .badImage: .content(.error, "a picture that content refers to must be readable")
    case .badMerge: .content(.error, "'<<' must merge a mapping or a list of mappings")
    case .brokenReference:
      .content(
        .both,
        "a reference must name an entry; a warning if only some readers lack it",
        example: Example("related: product/roses", cure: "related: category/roses")
      )
    case .commentInText:
      .content(
        .both,
        "a '#' in a text must not begin a comment that loses the rest; an error if it causes one",
        example: Example("title: Bread #1", cure: "title: \"Bread #1\"")
      )
    case .complexKey: .content(.error, "a key must be a text, not a list or a mapping")
    case .controlCharacter:
      .content(.error, "a YAML file must hold no control character", [.losesText])
    case .cyclicAlias: .content(.error, "an alias must not occur inside the node that it names")
    case .cyclicDevice: .content(.error, "a device must not be its own ancestor")
    case .cyclicLink: .content(.error, "a symbolic link must not lead back to itself")
    case .danglingLink: .content(.error, "a symbolic link must lead to a file")
    case .deadEnd: .content(.warning, "an entry of a 'flow' datatype must lead to another one")
    case .declaredPseudoLocale:
      .content(.error, "a build that makes the pseudo-locales must not find one in 'locales'")
    case .duplicateDatatype: .content(.error, "a datatype must be declared by one file")
    case .duplicateID:
      .content(
        .error,
        "an entry must have one base, and one overlay per locale and device",
        example: Example(
          "title: Tulip", in: "entries/product/bonsai.yml", renamedTo: "entries/product/tulip.yml")
      )
    case .duplicateItem: .content(.error, "an 'id' must occur once in a list")
    case .duplicateKey:
      .content(
        .both,
        "a key must occur once in a mapping; a warning where 'sources' allows it", [.needsProject],
        example: Example("title: Bread\ntitle: Cake", cure: "title: Cake")
      )
    case .duplicateLocale: .content(.error, "a locale must be declared once")
    case .embargoOfMaintenance: .content(.error, "'embargo' must not occur in maintenance.yaml")
    case .embargoWithoutFrom: .content(.error, "'embargo' must have 'from' beside it")
    case .emptyBundle: .content(.warning, "a bundle must select an entry")
    case .emptyCondition:
      .content(.error, "a condition must have a key, and 'until' must be later than 'from'")
    case .emptyDocument:
      .content(.error, "a file must not be empty; an overlay that changes nothing is '{}'")
    case .emptyPattern: .content(.warning, "a pattern of a bundle must match an entry")
    case .fileForFolder:
      .content(.error, "a file must not have the name of a folder of the content folder")
    case .fileLocale:
      .content(
        .warning,
        "the locale in a string catalog's file name must be one that the file has texts of",
        example: Example(
          "fr: {welcome: Bienvenue}", in: "strings/app.de.yml", cure: "de: {welcome: Willkommen}")
      )
    case .fileName:
      .content(
        .error,
        "a file's name must have the form 'id.locale@device.yaml'",
        example: Example(
          "title: Tulip", in: "entries/product/tulip.yalm", renamedTo: "entries/product/tulip.yaml")
      )
    case .folderForFile:
      .content(.error, "a folder must not have the name of a file of the content folder")
    case .insecureAddress:
      .content(
        .warning,
        "the address of a 'url' field must begin with https instead of http, which phones refuse to load",
        example: Example("site: http://www.example.com", cure: "site: https://www.example.com")
      )
    case .invalidBase64:
      .content(.error, "a text with the tag '!!binary' must be base64", [.losesText])
    case .invalidUTF8: .content(.error, "a YAML file must be UTF-8", [.losesText])
    case .invisibleCharacter:
      .content(.warning, "a text must hold no invisible character that its language does not need")
    case .itemInText:
      .content(
        .warning,
        "a further line of a text must not begin like an item of a list",
        example: Example("tags:\n  - fresh\n     - new", cure: "tags:\n  - fresh\n  - new")
      )
    case .largeConfig:
      .content(
        .both,
        "config, which every reader asks for, must stay below 16 kB; clients refuse more than 64 kB",
        [.limitsSizeOfEntries]
      )
    case .largeIndex:
      .content(
        .both,
        "the index of a locale and device must stay below 1 MB; clients refuse more than 4 MB",
        [.limitsSizeOfEntries]
      )
    case .largeList:
      .content(
        .both,
        "a list of a split bundle must stay below 1 MB; clients refuse more than 4 MB",
        [.limitsSizeOfEntries]
      )
    case .largeMaintenance:
      .content(
        .both,
        "the texts for maintenance must stay below 1 MB; clients refuse more than 4 MB"
      )
    case .largeTile:
      .content(
        .warning,
        "a tile of a bundle with 'split: place' must stay below 1 MB", [.limitsSizeOfEntries]
      )
    case .linkOutside: .content(.error, "a symbolic link must not lead out of the content folder")
    case .linkToFolder: .content(.error, "a symbolic link must not lead to a folder")
    case .literalCredential:
      .content(
        .error,
        "a channel must name the variables that hold its credentials, not the credentials"
      )
    case .literalMarkup:
      .content(
        .warning,
        "a text must not hold comments or escapes of HTML or of programs, which readers see as they are",
        example: Example("title: Rose &amp; Co.", cure: "title: Rose & Co.")
      )
    case .longLifetime:
      .content(
        .warning,
        "'ttl.app' must be at most 7 days, since clients ask for config at least once a week"
      )
    case .markdown:
      .content(
        .error,
        "a text of type 'markdown' must be CommonMark without raw HTML, with links and images of its rules"
      )
    case .mergeConflict:
      .content(
        .error,
        "a merge conflict must be resolved",
        example: Example(
          "<<<<<<< HEAD\ntitle: Bread\n=======\ntitle: Cake\n>>>>>>> cakes", cure: "title: Cake")
      )
    case .misplacedCondition:
      .content(.warning, "'when' works in entries and in items of lists; elsewhere it is content")
    case .missingField: .content(.error, "a required field must have a value for every reader")
    case .missingKey:
      .content(.error, "a mapping must have the keys that it requires", [.mayHideFields])
    case .missingPlural:
      .content(
        .both,
        "a plural must have every category of its language; a warning in a catalog, unless the source text lacks 'other'",
        [.comparesCatalogs],
        example: Example("stems: {one: A stem}", cure: "stems: {one: A stem, other: Stems}")
      )
    case .missingProject:
      .content(
        .error,
        "the content folder must hold a 'content.yaml' that can be read as a project",
        ending: .missingInput
      )
    case .moreMistakes:
      .content(.both, "the list of mistakes is cut at a limit; correct these first")
    case .multipleDocuments: .content(.error, "a file must hold one YAML document")
    case .nestingTooDeep: .content(.error, "nodes must not be nested deeper than 64 levels")
    case .notAChoice:
      .content(
        .error,
        "a value must be one of those that its field declares", [.declarationMayBeWrong]
      )
    case .notAFile:
      .content(
        .error,
        "a path of the content folder must be a plain file, not a pipe, socket or device"
      )
    case .notLocalized:
      .content(
        .error,
        "a locale's overlay must hold localized fields only",
        example: Example("price: 4", in: "entries/product/bonsai.fr.yaml", cure: "title: Bonsaï")
      )
    case .null:
      .content(
        .error,
        "a property list has no null, so a file that holds only null cannot be converted"
      )
    case .nullInCatalog:
      .content(.warning, "a list of a string catalog must hold no null; readers get an empty text")
    case .nullInList:
      .content(
        .error,
        "a list must hold no null, which property lists do not have",
        example: Example("tags: [fresh, ~]", cure: "tags: [fresh]")
      )
    case .outOfRange:
      .content(
        .error,
        "a number or a text's length must be within the limits of its field",
        [.declarationMayBeWrong], example: Example("stock: 9223372036854775808", cure: "stock: 1")
      )
    case .overlayWithoutEntry: .content(.error, "an overlay must have an entry that it changes")
    case .pattern:
      .content(
        .error,
        "a text must match its field's pattern, and a pattern must be a regular expression",
        [.declarationMayBeWrong]
      )
    case .placeField:
      .content(
        .error,
        "a bundle with 'split: place' must have one field of type 'place', which readers get"
      )
    case .placeholders:
      .content(
        .both,
        "a translation must have its source text's placeholders; a warning in a catalog",
        [.comparesCatalogs],
        example: Example(
          "title: \"Bonsaï de {name}\"", in: "entries/product/bonsai.fr.yaml", cure: "title: Bonsaï"
        )
      )
    case .pseudoLength:
      .content(
        .warning,
        "a text that is 40 % longer in another language should fit its field's 'maxLength'"
      )
    case .pseudoPattern:
      .content(
        .warning,
        "a localized text should match its field's pattern in other languages, too"
      )
    case .splitDatatypes: .content(.error, "a bundle with 'split: entry' must hold one datatype")
    case .splitStartup: .content(.error, "a bundle must not have both 'split' and 'startup'")
    case .tabIndentation:
      .content(
        .error,
        "lines must be indented with spaces",
        example: Example("hero:\n\ttitle: Bread", cure: "hero:\n  title: Bread")
      )
    case .textKind:
      .content(
        .both,
        "a translation in a catalog must be a text, list, mapping or plural, as its source text is; a warning if no text is lost",
        [.needsSourceTexts, .comparesCatalogs, .followsFromSourceLocale],
        example: Example(
          "fr: {days: Lundi}", in: "strings/app.fr.yml", cure: "fr: {days: [Lu, Ma]}")
      )
    case .unbundledEntry: .content(.warning, "an entry must be in a bundle, or no reader gets it")
    case .unclosedQuote:
      .content(
        .both,
        "a quoted text must be closed before the next key",
        example: Example("title: \"Hello\ntext: World", cure: "title: \"Hello\"\ntext: World")
      )
    case .unconsultedOverlay: .content(.warning, "an overlay must be consulted for some reader")
    case .undefinedAnchor:
      .content(
        .error,
        "an alias must name an anchor before it in the file",
        example: Example("tags: [*b]", cure: "tags: [b]")
      )
    case .unencodable: .content(.error, "a value must be one that the bundle's format can hold")
    case .unknownAsset:
      .content(
        .error,
        "an asset must be a file below 'assets'",
        example: Example("image: bonsai", cure: "image: plants/bonsai.txt")
      )
    case .unknownCache: .content(.error, "a channel's 'cdn' must name caches that contentc knows")
    case .unknownCountry:
      .content(
        .error,
        "a country must be a code of ISO 3166-1, such as GB",
        example: Example(
          "title: Bread\nwhen: {country: USA}", cure: "title: Bread\nwhen: {country: US}")
      )
    case .unknownDatatype: .content(.error, "an entry must have a declared datatype")
    case .unknownDevice:
      .content(
        .error,
        "a device must be declared in 'devices'", [.needsDevices],
        example: Example(
          "title: Bread\nwhen: {device: pone}", cure: "title: Bread\nwhen: {device: phone}")
      )
    case .unknownField:
      .content(
        .both,
        "a field must be declared by its datatype; in an open one, a name that is nearly declared warns",
        example: Example("tittle: Bread", cure: "title: Bread")
      )
    case .unknownItem:
      .content(
        .error,
        "an overlay must not add items to a list that is not localized", [.needsSourceTexts]
      )
    case .unknownKey:
      .content(
        .error,
        "a key must be one that its mapping accepts", [.mayHideFields, .mayHideDevices],
        example: Example(
          "stems: {one: A stem, ohter: Stems}", cure: "stems: {one: A stem, other: Stems}")
      )
    case .unknownLocale:
      .content(
        .error,
        "a locale must be declared, or be in a declared locale's chain",
        [.mayHideDevices, .needsLocales],
        example: Example(
          "title: Bread\nwhen: {locale: fr-FR}", cure: "title: Bread\nwhen: {locale: fr}")
      )
    case .unknownProjection:
      .content(.error, "a bundle's projection must be declared by one of its datatypes")
    case .unknownTag:
      .content(
        .error,
        "a YAML tag must be one of those that contentc knows", [.losesText],
        example: Example("title: !Sale", cure: "title: \"!Sale\"")
      )
    case .unknownText:
      .content(
        .warning,
        "a text of a catalog must occur in the source locale's catalog",
        [.needsSourceTexts, .comparesCatalogs, .followsFromSourceLocale],
        example: Example(
          "de: {welcom: Willkommen}", in: "strings/app.de.yml", cure: "de: {welcome: Willkommen}")
      )
    case .unknownTimeZone:
      .content(
        .error,
        "a time zone must be one of IANA's, such as Europe/Paris",
        example: Example("sale: 2026-12-24T18:00 GMT", cure: "sale: 2026-12-24T18:00 UTC")
      )
    case .unknownType:
      .content(
        .error,
        "a field's type must be one that contentc knows",
        example: Example(
          "fields: {title: str}", in: "datatypes/category.yaml", cure: "fields: {title: string}")
      )
    case .unmetCondition:
      .content(.warning, "a condition must hold for some reader", [.needsLocales, .needsDevices])
    case .unparsedMarkdown:
      .content(
        .warning,
        "signs of Markdown must have an effect, or be written as text",
        example: Example("body: Our **new roses", cure: "body: Our **new** roses")
      )
    case .unplacedEntry:
      .content(
        .error,
        "an entry of a bundle with 'split: place' must have one place for all readers"
      )
    case .unreachableEntry:
      .content(.warning, "an entry of a 'flow' datatype must be reachable from a startup bundle")
    case .unreadFile:
      .content(
        .warning,
        "a file of the content folder must be one that the build reads",
        example: Example(
          "title: Tulip", in: "entries/product/tulip.yaml.txt",
          renamedTo: "entries/product/tulip.yaml")
      )
    case .unreadableFile:
      .content(
        .error,
        "a file or a folder must be readable", [.explainsOthers], ending: .unreadableInput
      )
    case .untypedText:
      .content(
        .warning,
        "a text without a declared type must be in quotes if it looks like a number or a Boolean value",
        example: Example("more: yes", cure: "more: true")
      )
    case .unusedAnchor:
      .content(
        .warning,
        "an anchor must have an alias",
        example: Example("title: &more flowers", cure: "title: \"&more flowers\"")
      )
    case .unusedCategory:
      .content(.warning, "a plural must have no category that its language does not use")
    case .unusedKey: .content(.error, "a key must have an effect beside the others of its mapping")
    case .wrongTag: .content(.error, "a YAML tag must fit its value", [.losesText])
    case .wrongType:
      .content(
        .error,
        "a value must have the form that its key or field requires", [.declarationMayBeWrong],
        example: Example("price: 1,30", cure: "price: 1.30")
      )
    case .yamlSyntax:
      .content(
        .error,
        "a file must be well-formed YAML", [.mayHideFields],
        example: Example("title: 'Baker's bread'", cure: "title: \"Baker's bread\"")
      )

    // Gates: the exit status is 2 if no other rule stops the run.
    case .bakedAge:
      .gate(
        .error,
        "baked content must not be older than the live release by more than '--max-age', or than a purge"
      )
    case .coverage: .gate(.error, "a locale must cover at least the share of '--fail-under'")
    case .diffAdded: .gate(.error, "no entry may be added with '--fail-on added'")
    case .diffChanged: .gate(.error, "no entry may be changed with '--fail-on changed'")
    case .diffRemoved: .gate(.error, "no entry may be removed with '--fail-on removed'")
    case .diffUnknown:
      .gate(.error, "with '--fail-on', the target must have the objects that show the changes")
    case .keyDocumentAge: .gate(.both, "a key document must be renewed 60 days before it ends")
    case .numberRoom:
      .gate(
        .both,
        "the numbers of the live release must leave room for those of later releases and purges"
      )
    case .outdated:
      .gate(
        .error,
        "with '--fail-on outdated', translations.lock must exist and no translation be outdated"
      )
    case .pseudoLocales: .gate(.error, "a channel must have 'pseudo: true' to get pseudo-locales")
    case .signatureAge:
      .gate(
        .both,
        "a signed config must be current for more than a quarter of its time, or than '--fail-under'"
      )
    case .staleness:
      .gate(.both, "no change may take longer to reach every reader than 'stalenessLimit'")
    case .unsignedKeyDocument:
      .gate(.both, "a changed key document must be signed before it counts")

    // Arguments, local files, targets and caches.
    case .badDuration: .command(.error, "a duration must be seconds or have a form such as 2m")
    case .badField: .command(.error, "a field's path must have a form such as badges.new.label")
    case .badHash:
      .command(.error, "an asset must be named by its path below 'assets' or its SHA-256 in hex")
    case .badPattern: .command(.error, "an entry must be named by its id or a glob")
    case .badPropertyList: .command(.error, "a file must be a well-formed property list or JSON")
    case .badTime: .command(.error, "a moment must have a form such as 10:30 or 2026-11-21T10:30")
    case .badWindow: .command(.error, "a maintenance must end after it begins, and in the future")
    case .bakedFiles: .command(.error, "baked files must be whole, and written by 'bake'")
    case .binaryToTerminal: .command(.error, "a binary property list must go to a file")
    case .cacheAddress:
      .command(
        .error, "the address of a build cache must be one of those in docs/reference/cache.md")
    case .cachePurge: .command(.both, "every cache of the channel must accept the purge")
    case .cannotListen: .command(.error, "the preview must be able to listen on its port")
    case .changedAddress:
      .command(
        .warning,
        "a channel's target, url and cdn should be those of the live release, or of '--base'"
      )
    case .changedFile: .command(.error, "a file must not change while a command edits it")
    case .clockAhead:
      .command(
        .warning,
        "the clocks of publishers must agree, so that releases are issued in order"
      )
    case .clockBehind:
      .command(
        .warning,
        "the clock of a machine that signs must not be behind the signed config, or the target"
      )
    case .contentExists: .command(.error, "'init' must not find a content folder")
    case .embargoEnded: .command(.warning, "entries under embargo must be published when it ends")
    case .keptTexts:
      .command(.warning, "a purge for some locales should leave no other reader a removed text")
    case .keyDocument:
      .command(
        .error,
        "a key document must be of this app and channel, and signed by the keys before it"
      )
    case .keyDocumentRoom:
      .command(.both, "the key documents of a channel must leave room for later ones")
    case .leftAlone:
      .command(.warning, "files at a target that contentc did not write are left alone")
    case .listen: .command(.error, "'--listen' must be a host and a port")
    case .lostRace:
      .command(.error, "another publisher was first; nothing was changed, so run the command again")
    case .missingContent: .command(.error, "there must be a content folder")
    case .missingFile: .command(.error, "a file that the command line names must exist")
    case .missingKeys: .command(.error, "a signed channel must have a first key document")
    case .missingObjects:
      .command(.warning, "the target must have every object of the live release")
    case .missingPurge:
      .command(.warning, "the target must have the files that say what purges removed")
    case .missingRelease: .command(.error, "the channel must have the named release")
    case .missingTarget: .command(.error, "the target must have the object that a release names")
    case .noConditions:
      .command(
        .error,
        "a target must support conditional writes, or '--single-writer' must be given"
      )
    case .notRestored:
      .command(
        .warning,
        "a restored entry should come back to all readers from whom a purge removed it"
      )
    case .nothingNamed: .command(.error, "a purge must name entries, a release or an asset")
    case .notifyFailed:
      .command(
        .error,
        "a 'notify' command of the settings must succeed; the release is live in any case"
      )
    case .oddPath: .command(.error, "a path in a printed configuration must need no quotes")
    case .outdatedBuild: .command(.error, "'--built' must find a build of the current content")
    case .output: .command(.error, "standard output must accept the result")
    case .outputInContent: .command(.error, "the output folder must not be in the content folder")
    case .portTaken: .command(.error, "the preview's port must be free")
    case .prune: .command(.warning, "files at a target that a prune cannot read are left alone")
    case .publicKey:
      .command(.error, "a public key must be an Ed25519 key, in PEM or as ssh-keygen writes it")
    case .publicURL:
      .command(.both, "the channel's URL must answer with the release that was published")
    case .publishedSince:
      .command(
        .both,
        "a release was published while a purge was unfinished, or while a rollback ran"
      )
    case .purgeUnfinished:
      .command(
        .error,
        "a purge must reach every cache and remove every object before it is finished"
      )
    case .purgedReference: .command(.warning, "a field should not refer to a purged entry")
    case .purgers: .command(.error, "'--purgers' must be addresses or networks")
    case .refused:
      .command(
        .error,
        "the release is refused: the target is another app's, too new, or the content was purged"
      )
    case .remoteCache:
      .command(.warning, "the build cache must answer; the build continues without it")
    case .requiredField:
      .command(.warning, "a purge should leave fields that their datatype requires")
    case .restoredConfig:
      .command(.both, "config must not be older than its channel's purges and releases")
    case .returnedContent:
      .command(.warning, "an entry should not return with values that a purge removed")
    case .returnedObjects:
      .command(.warning, "objects that a purge removed must not be public again")
    case .secretInContent: .command(.error, "secret keys must not be in the content folder")
    case .secretKey: .command(.error, "a new secret key must not replace another one")
    case .runningRollout:
      .command(.error, "a rollout must be finished or taken back before other content is published")
    case .shownElsewhere:
      .command(.warning, "an object stays at the target while a live release shows it")
    case .signatureLength:
      .command(.warning, "a config must not be signed for longer than 'validFor'")
    case .signer: .command(.both, "a signer of the machine must have a key of its role")
    case .signingDraft:
      .command(.error, "a draft must be whole, and sign no more than its release needs")
    case .targetAddress:
      .command(
        .error,
        "a target's address must be a folder, s3://bucket/prefix or rclone:remote:path"
      )
    case .targetBusy: .command(.error, "the target is in use by another command")
    case .targetDenied: .command(.error, "the target must accept the credentials")
    case .targetFailed: .command(.error, "the target must carry out each request")
    case .targetUnreachable: .command(.error, "the target must be reachable")
    case .tooLarge: .command(.error, "a file must not exceed the size limit for its kind")
    case .translationCell:
      .command(.both, "a translation must be a text, not an error or a formula of a spreadsheet")
    case .translationCopies:
      .command(.warning, "most translations of a file must differ from their source texts")
    case .translationFile:
      .command(
        .error,
        "a file of translations must be well-formed XLIFF 1.2, string catalog or CSV, in UTF-8"
      )
    case .translationIncomplete:
      .command(.both, "a plural, or a list without ids, must be translated as a whole")
    case .translationLocale:
      .command(.both, "a file of translations must be from the source locale into declared locales")
    case .translationLock:
      .command(.error, "a line of translations.lock must be a unit, a locale and two hashes")
    case .translationSource:
      .command(.both, "a translation must be made from the present source text")
    case .translationSpace:
      .command(
        .warning,
        "a translation must keep the white space at the ends of its source, and no-break spaces"
      )
    case .translationState:
      .command(.error, "the state of a translation must be one of its format's")
    case .translationText:
      .command(
        .error,
        "a text for translators, or of theirs, must not have characters that formats cannot hold"
      )
    case .translationUnit:
      .command(
        .error,
        "a unit must have an id that occurs once, a source, and texts without inline elements"
      )
    case .translationUnknown:
      .command(.both, "a unit of an imported file must be a text of the content")
    case .translationUnwritable:
      .command(.error, "an imported text must fit into the YAML file that it belongs into")
    case .unknownBundle: .command(.error, "a bundle must be one of the live release")
    case .unknownChannel: .command(.error, "a channel must be one of content.yaml")
    case .unknownCommand:
      .command(.error, "a command must be one of those that 'contentc help' lists")
    case .unknownEditor:
      .command(.error, "an editor must be one that 'contentc preview --help' names, or an address")
    case .unknownEntry:
      .command(.error, "an entry must occur in the content or in the live release")
    case .unknownRule: .command(.error, "a rule must be one of this list")
    case .unknownServer:
      .command(.error, "a server must be one of those that 'contentc server' prints")
    case .unreadableChannel:
      .command(
        .warning,
        "a channel that was not named cannot be read; the others are shown",
        ending: .unavailableTarget
      )
    case .unreadableContent: .command(.error, "the content folder must be readable")
    case .unreadableObject: .command(.error, "an object of the target must match its hash")
    case .unsafeSettings:
      .command(
        .error,
        "the settings file must belong to the user or to root, and only its owner may write it"
      )
    case .unsignedChannel: .command(.error, "a command about keys needs a channel with 'signing'")
    case .unverified: .command(.both, "a signed config must be one that an app accepts")
    case .unwritable: .command(.error, "files and folders must be writable")
    case .unwritableFile: .command(.error, "a file that a command writes must be writable")
    case .upstream:
      .command(.error, "'--upstream' must be a scheme and a host, and the server must be a cache")
    case .usage: .command(.error, "the arguments must be those of the command")
    case .whichChannel: .command(.error, "a channel must be named where there are several")
    case .workflowCommand:
      .command(.error, "data with a command for GitHub Actions must go to a file")
    }
  }
}
