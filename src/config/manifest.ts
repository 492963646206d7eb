import { join } from 'node:path'
import * as v from 'valibot'
import { attempt } from '../async/attempt.js'
import { readRegularFileSync } from '../disk/read-file.js'
import { jsonObjectOf } from '../text/json.js'
import { ancestors } from './project.js'

const texts = v.fallback(v.optional(v.record(v.string(), v.string()), {}), {})
const manifest = v.object({
  name: v.fallback(v.optional(v.string()), undefined),
  type: v.fallback(v.optional(v.string()), undefined),
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  peerDependencies: texts,
})

export type Manifest = NonNullable<ReturnType<typeof readManifest>>

/** Reads the `package.json` of a folder, if possible. Leaves out invalid parts. */
export function readManifest(folder: string) {
  const file = join(folder, 'package.json')
  const text = attempt(() => readRegularFileSync(file).toString())
  if (text === undefined) return undefined
  const { dependencies, devDependencies, peerDependencies, ...rest } = v.parse(manifest, jsonObjectOf(text) ?? {})
  const packages: ReadonlySet<string> = new Set(Object.keys({ ...dependencies, ...devDependencies }))
  return { file, ...rest, packages, peers: Object.keys(peerDependencies) }
}

/** Reads the first `package.json` in a folder or its parents. */
export function nearestManifest(folder: string): Manifest | undefined {
  return ancestors(folder).map(readManifest).find(Boolean)
}
