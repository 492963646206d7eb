import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ownFile } from '../../disk/own-file.js'
import { resolvePeer } from '../../disk/peer.js'
import type { Task } from '../recipe.js'

/**
 * Lists the libraries that affect the output of a task. The list depends on the task so that, for example, we don't
 * convert photos again after an update of svgo.
 */
function librariesOf(task: Task): string[] {
  switch (task.kind) {
    case 'raster':
      return ['sharp']
    case 'check':
      return ['parse5', 'saxes']
    default: {
      const rewrites = task.svgo === true || task.icon === true || task.prefix !== undefined
      const icon = task.icon === true ? ['@iconify/tools', '@iconify/utils', '@cyberalien/svg-utils'] : []
      return [
        ...icon,
        ...(rewrites ? ['svgo'] : []),
        ...(rewrites || task.policy !== 'trust' ? ['css-tree'] : []),
        // Renders the SVG to check whether svgo changed it.
        ...(task.svgo === true ? ['sharp'] : []),
        ...(task.currentcolor === true ? ['culori'] : []),
        ...(task.policy === 'trust' ? [] : ['parse5', 'saxes']),
      ]
    }
  }
}

/**
 * Returns a function that lists the versions of the libraries that a task uses, for its cache key: `parse5@8.1.1
 * saxes@6.0.0`. Another version may produce other bytes for the same recipe. Each version is read once, without loading
 * the library.
 * @throws ContentSpaceError `invalidOption` if a package is missing
 */
export function openVersions(): (task: Task) => string {
  let versions: Map<string, string> | undefined
  return (task) => {
    const known = (versions ??= bundledVersions())
    const texts = librariesOf(task).map((name) => {
      const version = known.get(name) ?? versionOfPackage(name)
      known.set(name, version)
      return `${name}@${version}`
    })
    return texts.join(' ')
  }
}

interface Library {
  name: string
  version: string
}

/** Reads the versions of bundled libraries, joined by `+` if several versions of a library are bundled. */
function bundledVersions(): Map<string, string> {
  const { components }: { components: Library[] } = JSON.parse(readFileSync(ownFile('sbom.cdx.json'), 'utf8'))
  const versions = new Map<string, string>()
  for (const { name, version } of components)
    versions.set(name, versions.has(name) ? `${versions.get(name)}+${version}` : version)
  return versions
}

function versionOfPackage(name: string): string {
  const file = 'package.json'
  // sharp doesn't export its package.json, but its modules are one folder below it.
  if (name === 'sharp') return readVersion(join(dirname(resolvePeer('sharp', 'A conversion')), '..', file))
  const tools = resolvePeer(`@iconify/tools/${file}`, 'An icon set')
  return readVersion(createRequire(tools).resolve(`${name}/${file}`))
}

function readVersion(file: string): string {
  const { version }: Library = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
