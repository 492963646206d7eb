import { expect, test } from 'vitest'
import { readSections } from '../../../../src/commands/shared/kits.js'
import { openEngine } from '../../../../src/engine/engine.js'
import { svg, writeSpace } from '../../../support/space.js'

const uuid = '5EC70000-1111-4222-8333-00000000000A'

test('finds a section by its uuid in any case, by its slug, and by its slug from before a rename', async () => {
  const space = await writeSpace({
    'space/brand/Logos/section.json': { uuid },
    'space/brand/Logos/logo.svg': svg('logo'),
    'space/brand/Photos/photo.svg': svg('photo'),
    'main.js': `import 'content-space:section/brand/logos'`,
  })
  const options = { space: 'space', kits: { brand: 'brand' }, cacheDir: 'cache', types: false } as const
  const read = async (section: string) => {
    const engine = await openEngine(options, { root: space.folder, env: {} })
    try {
      const sections = await readSections(engine, 'brand', section)
      // The lockfile keeps the names that the source uses.
      await engine.sync.sync()
      return sections.map(({ name }) => name)
    } finally {
      await engine.close()
    }
  }
  expect(await read('logos')).toEqual(['Logos'])
  await space.write({ 'space/brand/Logos/section.json': { uuid, name: 'Marks' } })
  expect(await read('logos')).toEqual(['Marks'])
  expect(await read('marks')).toEqual(['Marks'])
  expect(await read(uuid.toLowerCase())).toEqual(['Marks'])
  await expect(read('photo')).rejects.toMatchObject({
    code: 'sectionNotFound',
    hint: expect.stringContaining('photos'),
  })
  await space.remove()
})
