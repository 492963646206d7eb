import { copyFile, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownerTag, thisProcess } from '../../../../src/disk/process.js'
import { tempFolder } from '../../../support/files.js'
import { contents, pullOnce, upstream } from '../../../support/pull.js'
import { svg, writeSpace, type SpaceFolder } from '../../../support/space.js'

let space: SpaceFolder
let root: string
let out: string
beforeAll(async () => {
  space = await writeSpace(upstream)
})
afterAll(() => space.remove())
beforeEach(async () => {
  root = await tempFolder()
  out = join(root, 'content')
})

const pull = (version = 1, folder = 'content') =>
  pullOnce(root, { space: space.folder, lockfile: false }, { out: folder }, `brand@${version}`)
const badge = (): string => join(out, 'logos/badge.svg')

describe('after a loss of power', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['without a byte', () => truncate(badge(), 0)],
    ['full of zeros', () => writeFile(badge(), Buffer.alloc(5000))],
  ])('rewrites a file that is %s', async (_, damage) => {
    await pull()
    await damage()
    const { kits, warnings } = await pull()
    expect([kits[0]?.written, kits[0]?.kept, warnings]).toEqual([['logos/badge.svg'], [], []])
    expect(await readFile(badge(), 'utf8')).toBe(svg('badge one'))
  })

  test('rewrites an empty module, but not a file that the user has changed', async () => {
    await pull()
    await truncate(join(out, 'logos/badge.js'), 0)
    await writeFile(badge(), 'mine')
    const { kits } = await pull()
    expect([kits[0]?.written, kits[0]?.kept]).toEqual([['logos/badge.js'], ['logos/badge.svg']])
  })
})

describe('a run that was interrupted while it moved files to their places', () => {
  const own = `.content-space-pull-${ownerTag({ ...thisProcess(), start: '1' })}-00000000-0000-4000-8000-000000000000`

  beforeEach(async () => {
    await pull(1)
    await pull(2, 'other')
    await mkdir(join(out, own))
    await copyFile(join(root, 'other/manifest.json'), join(out, own, 'manifest.json'))
    for (const path of ['logos/badge.svg', 'index.js']) await copyFile(join(root, 'other', path), join(out, path))
    await rm(join(out, 'logos/old-mark.js'))
  })

  test.each([1, 2])('is completed, or undone, by a run of version %i', async (version) => {
    const { kits } = await pull(version)
    expect(kits[0]?.kept).toEqual([])
    await rm(join(root, 'other'), { recursive: true })
    await pull(version, 'other')
    expect(await contents(out)).toEqual(await contents(join(root, 'other')))
  })

  test('leaves a file that the user has changed since', async () => {
    await writeFile(badge(), 'mine')
    const { kits } = await pull(2)
    expect([kits[0]?.kept, await readFile(badge(), 'utf8')]).toEqual([['logos/badge.svg'], 'mine'])
  })

  test('is reported to a dry run as what is left to do', async () => {
    const order = { out: 'content', dryRun: true }
    const { kits } = await pullOnce(root, { space: space.folder, lockfile: false }, order, 'brand@2')
    expect(kits[0]).toMatchObject({ written: ['index.d.ts', 'logos/acme-logo.svg'], kept: [] })
    expect(await readdir(out)).toContain(own)
  })
})

describe('the temporary folder of another run', () => {
  const elsewhere = { pid: process.pid, place: '0123456789ab', start: '1' }
  const gone = { ...thisProcess(), start: '1' }
  const old = new Date(Date.now() - 2 * 3_600_000)
  const folder = (name: string, owner = elsewhere): string =>
    join(root, `${name}${ownerTag(owner)}-00000000-0000-4000-8000-000000000000`)

  test.each(['.content.pull-', 'content/.content-space-pull-'])(
    'in another container is left alone until it is old: %s',
    async (name) => {
      if (name.startsWith('content/')) await pull()
      await mkdir(folder(name), { recursive: true })
      await pull()
      const names = async () =>
        [...(await readdir(root)), ...(await readdir(out))].filter((one) => one.includes(elsewhere.place))
      expect(await names()).toHaveLength(1)
      await utimes(folder(name), old, old)
      // Only a first run searches beside the folder.
      if (name.startsWith('.')) await rm(out, { recursive: true })
      await pull()
      expect(await names()).toHaveLength(0)
    },
  )

  test('is removed when its pid now belongs to another process', async () => {
    await mkdir(folder('.content.pull-', gone), { recursive: true })
    await pull()
    expect((await readdir(root)).filter((name) => name.startsWith('.content'))).toEqual([])
  })
})
