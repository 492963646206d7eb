import { nameOfContent } from './references/file-names.js'

/** The output options that name the files of modules. Rollup and Rolldown have them. */
interface NamingOptions {
  preserveModules?: boolean | undefined
  sanitizeFileName?: boolean | ((name: string) => string) | undefined
}

/** Characters that bundlers replace in file names. */
const INVALID = /[\p{Cc}"#$%&*+,:;<=>?[\]^`{|}]/gu

/**
 * Names the files of content in outputs with one file for each module: `content-space/hero-photo-1a2b3c4d.js`.
 * Bundlers would take the whole id, which may be longer than a file name can be.
 * @returns the options, or null if they stay as they are
 */
export function shortModuleNames<T extends NamingOptions>(options: T): T | null {
  const { preserveModules, sanitizeFileName: sanitize = true } = options
  if (!preserveModules) return null
  const others = (name: string): string =>
    typeof sanitize === 'function' ? sanitize(name) : sanitize ? name.replace(INVALID, '_') : name
  return {
    ...options,
    sanitizeFileName: (name: string) => {
      const [id] = /content-space:.*$/s.exec(name) ?? []
      if (id === undefined) return others(name)
      return `content-space/${nameOfContent(id.slice(id.lastIndexOf('/') + 1), id)}`
    },
  }
}
