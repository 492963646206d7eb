import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { diff, type DiffOptions } from '../../../../src/commands/shared/changes/diff.js'
import { sync } from '../../../../src/commands/shared/sync.js'
import { finish } from '../../../../src/engine/build.js'
import { openEngine, type Engine } from '../../../../src/engine/engine.js'
import type { Options } from '../../../../src/config/options.js'
import { svg, writeSpace, type SpaceFolder } from '../../../support/space.js'
import { versioned, versionedKit } from '../../../support/versions.js'

let space: SpaceFolder
let root: string
const opened: Engine[] = []

beforeAll(async () => {
  space = await writeSpace({ ...(await versionedKit()), 'icons/Arrows/arrow-left.svg': svg('left') })
})
afterAll(() => space.remove())
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-diff-')))
  await writeFile(
    join(root, 'main.js'),
    `import { acmeLogo, oldBadge } from 'content-space:kit/brand'\nimport { arrowLeft } from 'content-space:kit/icons'`,
  )
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
  await rm(root, { recursive: true })
})

async function open(options: Options = {}): Promise<Engine> {
  const engine = await openEngine(
    { space: space.folder, cacheDir: join(root, '.cache'), types: false, ...options },
    { root, env: {} },
  )
  opened.push(engine)
  return engine
}

const none = { added: [], removed: [], renamed: [], changed: [] }

describe('diff', () => {
  test('compares versions in every notation, and does not change the lock', async () => {
    const engine = await open({ kits: { brand: versioned.kit, old: { kit: versioned.kit, version: 1 } } })
    const compared = await diff(engine, { kit: 'brand', from: 1, to: 2 })
    expect(Object.values(compared).map((entries) => entries.length)).toEqual([1, 1, 1, 1])
    expect(await diff(engine, { kit: 'brand@2', from: 'use' })).toEqual(compared)
    expect((await diff(engine, { kit: 'old', from: 'draft', to: 2 })).added.map(({ export: name }) => name)).toEqual([
      'icon',
    ])
    expect(await diff(engine, { kit: 'brand', from: 2, to: 2 })).toEqual(none)
    await finish(engine)
    expect((await sync(engine)).written).toEqual([join(root, 'content-space.lock.json')])
  })

  test('has pictures only on request', async () => {
    const engine = await open()
    const picturesOf = async (pictures: boolean) => {
      const { changed } = await diff(engine, { kit: 'brand', from: 1, to: 2, pictures })
      return changed.flatMap(({ from, to }) => [from?.picture, to?.picture])
    }
    expect(await picturesOf(false)).toEqual([undefined, undefined])
    const [before, after] = await picturesOf(true)
    expect([before, after]).toEqual([
      expect.stringMatching(/^data:image\/webp;base64,/),
      expect.stringMatching(/^data:image\/webp;base64,/),
    ])
    expect(before).not.toBe(after)
  })

  test('reports all assets of a kit that the space no longer has as removed', async () => {
    await sync(await open())
    await space.delete('icons/Arrows/arrow-left.svg')
    await rm(join(space.folder, 'icons'), { recursive: true })
    const { removed, ...rest } = await diff(await open({ frozen: true }))
    await space.write({ 'icons/Arrows/arrow-left.svg': svg('left') })
    expect(rest).toEqual({ added: [], renamed: [], changed: [] })
    expect(removed).toMatchObject([{ kit: 'icons', name: 'Arrow Left', export: 'arrowLeft' }])
  })

  test.each<[string, DiffOptions | undefined, string]>([
    ['a kit that the lock does not have', { kit: 'brand' }, 'kitNotFound'],
    ['a kit that there is not', { kit: 'brnd', from: 1 }, 'kitNotFound'],
    ['a version that there is not', { kit: 'brand', from: 1, to: 7 }, 'versionNotFound'],
    ['two versions to compare to', { kit: 'brand@1', to: 2 }, 'invalidOption'],
    ['what is no version', { kit: 'brand', from: -1 }, 'invalidOption'],
    ['what was called off', { kit: 'brand', from: 1, signal: AbortSignal.abort() }, 'aborted'],
  ])('refuses %s', async (_, request, code) => {
    await expect(diff(await open({ lockfile: false }), request)).rejects.toMatchObject({ code })
  })

  test('lists cuts that are no longer offered with the imports that need them, and a renamed kit', async () => {
    const own = await writeSpace({
      'icons/kit.json': { uuid: versioned.kit, name: 'Icons' },
      'icons/Arrows/arrow-left.svg': svg('left'),
      'icons/Arrows/arrow-right.svg': svg('right'),
    })
    await writeFile(
      join(root, 'main.js'),
      `import { arrowLeft, arrowRight } from 'content-space:kit/icons?cut=png'
import left from 'content-space:asset/icons/arrow-left?cut=png;original'
import kit from 'content-space:section/icons/arrows?cut=png'
import { arrowRight as other } from 'content-space:kit/icons?cut=png'`,
    )
    await sync(await open({ space: own.folder }))
    const off = { filecuts: { available_types: [{ type: 'PNG', enabled: false }] } }
    const on = { filecuts: { available_types: [{ type: 'PNG', enabled: true }] } }
    await own.write({
      'icons/kit.json': { uuid: versioned.kit, name: 'Signs', date_updated: '2024-03-01 00:00:00.000000+0000' },
      'icons/Arrows/arrow-left.json': off,
      'icons/Arrows/arrow-right.json': on,
    })
    const compared = await diff(await open({ space: own.folder }))
    await own.remove()
    expect(compared.cuts?.removed).toMatchObject([{ name: 'Arrow Left', kit: 'icons', from: { cuts: ['PNG'] } }])
    expect(compared.cuts?.removed[0]?.breaks.map(({ line }) => line)).toEqual([1, 3])
    expect(compared.kits?.renamed).toMatchObject([{ name: 'Signs', from: { name: 'Icons' }, to: { name: 'Signs' } }])
  })

  test('is empty without a lock', async () => expect(await diff(await open({ lockfile: false }))).toEqual(none))
})
