import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../support/cli.js'
import { timeFor } from '../support/long.js'
import { brand, serveSpace, svg, writeSpace, type Files } from '../support/space.js'

const releases = 7
const unused = 40

const drawn = (version: number): Files => ({
  'Logos/mark.svg': svg('mark', 40, 20),
  'Logos/mark.json': { uuid: brand.logo, keywords: 'logo, main, two words', notes: 'Only on white.' },
  'Logos/badge.svg': svg(`badge ${version}`, 40, 20),
  ...Object.fromEntries(Array.from({ length: unused }, (_, at) => [`Spare/spare-${at}.svg`, svg(`spare ${at}`)])),
})
const inFolder = (folder: string, files: Files) =>
  Object.entries(files).map(([path, file]) => [`${folder}/${path}`, file] as const)
/** Returns the names of the kit, sections, and assets in a lockfile. */
const namesIn = (text: string) =>
  new Set([...text.matchAll(/^ +"[\dA-F-]{36}": \{"name":"(\w+)","slug"/gm)].map(([, one]) => one))

/** Returns a kit with one drawing that changes in each release. The assets have different uuids in each version. */
function kitIn(use: number): Files {
  const versions = Array.from({ length: use }, (_, at) => at + 1)
  return {
    'brand/kit.json': {
      uuid: brand.uuid,
      name: 'Brand',
      use_version: use,
      versions: versions.map((version) => ({ version, version_identifier: `${version}.0`, folder: `v/${version}` })),
    },
    ...Object.fromEntries(versions.flatMap((version) => inFolder(`brand/v/${version}`, drawn(version)))),
    ...Object.fromEntries(inFolder('brand', drawn(use))),
  }
}

test(
  'names and imports stay over releases whose assets have uuids of their own, and the lockfile does not grow',
  { timeout: timeFor(4) },
  async () => {
    const space = await writeSpace({ 'space.json': { space_id: 7 }, ...kitIn(1) })
    const service = await serveSpace(space.folder, { uuids: 'perVersion' })
    const source = `import { mark, badge } from 'content-space:kit/brand'
import byUuid from 'content-space:asset/${brand.logo}'
console.log(mark, badge, byUuid)
`
    const work = await project({ 'src/main.js': source }, service.env)
    const lock = () => readFile(join(work.root, 'content-space.lock.json'), 'utf8')
    try {
      expect(await work.run('sync')).toMatchObject({ code: 0 })
      const first = await lock()
      expect(namesIn(first)).toEqual(new Set(['Logos', 'badge', 'mark']))
      for (const line of first.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(1000)
      expect(first).not.toMatch(/spare/i)
      expect(first).toContain(`"source":"${brand.logo}"`)

      for (let use = 2; use <= releases; use++) {
        await space.write(kitIn(use))
        const updated = await work.run('update', 'brand')
        expect(updated).toMatchObject({ code: 0, stderr: '' })
        expect(updated.stdout).toMatch(/^ {2}changed {2}Badge {2}badge/m)
        expect(updated.stdout).not.toMatch(/^ {2}(?:added|removed|renamed|replaced)/m)
        expect(namesIn(await lock())).toEqual(namesIn(first))
        expect(Math.abs((await lock()).length - first.length)).toBeLessThan(first.length / 20)
      }
      const diff = await work.run('diff', 'brand', '--from', '1', '--to', String(releases))
      expect(diff.stdout).toContain('1 changed')
      await rm(join(work.root, '.cache'), { recursive: true })
      expect(await work.run('sync', '--frozen')).toMatchObject({ code: 0 })
    } finally {
      await Promise.all([service.close(), space.remove(), work.remove()])
    }
  },
)
