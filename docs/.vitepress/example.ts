import { extname } from 'node:path'
import sharp from 'sharp'
import { makeFont } from '../../test/support/font.js'

/** The logo of the space that the code of the documentation imports from. */
export const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20z"/></svg>'

/** Returns the files of that space, below `space/`. */
export async function exampleSpace(): Promise<Record<string, string | Buffer>> {
  const picture = sharp({ create: { width: 1600, height: 900, channels: 3, background: '#1f7a78' } }).jpeg()
  return {
    'space/brand/kit.json': JSON.stringify({ name: 'Acme Brand', uuid: '3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E' }),
    'space/brand/01 Logos/acme-logo.svg': logo,
    'space/brand/02 Photographs/hero-photo.jpg': await picture.toBuffer(),
    'space/brand/03 Icons/Arrows/arrow-left.svg': logo.replace('M0', 'M1'),
    'space/brand/03 Icons/Arrows/arrow-right.svg': logo.replace('M0', 'M2'),
    'space/brand/04 Colours/coral.json': JSON.stringify({ color: '#E5603F' }),
    'space/brand/06 Dark/acme-logo-reversed.svg': logo.replace('M0', 'M3'),
    'space/brand/05 Fonts/inter-light.woff2': makeFont({
      family: 'Inter',
      variant: 'Light',
      weight: 300,
      format: 'woff2',
    }),
  }
}

export interface CodeBlock {
  language: string
  /** The name of its file, which follows the language in the info string. */
  file: string
  /** The code, after the change if the block is a `diff`. */
  code: string
  /** What a `diff` removes, with the lines that stay. */
  before?: string
}

/** Returns the code blocks of a page. A `diff` has the language of its file. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, language = '', file = '', code = '']) =>
    language === 'diff'
      ? { language: extname(file).slice(1), file, code: sideOf(code, '-'), before: sideOf(code, '+') }
      : { language, file, code },
  )
}

/** Returns one side of a diff, without the lines that begin with a sign. */
function sideOf(diff: string, sign: '-' | '+'): string {
  return diff
    .split('\n')
    .filter((line) => !line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n')
}
