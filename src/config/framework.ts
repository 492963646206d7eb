import { join } from 'node:path'
import * as v from 'valibot'
import { readRegularFileSync } from '../disk/read-file.js'
import { ContentSpaceError } from '../errors.js'
import { frameworkPackages, frameworks, type Framework } from '../request/frameworks.js'
import { ancestors } from './project.js'

const dependencies = v.fallback(v.record(v.string(), v.unknown()), {})
const manifest = v.fallback(
  v.object({
    dependencies: v.optional(dependencies, {}),
    devDependencies: v.optional(dependencies, {}),
    peerDependencies: v.optional(dependencies, {}),
  }),
  { dependencies: {}, devDependencies: {}, peerDependencies: {} },
)

/**
 * Returns a function that finds the framework of a project, once it is needed: option `components`, else the only one
 * that the nearest `package.json` depends on. The function throws ContentSpaceError `invalidOption` if the file names
 * no framework, or more than one.
 * @param root absolute path of the project
 * @param given option `components`
 */
export function frameworkFinder(root: string, given: Framework | undefined): () => Framework {
  let found = given
  return () => (found ??= findFramework(root))
}

function findFramework(root: string): Framework {
  const { file, text } = readManifest(root)
  const used = frameworksIn(text)
  const [framework] = used
  if (framework !== undefined && used.length === 1) return framework
  const where = file ?? `any folder from ${root} upwards (there is no package.json)`
  const problem =
    used.length === 0 ? `No framework is named in ${where}.` : `${file} depends on ${used.length} frameworks:`
  throw new ContentSpaceError('invalidOption', `as=component does not say which framework it is for. ${problem}`, {
    lines: used,
    hint: `Write the framework, such as as=${framework ?? 'react'}, or set option components.`,
  })
}

function frameworksIn(text: string): Framework[] {
  const { dependencies: own, devDependencies, peerDependencies } = v.parse(manifest, parseJson(text))
  const names = { ...own, ...devDependencies, ...peerDependencies }
  return frameworks.filter((framework) => frameworkPackages[framework].some((name) => Object.hasOwn(names, name)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function readManifest(root: string): { file: string | undefined; text: string } {
  for (const folder of ancestors(root)) {
    const file = join(folder, 'package.json')
    try {
      return { file, text: readRegularFileSync(file).toString() }
    } catch {
      // There is no such file, or it cannot be read: the next folder may have one.
    }
  }
  return { file: undefined, text: '' }
}
