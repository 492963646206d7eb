import type { FindingKind } from '../../config/findings.js'

/** The assets that a project uses, with their locations. It doesn't contain anything else from the source. */
export interface ProjectUsage {
  usageVersion: 1
  /** The name in `package.json`, or otherwise the name of the folder. */
  project: string
  /** Sorted by kit and name. */
  assets: AssetUsage[]
}

/** An asset that a project uses. */
export interface AssetUsage {
  uuid: string
  name: string
  slug: string
  kit: { uuid: string; name: string }
  /** Sorted by file and line. */
  places: UsagePlace[]
}

/** A place in a project that uses an asset. */
export interface UsagePlace {
  /** Relative to the root of the project, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** How the asset is used: by an import, or as a finding of `audit`. */
  by: 'import' | FindingKind
  /** The version of the kit: its identifier, or otherwise its number. The draft is `draft`. */
  version: string
}
