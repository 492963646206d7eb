import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { RasterRecipe } from '../../../../src/files/recipe.js'
import { converters, endConverters } from '../../../support/converters.js'
import { animation, halvesSvg } from '../../../support/pictures.js'

const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
const create = { width: 1200, height: 800, channels: 3, background: '#888', noise } as const
const photo = await sharp({ create }).blur(2).jpeg().toBuffer()
const drawn = await sharp(photo).ensureAlpha(0.6).png().toBuffer()
const flat = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c30' } })
  .png()
  .toBuffer()
const moving = await animation(300, 200)

/** Converts a picture while other jobs don't need any cores. */
async function convert(cores: number, source: Buffer, recipe: Partial<RasterRecipe>): Promise<Buffer> {
  const { openPool } = await import('../../../../src/files/convert/pool.js')
  const pool = openPool(cores)
  onTestFinished(() => pool.close())
  const given = { kind: 'raster', format: 'png', fit: 'scale', width: 640, ...recipe } as const
  return Buffer.from(await pool.convert({ source: 'a', recipe: given, read: async () => source }))
}

test.each<[name: string, source: Buffer, recipe: Partial<RasterRecipe>]>([
  ...['avif', 'webp', 'jpg', 'png', 'gif', 'tiff', 'ico'].map((format): [string, Buffer, Partial<RasterRecipe>] => [
    format,
    photo,
    { format, width: 300 },
  ]),
  ['avif in its whole size', photo, { format: 'avif', width: 1200, effort: 0 }],
  ['webp in its whole size', photo, { format: 'webp', width: 1200, effort: 6 }],
  ['webp with transparency', drawn, { format: 'webp' }],
  ['lossless avif', photo, { format: 'avif', lossless: true, effort: 0 }],
  ['lossless webp', drawn, { format: 'webp', lossless: true, effort: 1 }],
  ['an animated webp', moving, { format: 'webp' }],
  ['an animated gif', moving, { format: 'gif' }],
  ['a drawing', halvesSvg, { width: 1500 }],
  ['blur', photo, { blur: 4 }],
  ['greyscale', photo, { greyscale: true }],
  ['rotate', photo, { rotate: 30 }],
  ['attention', photo, { fit: 'cover', height: 640, width: 300, position: 'attention' }],
  [
    'attention for a picture that is the same everywhere',
    flat,
    { fit: 'cover', height: 640, width: 300, position: 'attention' },
  ],
  ['entropy', photo, { fit: 'cover', height: 640, width: 300, position: 'entropy' }],
  ['a preview', photo, { format: 'webp', preview: 'blur' }],
])('%s has the same bytes with one thread and with four', async (_, source, recipe) => {
  expect((await convert(4, source, recipe)).equals(await convert(1, source, recipe))).toBe(true)
})

async function threadsOfJob(cores: number): Promise<number> {
  await endConverters()
  await convert(cores, photo, { blur: 4 })
  return Math.max(...converters().map((child) => readdirSync(`/proc/${child}/task`).length))
}

test.skipIf(process.platform !== 'linux')('a single job gets the cores that no other job needs', async () => {
  expect(await threadsOfJob(4)).toBeGreaterThan(await threadsOfJob(1))
})
