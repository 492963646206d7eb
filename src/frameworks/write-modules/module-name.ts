import { createHash } from 'node:crypto'

/**
 * Returns the file name of a specifier's module: a readable part, and a digest that distinguishes queries. It depends
 * only on the specifier.
 * @example 'asset-brand-hero-photo-3f9a61c04b7e.js'
 */
export function moduleName(specifier: string): string {
  const [path = ''] = specifier.slice('content-space:'.length).split('?')
  const words = path.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const digest = createHash('sha256').update(specifier).digest('hex').slice(0, 12)
  return `${[words.join('-').slice(0, 60), digest].filter(Boolean).join('-')}.js`
}
