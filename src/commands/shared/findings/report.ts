import type { FindingKind } from '../../../config/findings.js'
import type { SmallPicture } from '../page/picture.js'
import type { RenamedLine } from '../rename-imports.js'

/** Kit content that a project uses without importing it, and its location. */
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
  /** How similar the looks are, from 0 to 1. Only for `redrawn` and `likeness`. */
  similarity?: number | undefined
  /**
   * The color in the source, its distance (CIEDE2000) from the asset's color, and the asset's color. Only for `color`.
   */
  color?: { text: string; distance: number; hex: string } | undefined
  /** Why the asset should no longer be used. Only for `expired`. */
  reason?: string | undefined
  /** The id to import instead. Absent if the version in use does not have the asset. */
  import?: string | undefined
  /** Pictures of the finding and of the asset in the version in use, if requested and possible. */
  pictures?: { found?: SmallPicture; asset?: SmallPicture } | undefined
}

/** The changes that `--fix` makes, and the findings that it leaves. Paths are relative to the root of the project. */
export interface Fixes {
  lines: RenamedLine[]
  /** Copies that nothing refers to any more. They can be deleted after a successful build. */
  unnamed: string[]
  /** Findings that must be replaced by hand, each with its import. */
  left: { file: string; line: number; import: string; reason: string }[]
  /** Whether the changes were written. */
  written: boolean
}

export interface AuditReport {
  /** Sorted by file and line. With `fix`, only the remaining findings. */
  findings: Finding[]
  /** The number of files that were searched, and the number of files that had to be read. */
  files: number
  read: number
  /** The number of files larger than 16 MB, which are compared only byte by byte. */
  large: number
  /** The number of kit pictures that weren't compared, because they weren't downloaded or are unreadable. */
  unknown: number
  /** Entries of `ignore` that don't match anything. */
  unused: string[]
  /** Only with `fix`. */
  fixes?: Fixes
}

/** Describes each kind of finding, for people who see it in a list of warnings. */
export const rules: Readonly<Record<FindingKind, string>> = {
  copy: 'The file of an asset, byte for byte',
  outdated: 'The file of an asset in another version',
  redrawn: 'A drawing that shows the same as an asset',
  likeness: 'A picture that looks like an asset',
  color: 'A color of the brand, written by hand',
  expired: 'An asset that should no longer be used',
}

/** Describes the asset of a finding: `94 % like Acme Logo`. */
export function findingText({ asset, version, similarity, color, reason }: Finding): string {
  const { name } = asset
  if (reason !== undefined) return `${name}: ${reason}`
  if (color) return color.distance === 0 ? `${color.text} is ${name}` : `${color.text} is nearly ${name}`
  if (version !== undefined) return `${name} of version ${version}`
  return similarity === undefined ? name : `${Math.floor(similarity * 100)} % like ${name}`
}

/** Selects what `audit` searches, and what to do with its findings. */
export interface AuditOptions {
  /** Files and folders, relative to the root of the project. Default: all of its files. */
  paths?: readonly string[] | undefined
  /**
   * Whether to download SVGs that the cache lacks, each once. Without them, `audit` only finds copies with the same
   * bytes.
   * @default true
   */
  download?: boolean | undefined
  /** Globs relative to the root, and slugs of assets, that aren't reported. Default: option `audit`. */
  ignore?: readonly string[] | undefined
  /**
   * The maximum CIEDE2000 distance between a color in the source and a color of a kit; 1 is barely visible.
   * @default 2
   */
  colorDistance?: number | undefined
  /** The key or name of a custom field with a date. Uses of an asset whose date has passed are findings. */
  expires?: string | undefined
  /** Called with the number of SVG files before they are downloaded. */
  onDownloads?: ((count: number) => void) | undefined
  /**
   * Whether to add small pictures of the finding and of the asset.
   * @default false
   */
  pictures?: boolean | undefined
  /**
   * Whether to replace copies, redrawn SVG files and exact colors, if the project's configuration proves that a build
   * gives the same result. Requires a project in Git without uncommitted changes. Doesn't delete anything.
   * @default false
   */
  fix?: boolean | undefined
  /**
   * Whether `fix` may change a project with uncommitted changes.
   * @default false
   */
  force?: boolean | undefined
  /**
   * Called with the changes that `fix` would write. Nothing is written if it returns false. Default: all changes are
   * written.
   */
  confirm?: ((fixes: Fixes) => Promise<boolean> | boolean) | undefined
  signal?: AbortSignal | undefined
}
