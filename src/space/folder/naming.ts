import { createHash } from 'node:crypto'

const order = new Intl.Collator('en', { numeric: true })

/** Natural order, numbers by value: what a leading number in a folder's name is for. */
export function compareNames(a: string, b: string): number {
  return order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The name of a section or heading: its folder's, without the leading number that orders it. */
export function folderName(folder: string): string {
  return folder.normalize('NFC').replace(/^\d+[\s._-]+(?=\S)/, '')
}

/** The readable name of a file's stem: `acme-logo` is `Acme Logo`; words with capitals stay (`iOS`). */
export function readableName(stem: string): string {
  const words = stem
    .normalize('NFC')
    .split(/[\s_-]+/)
    .filter(Boolean)
  if (words.length === 0) return stem
  return words.map((word) => (word === word.toLowerCase() ? capitalised(word) : word)).join(' ')
}

/** `acme-logo.svg` is `acme-logo` and `svg`; a name without a dot has an empty extension. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot < 1 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) }
}

/** What kits are named in; made once at random, and never to change: every derived uuid hangs on it. */
export const kitNamespace = '9C2E1A54-6D0B-4F8E-9A57-0E5C9B7D3F21'

/** A name-based uuid (RFC 9562, version 5), upper case. The name is taken in NFC: disks disagree about it. */
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

function capitalised(word: string): string {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}
