// The types of the data that the page reads. Values of entries are `any`: the project's schema decides what they are.

/** A position in degrees. */
interface Position {
  latitude: number;
  longitude: number;
}

/** A point of the map, 0 to 1 from west to east and from north to south. */
interface Point {
  x: number;
  y: number;
}

type Box = [south: number, west: number, north: number, east: number];

// The objects of a release (docs/reference/output.md).

/** A dictionary of any format. */
interface Dictionary {
  keys(): string[];
  get(key: string): any;
  plain(): any;
}

/** A hash as data or in hexadecimal digits. */
type Hash = Uint8Array | string;

interface Config {
  app: string;
  release: number;
  sourceLocale: string;
  locales: Record<string, string[]>;
  devices?: Record<string, string>;
  matches?: Record<string, string>;
  indexes: Record<string, Record<string, Hash>>;
  minimumApp?: string;
  maintenance?: {
    active: boolean | string;
    from?: Date | string;
    until?: Date | string;
    retryAfter?: number | string;
    payloads: Record<string, Record<string, Hash>>;
  };
  issued?: Date | string;
  /** The rollout, and the keys that differ for its readers; anything if it is malformed. */
  next?: any;
}

/** A rollout of a config. */
interface Rollout {
  name: string;
  /** The readers with a lower number get the next side. */
  below: number;
  /** The release that the content of the next side was published as. */
  release: number;
}

/** What is known of a channel's live release. */
interface LiveFacts {
  release?: number;
  /** The release whose content the stable side is; config does not name it. */
  of?: number;
  issued?: Date | string;
  rollout?: Rollout | undefined;
}

/** What distinguishes readers. */
interface Context {
  locale: string;
  device: string;
  country?: string;
  app?: string;
}

/** A row of an index, a list or a directory. */
interface Row {
  object?: Hash;
  /** The list of a bundle whose entries are apart. */
  list?: Hash;
  /** The directory of a bundle that is split by place. */
  tiles?: Hash;
  box?: (number | string)[];
  format?: string | undefined;
  count?: number;
  variants?: (Row & { country?: string; from?: string; before?: string })[];
}

/** A part of a bundle that is split by place. */
interface Tile {
  quadkey: string;
  name: string;
  row: Row;
  count: number;
  box: Box;
}

interface TileEntry {
  id: string;
  position: Position | undefined;
  from?: Date | string;
  until?: Date | string;
}

interface NearEntry {
  id: string;
  tile: Tile;
  position: Position;
  distance: number;
}

interface EntryRecord {
  id: string;
  /** A maintenance is in no bundle. */
  bundle?: string;
  tile?: string;
  datatype: string;
  content: any;
  [other: string]: any;
}

// The answers of `/api` (Sources/ContentPreview/API).

interface Answers {
  state: BuildState;
  changes: Changes;
  coverage: CoverageReport;
  explain: Explained;
  fallbacks: { entries: Record<string, Record<string, string>>; isShown?: boolean };
  qr: { rows: string[] };
  schedule: { generation: number; at: string; moments: Moment[] };
  sizes: Sizes;
  translations: KnownTranslations;
}

interface BuildState {
  run: string;
  generation: number;
  content: string;
  app: string;
  ok: boolean;
  text: string;
  writing: { ok: boolean; message?: string };
  diagnostics: Problem[];
  channels?: string[];
  comparing: string[];
  format?: string;
  sourceLocale: string;
  minimumApp?: string;
  matches?: Record<string, string>;
  locales: { tag: string; name: string; nativeName: string; direction: "ltr" | "rtl"; chain: string[] }[];
  devices: { name: string; parent?: string }[];
  countries: string[];
  versions: string[];
  datatypes: string[];
  tiles?: Record<string, { max: number; minimumTile: number }>;
  network?: string[];
  arguments?: string[];
  editor?: Editor;
  exported?: ExportFacts;
  build?: {
    ok: boolean;
    at: string;
    milliseconds: number;
    entries?: number;
    bundles?: number;
    contexts?: number;
    objects?: number;
  };
}

/** What an exported preview says about itself (Sources/ContentPreview/Export). */
interface ExportFacts {
  /** The instant of the build. */
  at: string;
  label?: string;
  /** The name in `comparing` of content that is in no channel. */
  base?: string;
  /** The extension of the build's config. */
  format: string;
  /** The extensions of files that have no second one. */
  endings: string[];
  /** The extension of each channel's config; none if nothing was published there. */
  channels: Record<string, { format?: string }>;
  hasOtherDevices: boolean;
}

interface Editor {
  template: string;
  root: string;
}

/** The event about an attempt to build. */
interface BuildEvent {
  generation: number;
  ok: boolean;
  errors: number;
  warnings: number;
  config?: string;
  written: boolean;
  run: string;
}

interface Problem {
  severity: "error" | "warning" | "note";
  rule: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
  length?: number;
  source?: string;
  suggestion?: string;
  notes: { message: string; file?: string; line?: number; column?: number }[];
}

interface Changes extends LiveFacts {
  channel: string;
  /** The compared side, if a rollout is on. */
  side?: "stable" | "next";
  generation: number;
  entries: {
    id: string;
    kind: string;
    contexts: string[];
    fields?: { path: string; contexts: string[]; old?: any; new?: any }[];
  }[];
  isComplete: boolean;
  newObjects: number;
  newBytes: number;
}

