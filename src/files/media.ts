/** Media types by extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  tiff: 'image/tiff',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  eps: 'application/postscript',
}

/** @param ext without dot */
export function mediaType(ext: string): string {
  return mediaTypes[ext] ?? 'application/octet-stream'
}
