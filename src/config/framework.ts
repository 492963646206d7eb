import { createRequire } from 'node:module'
import { join } from 'node:path'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError } from '../errors.js'
import { frameworkPackages, frameworks, type Framework } from '../request/frameworks.js'
import { nearestManifest } from './manifest.js'

/**
 * Returns a function that finds the framework of a project on demand: option `components`, or otherwise the only
 * framework that the nearest `package.json` depends on. The function throws ContentSpaceError `invalidOption` if there
 * isn't exactly one.
 * @param root absolute path of the project
 * @param given option `components`
 */
export function frameworkFinder(root: string, given: Framework | undefined): () => Framework {
  let found = given
  return () => (found ??= findFramework(root))
}

/**
 * Checks that the framework of components is installed, in the project or as a peer of this package.
 * @throws ContentSpaceError `invalidOption`
 */
export function requireFramework(framework: Framework, root: string): void {
  const names = frameworkPackages[framework]
  const isInstalled = [import.meta.url, join(root, 'package.json')].some((from) => {
    const { resolve } = createRequire(from)
    return names.some((name) => attempt(() => resolve(`${name}/package.json`)) !== undefined)
  })
  if (isInstalled) return
  throw new ContentSpaceError('invalidOption', `as=${framework} needs the package ${names[0]}.`, {
    hint: `Install it: npm install ${names[0]}`,
  })
}

function findFramework(root: string): Framework {
  const manifest = nearestManifest(root)
  const names = new Set([...(manifest?.packages ?? []), ...(manifest?.peers ?? [])])
  const used = frameworks.filter((framework) => frameworkPackages[framework].some((name) => names.has(name)))
  const [framework] = used
  if (framework !== undefined && used.length === 1) return framework
  const where = manifest?.file ?? `any folder from ${root} upwards (there is no package.json)`
  const problem =
    used.length === 0 ? `No framework is named in ${where}.` : `${where} depends on ${used.length} frameworks:`
  throw new ContentSpaceError('invalidOption', `as=component does not say which framework it is for. ${problem}`, {
    lines: used,
    hint: `Write the framework, such as as=${framework ?? 'react'}, or set option components.`,
  })
}
