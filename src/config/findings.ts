/** The kinds of findings of an audit, most certain first. */
export const findings = ['copy', 'outdated', 'redrawn', 'likeness', 'color', 'expired'] as const

export type FindingKind = (typeof findings)[number]

/** How a project is audited. */
export interface AuditConfig {
  /** Globs of files, relative to the root, and slugs of assets whose findings aren't reported. */
  ignore?: string[]
  /** The findings for which `content-space audit` exits with 1. */
  failOn?: FindingKind[]
}
