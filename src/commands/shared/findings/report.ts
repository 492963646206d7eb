import type { FindingKind } from '../../../config/findings.js'
import type { SmallPicture } from '../page/picture.js'
import type { RenamedLine } from '../rename-imports.js'

/** A place in a project with content that did not come through an import. */
export interface Finding {
  finding: FindingKind
  /** Relative to the root of the project, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** Alias or slug of the kit. */
  kit: string
  asset: { uuid: string; name: string; slug: string }
  /** The version of the kit that contains this file. Only for `outdated`. */
  version?: string | undefined
  /** How much the look is the same, from 0 to 1. Only for `redrawn` and `likeness`. */
  similarity?: number | undefined
  /** The color in the source, its distance (CIEDE2000) from the asset's color, and the latter. Only for `color`. */
  color?: { text: string; distance: number; hex: string } | undefined
  /** Why the asset should not be used. Only for `expired`. */
  reason?: string | undefined
  /** The id to import instead. Absent if the version in use does not have the asset. */
  import?: string | undefined
  /** The finding, and the asset in the version in use, if pictures were requested and could be made. */
  pictures?: { found?: SmallPicture; asset?: SmallPicture } | undefined
}

/** The changes of `--fix`, and what it leaves. Paths are relative to the root of the project. */
export interface Fixes {
  lines: RenamedLine[]
  /** Copies that nothing seems to name any more, and that can be deleted once a build has passed. */
  unnamed: string[]
  /** Findings that have to be replaced by hand, with the import for each. */
  left: { file: string; line: number; import: string; reason: string }[]
  /** Whether the lines were written. */
  written: boolean
}

export interface AuditReport {
  /** Sorted by file and line. With `fix`, those that are left. */
  findings: Finding[]
  /** The numbers of files that were searched, and of those that had to be read. */
  files: number
  read: number
  /** The number of files that are larger than 16 MB, which are compared only byte by byte. */
  large: number
  /** The number of pictures of kits that were not compared: not downloaded, or not readable. */
  unknown: number
  /** Entries of `ignore` that match nothing. */
  unused: string[]
  /** Only with `fix`. */
  fixes?: Fixes
}

/** Describes each finding for people who see it in a list of warnings. */
export const rules: Readonly<Record<FindingKind, string>> = {
  copy: 'The file of an asset, byte by byte',
  outdated: 'The file of an asset in another version',
  redrawn: 'A drawing that shows the same as an asset',
  likeness: 'A picture that looks like an asset',
  color: 'A color of the brand, written by hand',
  expired: 'An asset that should not be used any more',
}

/** Returns what a finding says about its asset: `94 % like Acme Logo`. */
export function findingText({ asset, version, similarity, color, reason }: Finding): string {
  const { name } = asset
  if (reason !== undefined) return `${name}: ${reason}`
  if (color) return color.distance === 0 ? `${color.text} is ${name}` : `${color.text} is nearly ${name}`
  if (version !== undefined) return `${name} of version ${version}`
  return similarity === undefined ? name : `${Math.floor(similarity * 100)} % like ${name}`
}

/** Selects what `audit` searches, and what it does about it. */
export interface AuditOptions {
  /** Files and folders, relative to the root of the project. Default: all of its files. */
  paths?: readonly string[] | undefined
  /**
   * Whether drawings that the cache does not have are downloaded, each once. Without them, copies by bytes are found.
   * @default true
   */
  download?: boolean | undefined
  /** Globs, relative to the root, and slugs of assets that aren't reported. Default: option `audit`. */
  ignore?: readonly string[] | undefined
  /**
   * The largest difference of a color from one of a kit, by CIEDE2000: 1 is barely seen.
   * @default 2
   */
  colorDistance?: number | undefined
  /** The key or name of a custom field with a date. If the date of an asset has passed, its uses are findings. */
  expires?: string | undefined
  /** Receives the number of SVG files before they are downloaded. */
  onDownloads?: ((count: number) => void) | undefined
  /**
   * Whether findings have small pictures of what was found, and of the asset.
   * @default false
   */
  pictures?: boolean | undefined
  /**
   * Whether copies, redrawn SVG files and exact colors are replaced where the configuration of the project proves that
   * a build gives the same. The project has to be in Git, without changes that are not committed. Nothing is deleted.
   * @default false
   */
  fix?: boolean | undefined
  /**
   * Whether `fix` also changes a project with changes that are not committed.
   * @default false
   */
  force?: boolean | undefined
  /** Receives what `fix` would write. Nothing is written if it returns false. Default: everything is written. */
  confirm?: ((fixes: Fixes) => Promise<boolean> | boolean) | undefined
  signal?: AbortSignal | undefined
}
