import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { animation, halvesSvg } from '../support/pictures.js'
import { build, createProject } from './driver.js'
import { drivers } from './drivers/all.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => {
  space = await openTestSpace()
  await space.edit('01 Logos/moving.gif', await animation(90, 60))
  await space.edit('01 Logos/halves.svg', halvesSvg)
})
afterAll(() => space.close())

const queries = {
  'hero-photo': [
    'w=20;30&format=avif;webp;jpg&placeholder=blur',
    'w=20&h=20&fit=cover&greyscale',
    'as=inline&w=10',
    'rotate=90&w=10&placeholder=color',
  ],
  moving: ['w=45', 'w=45&format=webp', 'format=png'],
  halves: ['w=200', 'as=raw', 'svgo', 'format=png;webp&dpr=1;2&w=30'],
}

test(
  'every bundler emits the same bytes for pictures',
  async () => {
    const ids = Object.entries(queries).flatMap(([asset, all]) =>
      all.map((query) => `content-space:asset/${kits.brand}@draft/${asset}?${query}`),
    )
    const main = `${ids.map((id, index) => `import p${index} from '${id}'\n`).join('')}console.log(JSON.stringify([${ids.map((_, index) => `p${index}`).join()}]))`
    const results: unknown[] = []
    for (const driver of drivers) {
      const project = await createProject({ 'main.js': main })
      // A separate cache, so that each bundler makes the pictures.
      const output = await build(driver, project, { ...space.options(), cacheDir: `${project.root}/.cache` })
      const digests = output
        .assets()
        .map(([, bytes]) => createHash('sha256').update(bytes).digest('hex'))
        .toSorted()
      // Bundlers name files differently.
      const shown = JSON.stringify(await output.run()).replaceAll(/\/static\/[^" ]+/g, 'address')
      results.push({ digests, shown })
      await project.remove()
    }
    const [first, ...others] = results
    expect(first).toMatchObject({ shown: expect.stringContaining('data:image/webp'), digests: { length: 17 } })
    for (const other of others) expect(other).toEqual(first)
  },
  timeFor(2),
)
