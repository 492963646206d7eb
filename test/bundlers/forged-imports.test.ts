import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDescriptor } from '../../src/bundlers/references/descriptors.js'
import { forgedDescriptors } from '../support/hostile-marks.js'
import { build, createProject, readTree } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { rspackDriver } from './drivers/rspack.js'
import { webpackDriver } from './drivers/webpack.js'
import { openHostileSpace, type HostileSpace } from './hostile.js'

let space: HostileSpace
beforeAll(async () => void (space = await openHostileSpace()))
afterAll(() => space.close())

const pack = (description: string) => `data:application/x-content-space;base64,${description}`
const families = [
  { driver: webpackDriver, stub: pack },
  { driver: rspackDriver, stub: pack },
  { driver: esbuildDriver, stub: (description: string) => `content-space-file:~${description}/victim.svg` },
]

describe.each(families)('$driver.name', ({ driver, stub }) => {
  test('rejects every stub that this package did not write', async () => {
    // The package itself writes the first one.
    for (const { name, file } of forgedDescriptors(space.victim).slice(1)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      await expectRefused(stub(writeDescriptor(file as typeof space.victim)), name)
    }
    await expectRefused(stub(Buffer.from('no JSON').toString('base64')), 'no JSON')
  })

  async function expectRefused(specifier: string, name: string): Promise<void> {
    const main = `import src from ${JSON.stringify(specifier)}; console.log(JSON.stringify(src))`
    const project = await createProject({ 'a/b/main.js': main })
    try {
      space.requests()
      const failure = await build(driver, { root: join(project.root, 'a/b') }, space.options).catch(String)
      expect(failure, name).toMatch(/A reference to a content file is invalid|but option svg is/)
      expect([...(await readTree(project.root)).keys()], name).toEqual(['a/b/main.js', 'package.json'])
      expect(space.requests(), name).toEqual([])
    } finally {
      await project.remove()
    }
  }
})

test('esbuild rejects a stub whose path and descriptor have different names', async () => {
  const specifier = `content-space-file:~${writeDescriptor(space.victim)}/../../x.svg`
  const project = await createProject({ 'main.js': `import src from '${specifier}'; console.log(src)` })
  try {
    await expect(build(esbuildDriver, project, space.options)).rejects.toThrow(
      /A reference to a content file is invalid\..If the bundler has a cache on disk, remove it/s,
    )
  } finally {
    await project.remove()
  }
})
