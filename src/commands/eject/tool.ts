import { readManifest } from '../../config/manifest.js'
import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'

/** Describes how the bundler of a project imports files. */
export interface Tool {
  /**
   * Matches files whose default import is an object with the address as `src`. Other files are imported as the address
   * itself.
   */
  objects?: RegExp
  isNext: boolean
  /** Whether it resolves addresses in pages. */
  readsPages: boolean
  /** Whether it resolves addresses in languages that compile to CSS, in every file that another file imports. */
  readsPreprocessed: boolean
  /**
   * Describes the configuration that it needs to import files with these extensions. Undefined if it doesn't need any.
   */
  needs(extensions: readonly string[]): string | undefined
}

/** Frameworks with their own way to import pictures, with a description of it. */
const others: Readonly<Record<string, string>> = {
  '@angular/core': 'Angular imports files with a loader that each import names',
  '@docusaurus/core': 'Docusaurus imports SVGs as components',
  expo: 'Metro imports files as numbers',
  'react-native': 'Metro imports files as numbers',
}

const objects = {
  next: /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/,
  astro: /\.(?:avif|gif|jpe?g|png|svg|tiff?|webp)$/,
} as const

const packers = ['webpack', '@rspack/core', '@rspack/cli']
/** Tools that import pictures without configuration. */
const ready = ['vite', 'next', 'nuxt', 'astro', '@rsbuild/core', '@farmfe/core', 'parcel', '@sveltejs/kit', 'vitepress']

/** @throws ContentSpaceError `invalidOption` for a framework whose imports `eject` can't write */
export function toolOf(root: string): Tool {
  const packages = readManifest(root)?.packages ?? new Set<string>()
  const has = (...names: string[]): boolean => names.some((name) => packages.has(name))
  const other = Object.keys(others).find((name) => has(name))
  if (other !== undefined)
    throw new ContentSpaceError('invalidOption', `${others[other]}, so eject cannot rewrite the imports.`, {
      hint: 'Write the files and modules with npx content-space pull <kit> --only-used --out <folder>.',
    })
  const usesVite = has('vite', '@sveltejs/kit', 'nuxt', 'astro', 'vitepress')
  return {
    ...omitUndefined({ objects: has('next') ? objects.next : has('astro') ? objects.astro : undefined }),
    isNext: has('next'),
    readsPages: has('vite', 'html-loader'),
    readsPreprocessed: usesVite,
    needs(extensions) {
      if (has(...ready) || extensions.length === 0) return undefined
      const alternatives = extensions.join('|')
      if (has(...packers)) {
        const rule = `{ test: /\\.(?:${alternatives})$/, type: 'asset/resource' }`
        return `Let the bundler emit the files, by this rule in module.rules: ${rule}.`
      }
      if (has('esbuild')) {
        const loaders = extensions.map((extension) => `'.${extension}': 'file'`)
        return `Let esbuild emit the files: loader: { ${loaders.join(', ')} }.`
      }
      return `The bundler must import files with these extensions as their addresses: ${extensions.join(', ')}.`
    },
  }
}
