import { basename, dirname, extname } from 'node:path'

/** Code that names files by patterns. */
const pattern = /import\.meta\.(?:glob|webpackContext)|require\.context/

/** Folders that configurations name for other reasons: `"include": ["src"]`. */
const sourceFolders = /^(?:src|apps?|packages)$/

/** Imports without a part that is known at run time only, declarations such as `*.svg`, and ids. */
const fixed = /\b(?:from|module)\s{0,99}(["'])[^"'\n]*\1|content-space:[^\s"'`)]*/g

/**
 * The last name of a string, or a folder before anything but a whole path: `leaf` in `'./icons/leaf'`, `.svg` and
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

/** Returns a function that tells whether a text names a file, or may name it by what is known at run time only. */
export function namesIn(text: string, from: string): (file: string) => boolean {
  const isOpen = pattern.test(text)
  const open = new Set([...text.replaceAll(fixed, '').matchAll(openName)].map(([, name]) => name))
  return (file) => {
    const [name, extension, folder] = [basename(file), extname(file), dirname(file)]
    const folders = folder.split('/').filter((one) => !sourceFolders.test(one))
    const parts = [...folders, basename(file, extension), extension, ...(dirname(from) === folder ? ['.'] : [])]
    return isOpen || text.includes(name) || text.includes(encodeURI(name)) || parts.some((part) => open.has(part))
  }
}
