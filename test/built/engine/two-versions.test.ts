import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finish, planAddress, readFile } from '../../../src/engine/build.js'
import { openEngine } from '../../../src/engine/engine.js'
import { tempFolder } from '../../support/files.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../../support/space.js'
import { versionedKit } from '../../support/versions.js'

let space: SpaceFolder
let service: ServedSpace
let root: string

beforeAll(async () => {
  space = await writeSpace(await versionedKit())
  service = await serveSpace(space.folder)
  root = await tempFolder()
})
afterAll(async () => {
  await service.close()
  await Promise.all([space.remove(), rm(root, { recursive: true, force: true })])
})

/** Builds one asset from each version. Both versions contain both assets, and one asset has the same file in both. */
async function build(): Promise<unknown> {
  const options = { ...service.options, types: false as const, cacheDir: join(root, 'cache'), frozen: false }
  const engine = await openEngine(options, { root, command: 'build' })
  for (const id of ['content-space:asset/brand@1/hero-photo', 'content-space:asset/brand@2/icon']) {
    const plan = await planAddress(engine, id)
    if (plan?.src) await readFile(engine, plan.src)
  }
  const { kits } = await finish(engine)
  await engine.close()
  return kits.map(({ version, assets, used }) => ({ version, assets, used })).toSorted((a, b) => a.version - b.version)
}

test('the summary of two versions of one kit counts each file in the version that shows it, cold and warm', async () => {
  const counts = [
    { version: 1, assets: 4, used: 1 },
    { version: 2, assets: 4, used: 1 },
  ]
  expect(await build()).toEqual(counts)
  expect(await build()).toEqual(counts)
})
