import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readManifest } from '../../config/manifest.js'
import { ancestors } from '../../config/project.js'
import type { PulledKind } from './module-kinds.js'
import type { PullOptions } from './options.js'

/**
 * Packages of tools for which `url` doesn't work. Servers of the frameworks among them don't replace `import.meta.url`.
 */
const byPackage: Readonly<Record<string, PulledKind>> = {
  '@angular/core': 'angular',
  expo: 'react-native',
  'react-native': 'react-native',
  '@react-router/dev': 'import',
  '@sveltejs/kit': 'import',
  '@tanstack/react-start': 'import',
  astro: 'import',
  nuxt: 'import',
}

/** Returns the requested kind of modules, or otherwise the kind that works for the project. */
export function kindOfModules({ module, out }: PullOptions, root: string): PulledKind | 'iconify' {
  if (module !== undefined && module !== 'import') return module
  const fitting = fittingKind(resolve(root, out), root)
  return module === undefined || fitting === 'angular' ? (fitting ?? 'url') : module
}

/** Searches from the folder above `out` up to the root of the project. The nearest folder decides. */
function fittingKind(out: string, root: string): PulledKind | undefined {
  const folders = ancestors(dirname(out))
  const inProject = folders.includes(root) ? folders.slice(0, folders.indexOf(root) + 1) : [root]
  return inProject.flatMap((folder) => kindIn(folder) ?? [])[0]
}

function kindIn(folder: string): PulledKind | undefined {
  const has = (name: string): boolean => existsSync(join(folder, name))
  if (has('angular.json')) return 'angular'
  if (['js', 'cjs', 'mjs', 'ts', 'json'].some((extension) => has(`metro.config.${extension}`))) return 'react-native'
  const { packages } = readManifest(folder) ?? {}
  return Object.keys(byPackage).flatMap((name) => (packages?.has(name) ? (byPackage[name] ?? []) : []))[0]
}
