/**
 * The data that the kit browser's server, or its static site, sends to the page. All paths are relative to the page, so
 * that the page works under any base and from a folder. This file contains only types and doesn't import anything.
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
  /** The name of the space, for the page's title. */
  name: string
  /** `dev`: a dev server of a project; `browse`: the command; `static`: a written folder. */
  mode: 'dev' | 'browse' | 'static'
  /** In the order of the space, but with the project's configured kits first. */
  kits: KitEntry[]
  /** Whether places can be opened in an editor. */
  canOpen: boolean
  /** The query keys whose values can be chosen by clicking. */
  parameters: Parameter[]
  /** The project's framework for `as=component`, if any: `react`. */
  framework?: string
  /**
   * Why the list of kits may be incomplete, such as an unreachable service. It then contains the kits of the lockfile.
   */
  error?: string
}

export interface KitEntry {
  uuid: string
  name: string
  /** The kit's name in ids, which is its alias or otherwise its slug: `content-space:kit/<reference>`. */
  reference: string
  /** The project's other aliases, with the version that each refers to. */
  aliases?: Record<string, number>
  /**
   * The version that ids without a version refer to: the locked version, or otherwise the version that the space uses.
   */
  version: number
  /** The version that the space currently uses. */
  useVersion: number
  /** The locked version, if any. */
  lockedVersion?: number
  /** Newest first, with the draft (0) last. */
  versions: VersionEntry[]
  /** Relative path of a picture for the list of kits. */
  cover?: string
  /** Whether the project names the kit in its options or its source. */
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

/** A query key, such as `w`, and its values. */
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
  /** By uuid. An asset that occurs twice is listed once. */
  assets: Record<string, AssetData>
}

export interface SectionData {
  uuid: string
  name: string
  slug: string
  /** In display order. Items after a heading are below it, until the next one. */
  items: ItemData[]
}

/** An item of a section. All its strings come from the space and are displayed as plain text. */
export type ItemData =
  | { heading: string; slug: string }
  | { asset: string; caption?: string; guide?: GuideData }
  | TextData
  | { other: string }

/** An item that is text, or that has text above its assets. */
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
  /** As the space writes it, which may not be a CSS color. */
  color?: string
}

/** The definition of a custom field. */
interface FieldData {
  key: string
  name: string
  /** `select`, `checklist`, `text`, `number`, `date`, or another type. */
  type: string
  options?: string[]
}

export interface AssetData {
  uuid: string
  name: string
  slug: string
  /** The named export of the kit's module: `acmeLogo`. */
  export: string
  /** The named export as a component: `AcmeLogo`. Absent for an asset that browsers can't render as a picture. */
  component?: string
  /** As the service spells it: `SVG`. */
  type: string
  kind: 'picture' | 'color' | 'font' | 'file' | 'data'
  notes: string
  keywords: string[]
  /** Other words for the thing that an icon with this name depicts, for search: `settings` for `gear`. */
  synonyms?: string[]
  width?: number
  height?: number
  /** The size of the original in bytes. */
  size?: number
  /** Relative path of a small picture. Undefined for an asset without a preview. */
  preview?: string
  /** Relative path of the enlarged picture: the service's large thumbnail, otherwise the original; a font's file. */
  original?: string
  /** Cuts that can be requested: `png`. */
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
  /** Only for a color or font: the key in `content-space:tokens/<kit>`. */
  token?: string
  /** The custom property of a color in token files: `--brand-coral`. If absent, the page derives it. */
  variable?: string
  /** ISO 8601. */
  dateAdded?: string
  dateUpdated?: string
  /** Absent in a static site. */
  permalink?: string
}

/** The imports in the source of the project. */
export interface Usage {
  /** By uuid of the asset. */
  assets: Record<string, UsedAsset>
  /** By uuid of the kit: places that use the whole kit, so that the output contains all its assets. */
  kits: Record<string, Place[]>
  /** Rejected ids in the source, each with the reason. */
  refused: (Place & { specifier: string; reason: string })[]
}

export interface UsedAsset {
  places: Place[]
  /** Known files of the output, with their queries. `bytes` is absent until the file has been made. */
  files: { query: string; bytes?: number }[]
}

/** Files and inline SVGs in the project that depict an asset without importing it, by uuid of the asset. */
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
