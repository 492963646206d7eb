import { createHash } from 'node:crypto'

const order = new Intl.Collator('en', { numeric: true })

/** Compares names in natural order: numbers by value, so that leading numbers order the folders. */
export function compareNames(a: string, b: string): number {
  return order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** Returns the name of a section or heading, which is its folder's name without the leading number. */
export function folderName(folder: string): string {
  return folder.normalize('NFC').replace(/^\d+[\s._-]+(?=\S)/, '')
}

/**
 * Makes the stem of a file name readable: `acme-logo` becomes `Acme Logo`. Words with capitals (`iOS`) don't change.
 */
export function readableName(stem: string): string {
  const words = stem
    .normalize('NFC')
    .split(/[\s_-]+/)
    .filter(Boolean)
  if (words.length === 0) return stem
  return words.map((word) => (word === word.toLowerCase() ? capitalized(word) : word)).join(' ')
}

/** Splits `acme-logo.svg` into `acme-logo` and `svg`. A name without a dot has an empty extension. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot < 1 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) }
}

/** The namespace of kits. A random uuid that must never change, because all derived uuids depend on it. */
export const kitNamespace = '9C2E1A54-6D0B-4F8E-9A57-0E5C9B7D3F21'

/**
 * Derives a uuid from a name (RFC 9562, version 5), in upper case. Normalizes the name, because file systems differ.
 */
export function derivedUuid(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name.normalize('NFC'))
    .digest()
    .subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    .toUpperCase()
}

function capitalized(word: string): string {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}
