import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../../../support/long.js'
import { createImporter, type AuditReport } from '../../../../src/index.js'
import {
  copies,
  drawingWays,
  foreignIcons,
  originals,
  pictureWays,
  plant,
  plantDrawing,
  plantPicture,
  playgroundSpace,
  type Planted,
} from '../../../support/planted.js'

/** On white, only the symbol of these drawings for dark backgrounds is visible. */
const forDarkGround = /-reversed$/

let root: string
let planted: Planted[]
let report: AuditReport

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-audit-')))
  const pictures = await originals()
  planted = [
    ...(await copies()),
    ...pictures
      .filter(({ isDrawing }) => isDrawing)
      .flatMap((picture) => Object.keys(drawingWays).map((way) => plantDrawing(picture, way))),
    ...(await Promise.all(
      pictures.flatMap((picture) => Object.keys(pictureWays).map((way) => plantPicture(picture, way))),
    )),
  ]
  await plant(root, [...planted, ...(await foreignIcons(1000))])
  const options = { space: playgroundSpace, cacheDir: join(root, 'cache'), lockfile: false } as const
  const importer = await createImporter(options, { root })
  report = await importer.audit()
  await importer.close()
}, timeFor(5))
afterAll(() => rm(root, { recursive: true, force: true }))

const slugOf = (name: string): string => name.replace(/-[\da-f]{8}$/, '')

/** Returns the share of planted files for which a finding names their asset. */
function found(way: string, without?: RegExp): { share: number; missing: string[]; findings: string[] } {
  const all = planted.filter((file) => file.way === way && !without?.test(file.asset))
  const named = all.map(({ path, asset }) =>
    report.findings.filter((one) => one.file === path && slugOf(one.asset.slug) === asset),
  )
  const missing = all.filter((_, at) => named[at]?.length !== 1).map(({ path }) => path)
  const findings = [...new Set(named.flat().map(({ finding }) => finding))]
  return { share: 1 - missing.length / all.length, missing, findings }
}

test('finds every copy of a file', () => {
  expect(found('copy')).toEqual({ share: 1, missing: [], findings: ['copy'] })
})

test.each(Object.keys(drawingWays))('finds every drawing that is %s', (way) => {
  const { share, missing, findings } = found(way)
  expect({ share, missing }).toEqual({ share: 1, missing: [] })
  expect(findings.filter((finding) => finding !== 'copy')).toEqual(['redrawn'])
})

test.each([
  ['png', 1],
  ['png128', 1],
  ['palette', 0.95],
  ['webp', 0.95],
  ['webp128', 0.95],
  ['avif', 0.95],
  ['onGray', 0.95],
  ['padded', 0.95],
])('finds pictures of 128 pixels and more that are %s', (way, least) => {
  const { share, missing } = found(way)
  expect(share, missing.join()).toBeGreaterThanOrEqual(least)
})

test.each([
  ['jpegOnWhite', 0.9],
  ['paddedJpeg', 0.9],
  ['favicon', 0.5],
])('finds pictures that are %s', (way, least) => {
  const { share, missing } = found(way, forDarkGround)
  expect(share, missing.join()).toBeGreaterThanOrEqual(least)
})

test('names no wrong asset, and at most 1 % of the files of others', () => {
  const assets = new Map(planted.map(({ path, asset }) => [path, asset]))
  const wrong = report.findings.filter(
    ({ file, asset }) =>
      assets.has(file) && assets.get(file) !== slugOf(asset.slug) && !forDarkGround.test(assets.get(file) ?? ''),
  )
  expect(wrong.map(({ file, asset }) => `${file}: ${asset.slug}`)).toEqual([])
  const foreign = report.findings.filter(({ file }) => file.startsWith('foreign/'))
  expect(foreign.length, foreign.map(({ file }) => file).join()).toBeLessThanOrEqual(10)
})
