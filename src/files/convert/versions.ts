import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Task } from '../recipe.js'

const require = createRequire(import.meta.url)

/** Packages that are dependencies of `@iconify/tools` and not of this package. */
const ofIconify: readonly string[] = ['@iconify/utils', '@cyberalien/svg-utils']

/** The libraries that the output of a task depends on. A new version of svgo does not convert photos again. */
function librariesOf(task: Task): string[] {
  switch (task.kind) {
    case 'raster':
      return ['sharp']
    case 'check':
      return ['parse5', 'saxes']
    default: {
      const rewrites = task.svgo === true || task.icon === true || task.prefix !== undefined
      const icon = task.icon === true ? ['@iconify/tools', ...ofIconify] : []
      return [
        ...icon,
        ...(rewrites ? ['svgo', 'css-tree'] : []),
        ...(task.currentcolor === true ? ['culori'] : []),
        ...(task.policy === 'trust' ? [] : ['parse5', 'saxes']),
      ]
    }
  }
}

/**
 * Returns a function that returns the versions of these libraries for a cache key: `parse5@8.1.1 saxes@6.0.0`. Another
 * version can produce other bytes for the same recipe. Versions are read from package.json files, once each, so that a
 * build with a warm cache loads no library.
 */
export function openVersions(): (task: Task) => string {
  const versions = new Map<string, string>()
  return (task) =>
    librariesOf(task)
      .map((name) => {
        const version = versions.get(name) ?? versionOf(name)
        versions.set(name, version)
        return `${name}@${version}`
      })
      .join(' ')
}

function versionOf(name: string): string {
  // The packages of Iconify have no entry for `require`, but allow their package.json.
  const { resolve } = ofIconify.includes(name) ? createRequire(require.resolve('@iconify/tools/package.json')) : require
  const main = resolve(name.startsWith('@') ? `${name}/package.json` : name)
  const folder = join('node_modules', name)
  const end = main.lastIndexOf(folder + sep)
  const root = end === -1 ? dirname(main) : main.slice(0, end + folder.length)
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return version
}