interface CoverageCounts {
  share: number;
  translated: number;
  outdated: number;
  inherited: number;
  fallback: number;
  missing: number;
}

interface CoverageReport {
  sourceLocale: string;
  share: number;
  datatypes: string[];
  locales: (CoverageCounts & { locale: string; datatypes: Record<string, CoverageCounts> })[];
  entries?: {
    entry: string;
    fields: { path: string; state: string; locale?: string; from?: string; location?: string }[];
  }[];
  isLocked: boolean;
  isShown?: boolean;
}

interface UnmetCondition {
  text: string;
  location: string;
  unmet?: string[];
  embargoUntil?: string;
  inBundle?: boolean;
}

interface Explained {
  id: string;
  isPresent: boolean;
  isShown?: boolean;
  when?: UnmetCondition;
  leftOut?: { path: string; when: UnmetCondition }[];
  fields?: {
    path: string;
    location: string;
    layer: string;
    removed: boolean;
    value?: any;
    passedOver: { layer: string; hidden?: string }[];
  }[];
}

interface Moment {
  instant: string;
  entry: string;
  kind: string;
  location: string;
  text: string;
  embargo?: boolean;
  field?: string;
  contexts?: string[];
}

interface Sizes {
  generation: number;
  contexts: { locale: string; device: string; bytes: number; gzip: number; bundles: SizedBundle[] }[];
  largest: { entry: string; bundle: string; bytes: number }[];
  sharing?: { bytes: number; sharedBytes: number; sharedObjects: number };
}

interface SizedBundle {
  name: string;
  object: string;
  bytes: number;
  gzip: number;
  entries: number;
  startup?: boolean;
  split?: boolean;
}

interface KnownTranslations {
  source: string;
  targets: string[];
  isEditable: boolean;
  isLocked: boolean;
  /** Only a page that may save texts gets it. */
  token?: string;
  /** The locale of the units; without targets, neither is there. */
  locale: string;
  units?: Unit[];
  /** The formats of files for translators. */
  formats: { name: string; label: string; extensions: string[] }[];
}

interface Unit {
  id: string;
  entry: string;
  source: string;
  state: "new" | "needs-review" | "translated" | "final";
  target?: string;
  isOutdated?: boolean;
  inherited?: { text: string; locale: string };
  note?: string;
  maximumLength?: number;
  whereUsed?: string[];
  isMarkdown?: boolean;
  location?: string;
  group?: string;
}

interface TranslationReport {
  changedFiles: string[];
  changedUnits: number;
  refusedUnits: number;
  equalUnits: number;
  diff: string;
  isRefused: boolean;
  diagnostics: Problem[];
}

/** A typed text with the source and the translation that the person saw. */
interface Draft {
  text: string;
  source: string;
  previous?: string;
}

// The page.

/** The view as in the address. */
interface CurrentView {
  tab: string;
  locale: string;
  device: string;
  country: string;
  app: string;
  at: string;
  pseudo: string;
  show: string;
  side: string;
  channel: string;
  rollout: string;
  of: string;
  stand: string;
  filter: string;
  find: string;
}

/** What a frame needs to show a reader. */
interface FrameReader {
  catalogue: Catalogue;
  instant: number;
  kinds: string;
  caption: string;
  channel: string | undefined;
  stand: Position | undefined;
  tileRules: NonNullable<BuildState["tiles"]>;
}

/** A change of the view that shows what is absent. */
interface Offer {
  text: string;
  view: Partial<CurrentView>;
}

/** What a frame draws. */
interface Drawn {
  key: string;
  title: any;
  nodes: Node[];
  record?: EntryRecord;
  background?: string | undefined;
  apply?: () => void;
}

/** What a picker shows, and what it does. */
interface PickerOptions {
  id: string;
  label: string;
  options: (text: string) => any;
  choose: (value: any) => void;
  search?: string;
  opens?: () => Promise<void>;
  hidesLabel?: boolean;
}

interface View {
  addEventListener(type: "change", listener: (event: Event & { changed: string[] }) => void): void;
  addEventListener(type: string, listener: EventListener | null): void;
}

interface Session {
  addEventListener(type: "build", listener: (event: Event & { waiting: Promise<any>[] }) => void): void;
  addEventListener(type: "live" | "state" | "apps" | "connection", listener: () => void): void;
  addEventListener(type: string, listener: EventListener | null): void;
}

interface News {
  addEventListener(type: "connection", listener: (event: CustomEvent<string>) => void): void;
  addEventListener(type: "build", listener: (event: CustomEvent<BuildEvent>) => void): void;
  addEventListener(type: string, listener: EventListener | null): void;
}

// What index.html has, and what TypeScript 4.8 does not know.

/** All elements of the page are of HTML or SVG. */
interface Element extends HTMLOrSVGElement {}

interface Document {
  getElementById(id: "main" | "said" | "top" | "notices"): HTMLElement;
}

interface URLSearchParams {
  readonly size: number;
}

declare namespace Intl {
  function getCanonicalLocales(tags: string | string[]): string[];
}

/** The decompression of a stream of bytes. */
declare class DecompressionStream {
  constructor(format: "gzip");
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}
