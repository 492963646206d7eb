/** Media types by extension. A Map, for an extension is whatever the service says: `constructor` is no media type. */
const mediaTypes = new Map([
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['tiff', 'image/tiff'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['pdf', 'application/pdf'],
  ['eps', 'application/postscript'],
  // has no media type of its own
  ['sketch', 'application/zip'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
])

/** @param ext without dot */
export function mediaType(ext: string): string {
  return mediaTypes.get(ext) ?? 'application/octet-stream'
}
