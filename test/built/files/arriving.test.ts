import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { converters, endConverters } from '../../support/converters.js'
import { planned, tempFolder } from '../../support/files.js'
import { soon } from '../../support/long.js'
import { downloadSpace } from '../../support/one-asset.js'
import { halves, halvesSvg } from '../../support/pictures.js'

let createFiles: typeof import('../../../src/files/files.js').createFiles

beforeEach(async () => {
  await endConverters()
  ;({ createFiles } = await import('../../../src/files/files.js'))
})

const context = {
  offline: false,
  strict: false,
  frozen: false,
  warn: (message: string) => expect.fail(message),
  locked: () => undefined,
  onFile: () => {},
}

const photo = await halves(900, 600).jpeg().toBuffer()

/** Opens a space with one file. @param arriving awaited before the file's bytes are sent */
function openFiles(cacheDir: string, bytes: Uint8Array, arriving: () => Promise<unknown> = async () => {}) {
  const space = downloadSpace(async (_asset, _cut, receive) => {
    await arriving()
    return receive(Readable.from([bytes]))
  })
  const files = createFiles({ ...context, space, cacheDir })
  onTestFinished(() => files.close())
  return files
}

/** Describes a file with the hash that the service lists, so that the file doesn't have to be decoded to check it. */
function fileOf(type: string, bytes: Uint8Array, query: string) {
  const fileHash = createHash('md5').update(bytes).digest('hex')
  const { src, value } = planned({ type, width: 900, height: 600, size: bytes.length, fileHash }, query)
  const file = value?.file ?? src
  if (file === undefined) throw new Error('no file')
  return file
}

test.skipIf(process.platform !== 'linux')(
  'a child has loaded sharp before the picture that it converts has arrived',
  async () => {
    const files = openFiles(await tempFolder(), photo, () =>
      vi.waitUntil(
        () => converters().some((child) => readFileSync(`/proc/${child}/maps`, 'utf8').includes('libvips')),
        soon,
      ),
    )
    const made = ['w=90&format=webp', 'w=90&format=avif', 'w=80'].map((query) =>
      files.bytes(fileOf('JPG', photo, query)),
    )
    for (const bytes of await Promise.all(made)) expect(bytes.length).toBeGreaterThan(0)
  },
)

test('a child starts before the drawing that it rewrites has arrived', async () => {
  const files = openFiles(await tempFolder(), halvesSvg, () => vi.waitUntil(() => converters().length > 0, soon))
  expect((await files.bytes(fileOf('SVG', halvesSvg, 'as=react'))).length).toBeGreaterThan(0)
})

test('no child starts for files that are not converted, or whose results are in the cache', async () => {
  const cacheDir = await tempFolder()
  const files = openFiles(cacheDir, photo)
  await files.bytes(fileOf('JPG', photo, ''))
  await openFiles(await tempFolder(), halvesSvg).bytes(fileOf('SVG', halvesSvg, ''))
  expect(converters()).toEqual([])
  await files.bytes(fileOf('JPG', photo, 'w=90'))
  await endConverters()
  ;({ createFiles } = await import('../../../src/files/files.js'))
  await openFiles(cacheDir, photo).bytes(fileOf('JPG', photo, 'w=90'))
  expect(converters()).toEqual([])
})
