import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareStrings } from '../../src/text/compare.js'
import { svg } from '../support/space.js'
import { twoServices } from '../support/several-spaces.js'
import { build, createProject } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { viteDriver } from './drivers/vite.js'
import { webpackDriver } from './drivers/webpack.js'

let services: Awaited<ReturnType<typeof twoServices>>
beforeAll(async () => void (services = await twoServices()))
afterAll(() => services.close())

const kits = ['brand', 'press', 'icons']

const files = {
  'icons/logo.svg': svg('logo of the folder'),
  'main.js': `${kits
    .map(
      (kit) =>
        `import { logo as ${kit} } from 'content-space:kit/${kit}'\nimport ${kit}Text from 'content-space:asset/${kit}/logo?raw'`,
    )
    .join('\n')}
console.log(JSON.stringify({ files: [${kits.map((kit) => `${kit}.src`).join()}], texts: [${kits.map((kit) => `${kit}Text`).join()}] }))`,
}

const titles = (texts: string[]) => texts.map((text) => /<title>(.*)<\/title>/.exec(text)?.[1])

test.each([viteDriver, webpackDriver, esbuildDriver])(
  'two services and a folder are one project, with one lockfile, in $name',
  async (driver) => {
    const project = await createProject(files)
    const options = {
      ...services.options,
      kits: { ...services.options.kits, icons: { source: join(project.root, 'icons') } },
      cacheDir: join(project.root, 'cache'),
    }
    const output = await build(driver, project, options)
    const shown: { files: string[]; texts: string[] } = Object(await output.run())
    const expected = ['logo of the main space', 'logo of the press', 'logo of the folder']
    expect(titles(shown.texts)).toEqual(expected)
    expect(titles(shown.files.map((address) => output.behind(address).toString()))).toEqual(expected)
    const lock = await readFile(join(project.root, 'content-space.lock.json'), 'utf8')
    const inLock = Object.values<{ space?: string }>(JSON.parse(lock).kits)
    expect(inLock.map(({ space = 'main' }) => space).toSorted(compareStrings)).toEqual(['8', 'main', 'main'])
    expect(services.leaks()).toEqual([])

    // If the lockfile is complete and the cache empty, a build only downloads files.
    const before = [services.main, services.press].map(({ received }) => received().split('\n').length)
    await rm(join(project.root, 'cache'), { recursive: true })
    const again = await build(driver, project, { ...options, frozen: true })
    expect([...again.files]).toEqual([...output.files])
    const after = [services.main, services.press].map(({ received }) => received().split('\n').length)
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1])
    expect(await readFile(join(project.root, 'content-space.lock.json'), 'utf8')).toBe(lock)
    await project.remove()
  },
)
