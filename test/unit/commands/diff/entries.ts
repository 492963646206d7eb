import type { Diff, DiffEntry } from '../../../../src/commands/shared/changes/report.js'

/** A hostile name. */
export const hostile = `Logo | <script>hit()</script> "><img src=x onerror='hit()'> [x](https://evil.example) www.evil.example @team #1 \`a\` \u202E\u001B[31m`

/** Returns a difference in which every text is hostile. */
export function hostileDiff(picture?: string): Diff {
  const side = {
    name: hostile,
    export: 'logo',
    type: hostile,
    size: 1200,
    width: 9,
    height: 9,
    ...(picture === undefined ? {} : { picture }),
  }
  const breaks = [{ file: 'src/`odd` <b>.js', line: 3, specifier: `content-space:kit/${hostile}` }]
  const entry: DiffEntry = {
    uuid: 'U',
    name: hostile,
    export: 'logo',
    kit: hostile,
    versions: {
      from: 1,
      to: 2,
      labels: { from: hostile, to: hostile },
      releases: [{ version: 2, label: hostile, notes: `${hostile}\n\n# ${hostile}\r::error::${hostile}` }],
    },
    breaks,
  }
  return {
    added: [],
    removed: [{ ...entry, from: side }],
    renamed: [{ ...entry, from: { ...side, name: 'Mark', export: 'mark' }, to: side }],
    changed: [{ ...entry, from: side, to: { ...side, size: 2400 }, breaks: [] }],
  }
}

/** Returns differences of sections, headings, tokens, and locations in which every text is hostile. */
export function hostileParts(): Diff {
  const [entry] = hostileDiff().removed
  const { uuid = '', kit = '', versions = { from: 1, to: 2 }, breaks = [] } = entry ?? {}
  const part = { uuid, name: hostile, kit, versions, breaks }
  const side = { name: hostile, slug: 'logo', section: hostile, export: 'logo', sections: [hostile, hostile] }
  const token = { ...side, type: 'color' as const, value: hostile }
  const other = { ...side, name: 'Mark', section: 'Mark', sections: ['Mark'] }
  return {
    ...noDiff,
    sections: { added: [], removed: [{ ...part, from: side }], renamed: [{ ...part, from: other, to: side }] },
    headings: { added: [{ ...part, to: side }], removed: [], renamed: [], moved: [{ ...part, from: other, to: side }] },
    tokens: {
      added: [],
      removed: [],
      renamed: [],
      changed: [{ ...part, from: { ...token, value: '#f00' }, to: token }],
    },
    moved: [{ ...part, from: other, to: side }],
  }
}

export const noDiff: Diff = { added: [], removed: [], renamed: [], changed: [] }
