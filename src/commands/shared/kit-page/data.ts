/**
 * The answers of the kit browser's server, or of its static site, to the page. All paths are relative to the page, so
 * that the page works under any base and from a folder. This file has types only, and imports nothing.
 *
 * | path | content |
 * |---|---|
 * | `data/project.json` | `Project` |
 * | `data/kits/<uuid>/<version>.json` | `KitData` |
 * | `data/usage.json` | `Usage`; missing in a static site |
 * | `data/copies.json` | `Copies`; missing in a static site |
 * | `data/drift.json` | `Drift`; missing in a static site |
 * | `AssetData.preview` and `.original` | bytes of a picture or a font |
 * | `query?id=<specifier>` | the bytes that an asset id with a query gives; missing in a static site |
 * | `events` | server-sent events: `change` when content or usage has changed; missing in a static site |
 * | `open` | POST, JSON `Place`: opens a place of `Usage` or `Copies` in the editor. 204; only if `Project.canOpen` |
 *
 * A failure is a `Failure` as JSON with a status of 400 or above.
 */
export interface Project {
  /** The name of the space, for the title. */
  name: string
  /** `dev`: a dev server of a project; `browse`: the command; `static`: a written folder. */
  mode: 'dev' | 'browse' | 'static'
  /** In the order of the space, those that the project configures first. */
  kits: KitEntry[]
  /** Whether places can be opened in an editor. */
  canOpen: boolean
  /** The keys of queries that can be chosen by clicking. */
  parameters: Parameter[]
  /** The framework of `as=component` in this project, if there is one: `react`. */
  framework?: string
  /** Why the list of kits may be incomplete, such as an unreachable service. The kits of the lockfile are listed. */
  error?: string
}

export interface KitEntry {
  uuid: string
  name: string
  /** The kit's name in ids: its alias, otherwise its slug: `content-space:kit/<reference>`. */
  reference: string
  /** The other aliases of the project, with the version that each means. */
  aliases?: Record<string, number>
  /** The version that ids without a version mean: the locked one, else the one that the space uses. */
  version: number
  /** The version that the space uses now. */
  useVersion: number
  /** The version that the lockfile has, if it has one. */
  lockedVersion?: number
  /** Newest first; the draft (0) is last. */
  versions: VersionEntry[]
  /** Relative path of a picture for the list of kits. */
  cover?: string
  /** Whether the project names the kit in its options or in its source. */
  isUsed: boolean
  /** ISO 8601. */
  dateUpdated?: string
}

export interface VersionEntry {
  version: number
  /** The version identifier, or `draft`. */
  label: string
  /** Release notes. */
  notes: string
  dateUpdated?: string
  assets?: number
}

/** A key of queries: `w`, with what it takes. */
export interface Parameter {
  key: string
  /** The valid values, if they are a fixed list. */
  values?: string[]
  /** Whether a key without a value is valid: `greyscale`. */
  isFlag?: boolean
  /** Whether several values may be given: `w=640;1280`. */
  isList?: boolean
  /** One line of help. */
  description: string
}

export interface KitData {
  uuid: string
  name: string
  version: number
  /** The text after `kit/` or `asset/` in ids of this version: `brand`, `brand@draft`, `brand@2`. */
  reference: string
  description?: string
  /** The custom fields that its assets have. */
  fields?: FieldData[]
  /** Colors close to the kit's, by lower-case names that CSS doesn't have, for search: `pine`. */
  colorNames?: Record<string, string>
  sections: SectionData[]
  /** By uuid. An asset that is shown twice is listed once. */
  assets: Record<string, AssetData>
}

export interface SectionData {
  uuid: string
  name: string
  slug: string
  /** In display order. Items after a heading are below it, until the next one. */
  items: ItemData[]
}

/** An item of a section. All its texts come from the space, and are shown as text. */
export type ItemData =
  | { heading: string; slug: string }
  | { asset: string; caption?: string; guide?: GuideData }
  | TextData
  | { other: string }

/** An item that is a text, or has one above its assets. */
export type TextData = { caption?: string } & (
  | { note: string }
  | { code: string; language: string }
  | { guide: GuideData }
  | { gallery: string; assets: string[] }
)

/** A rule: "Do", "Don't". */
export interface GuideData {
  title?: string
  content?: string
  /** As the space writes it: it may be no color of CSS. */
  color?: string
}

/** The definition of a custom field. */
interface FieldData {
  key: string
  name: string
  /** `select`, `checklist`, `text`, `number`, `date`, or another one. */
  type: string
  options?: string[]
}

export interface AssetData {
  uuid: string
  name: string
  slug: string
  /** The named export of the kit's module: `acmeLogo`. */
  export: string
  /** The named export as a component: `AcmeLogo`; absent for what no browser shows as a picture. */
  component?: string
  /** As the service spells it: `SVG`. */
  type: string
  kind: 'picture' | 'color' | 'font' | 'file' | 'data'
  notes: string
  keywords: string[]
  /** Other words for what an icon with this name shows, for search: `settings` for `gear`. */
  synonyms?: string[]
  width?: number
  height?: number
  /** Bytes of the original. */
  size?: number
  /** Relative path of a small picture. Undefined for an asset without a preview. */
  preview?: string
  /** Relative path of what is shown large: the large thumbnail of the service, else the original; a font's file. */
  original?: string
  /** Cuts that can be asked for: `png`. */
  cuts: string[]
  /** Values of custom fields, by key. */
  fields?: Record<string, string | number | string[]>
  /** The uuid of the dark counterpart. */
  dark?: string
  /** CSS colors of the picture, by coverage, for search. */
  colors: string[]
  /** Only for a color. */
  color?: { css: string; hex: string; alpha: number; rgb: [number, number, number]; hsb: [number, number, number] }
  /** Only for a font. Without `original`, it isn't a file of the space. */
  font?: { family: string; weight?: string; style?: string }
  /** The key in `content-space:tokens/<kit>`, of colors and fonts. */
  token?: string
  /** The custom property of a color in files of tokens: `--brand-coral`. Without it, the page derives it. */
  variable?: string
  /** ISO 8601. */
  dateAdded?: string
  dateUpdated?: string
  /** Never in a static site. */
  permalink?: string
}

/** The imports in the source of the project. */
export interface Usage {
  /** By uuid of the asset. */
  assets: Record<string, UsedAsset>
  /** By uuid of the kit: places that use the whole kit, so that all its assets are in the output. */
  kits: Record<string, Place[]>
  /** Ids of the source that are refused, with the reason. */
  refused: (Place & { specifier: string; reason: string })[]
}

export interface UsedAsset {
  places: Place[]
  /** Files of the output that are known, with their queries. `bytes` is absent until a file was made. */
  files: { query: string; bytes?: number }[]
}

/** Files and drawings of the project that show an asset without an import of it, by uuid of the asset. */
export type Copies = Record<string, Copy[]>

export interface Copy extends Place {
  /** The result of `content-space audit`: `copy`, `outdated, version 1.0`, `likeness, 94 %`. */
  note: string
}

export interface Place {
  /** Relative to the project's root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
}

/** The differences between the lockfile and the space, by uuid of the kit. A kit without differences is absent. */
export type Drift = Record<string, KitDrift>

export interface KitDrift {
  /** Locked version and current version. */
  from: number
  to: number
  added: DriftEntry[]
  removed: DriftEntry[]
  renamed: (DriftEntry & { before: string })[]
  changed: (DriftEntry & { details: string[] })[]
  /** Why the comparison failed, such as an unreachable service. */
  error?: string
}

export interface DriftEntry {
  uuid: string
  name: string
  export: string
}

export interface Failure {
  message: string
}
