import type { ResolvedOptions } from '../../config/options.js'

/**
 * Returns a function that loads, once, the code that writes declarations. A build calls it when it sends a request: it
 * is then not the same as an earlier build, and waits. What cannot be loaded is loaded again where it is used.
 */
export function createLoader({ frozen, types }: ResolvedOptions): () => void {
  let isLoaded = frozen || types === false
  return () => {
    if (isLoaded) return
    isLoaded = true
    import('./resolve-imports.js').catch(() => {})
  }
}
