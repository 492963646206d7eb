import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { brand, svg, writeSpace } from '../support/space.js'

const [mark, star, newStar, sun, otherSun] = [1, 2, 3, 4, 5].map(
  (number) => `237C41F2-AAAA-4BBB-8CCC-00000000000${number}`,
)
const kit = { uuid: brand.uuid, name: 'Brand' }
/** The second version, in which one drawing was renamed, one was uploaded again, and one got a namesake. */
const second = (folder: string) => ({
  [`${folder}/Logos/mark.svg`]: svg('logo'),
  [`${folder}/Logos/mark.json`]: { uuid: mark },
  [`${folder}/Logos/star.svg`]: svg('star'),
  [`${folder}/Logos/star.json`]: { uuid: newStar },
  [`${folder}/Logos/sun.svg`]: svg('sun'),
  [`${folder}/Logos/sun.json`]: { uuid: sun },
  [`${folder}/Logos/sun-2.svg`]: svg('other sun'),
  [`${folder}/Logos/sun-2.json`]: { uuid: otherSun, name: 'Sun' },
})

test('versions of a kit that name assets differently share a lockfile, and keep the names that were given', async () => {
  const first = { version: 1, folder: 'versions/1' }
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions: [first] },
    'brand/versions/1/Logos/logo.svg': svg('logo'),
    'brand/versions/1/Logos/logo.json': { uuid: mark },
    'brand/versions/1/Logos/star.svg': svg('star'),
    'brand/versions/1/Logos/star.json': { uuid: star },
    'brand/versions/1/Logos/sun.svg': svg('sun'),
    'brand/versions/1/Logos/sun.json': { uuid: sun },
    ...second('brand'),
  })
  onTestFinished(() => space.remove())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid } }),
      'src/a.js': "import { logo, star, sun } from 'content-space:kit/brand'\nconsole.log(logo, star, sun)\n",
      'src/b.js': "import { mark } from 'content-space:kit/brand@draft'\nconsole.log(mark)\n",
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  const locked = () => readFile(join(work.root, 'content-space.lock.json'), 'utf8')

  expect(await work.run('sync')).toMatchObject({ code: 0 })
  const written = await locked()
  expect(JSON.parse(written).kits[brand.uuid].assets).toMatchObject({
    [String(mark)]: { name: 'mark', slug: 'mark', aliases: [{ name: 'logo', slug: 'logo' }] },
    [String(star)]: { name: 'star' },
    [String(newStar)]: { name: 'star_237C41F2' },
    [String(sun)]: { name: 'sun', aliases: [{ name: 'sun_237C41F2AAAA4BBB8CCC000000000004' }] },
    [String(otherSun)]: { name: 'sun_237C41F2' },
  })
  expect(await work.run('verify')).toMatchObject({ code: 0 })
  expect((await work.run('sync')).stdout).toContain('nothing has changed')

  // The lockfile does not depend on the versions that are imported.
  await work.write({ 'src/b.js': '' })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await locked()).toBe(written)

  await space.write({
    'brand/kit.json': { ...kit, use_version: 2, versions: [first, { version: 2, folder: 'versions/2' }] },
    ...second('brand/versions/2'),
  })
  await work.write({ 'src/a.js': "import { logo, sun } from 'content-space:kit/brand'\nconsole.log(logo, sun)\n" })
  expect(await work.run('update')).toMatchObject({ code: 0 })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
})
