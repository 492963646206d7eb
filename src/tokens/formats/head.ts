import { commentText } from './css-text.js'
import type { TokenSheet } from './sheet.js'

/** The beginning of the first comment of every file of tokens. It tells such files from those of the user. */
const MARK = 'Written by content-space from kit '

const IDS = [
  'The plugin resolves the addresses of its fonts in Vite, webpack, Rspack, esbuild and Farm.',
  'For plain Sass, the Tailwind CLI, Rollup and other tools, write it with --fonts or option fonts.',
]

export function headLines({ kit, fonts }: TokenSheet): string[] {
  const needsPlugin = [...fonts.values()].some(({ address }) => address?.relative === false)
  return [
    `${MARK}${commentText(kit)}. Changes in this file are lost when it is written again.`,
    ...(needsPlugin ? IDS : []),
  ]
}

/** Whether a text is a file of tokens, in any format. */
export function isWritten(text: string): boolean {
  return new RegExp(`^\\s*(?:/\\*|//|\\{\\s*"\\$?description":\\s*")\\s*${MARK}`).test(text)
}
