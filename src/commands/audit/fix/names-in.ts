import { basename, dirname, extname } from 'node:path'

/** Matches code that refers to files by patterns or lists folders. */
const pattern =
  /import\.meta\.(?:glob|webpackContext)|require\.context|\b(?:readdir|opendir|glob|globby|fg|tinyglobby)(?:Sync)?\(/

/** Folders that configurations mention for other reasons: `"include": ["src"]`. */
const sourceFolders = /^(?:src|apps?|packages)$/

/** Matches imports that are completely known before run time, declarations such as `*.svg`, and ids. */
const fixed = /\b(?:from|module)\s{0,99}(["'])[^"'\n]*\1|content-space:[^\s"'`)]*/g

/**
 * Matches the last name in a string, or a folder before an incomplete path: `leaf` in `'./icons/leaf'`, `.svg` and
 * `icons` in `./icons/${name}.svg`.
 */
const openName = new RegExp(
  [
    /(?<![^\s"'`/(){}[\]*$+|\\,;])([^\s"'`/(){}[\]*$+|\\,;]{1,255})/,
    /(?:["'`]|\/(?![^\s"'`(){}[\]*$+|\\]{1,255}(?:["'`](?!\s{0,99}\+)|[\s)]|$)))/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
)

/** Creates a function that checks whether code mentions a file, or may refer to it at run time. */
export function fileNamesIn(text: string, from: string): (file: string) => boolean {
  const isOpen = pattern.test(text)
  const open = new Set([...text.replaceAll(fixed, '').matchAll(openName)].map(([, name]) => name))
  // Ignore case, because some file systems do.
  const written = [text, plain(text)].map((one) => one.toLowerCase())
  return (file) => {
    const [name, extension, folder] = [basename(file), extname(file), dirname(file)]
    const folders = folder.split('/').filter((one) => !sourceFolders.test(one))
    const parts = [...folders, basename(file, extension), extension, ...(dirname(from) === folder ? ['.'] : [])]
    const names = [name, encodeURI(name)].map((one) => one.toLowerCase())
    return (
      isOpen || written.some((one) => names.some((part) => one.includes(part))) || parts.some((part) => open.has(part))
    )
  }
}

const escapes =
  /&#(\d{1,7});|(?:&#x([\da-f]{1,6});|%([\da-f]{2})|\\u\{?([\da-f]{2,6})\}?|\\x([\da-f]{2})|\\([\da-f]{2,6}) ?)/gi
const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", nbsp: '\u00a0', lt: '<', gt: '>' }

/** Returns code without HTML, CSS, URL and script escapes, and with concatenated strings joined. */
function plain(text: string): string {
  return text
    .replaceAll(/(["'`])\s{0,99}\+\s{0,99}["'`]/g, '')
    .replaceAll(/&(amp|quot|apos|nbsp|lt|gt);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(escapes, (whole: string, decimal?: string, ...others: (string | number | undefined)[]) => {
      const digits = decimal ?? String(others.find((one) => one !== undefined))
      const code = Number.parseInt(digits, decimal === undefined ? 16 : 10)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
    })
    .replaceAll('\\', '')
}
