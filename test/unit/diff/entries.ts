import type { Diff, DiffEntry } from '../../../src/commands/diff/report.js'

/** Hostile names. */
export const hostile = `Logo | <script>hit()</script> "><img src=x onerror='hit()'> [x](https://evil.example) www.evil.example @team #1 \`a\` \u202E\u001B[31m`

/** A difference in which every text is hostile. */
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

export const noDiff: Diff = { added: [], removed: [], renamed: [], changed: [] }
