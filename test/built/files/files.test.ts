import { createHash } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFiles, planned, tempFolder } from '../../support/files.js'
import { halves } from '../../support/pictures.js'

const photo = await halves(900, 600).jpeg().toBuffer()
const other = await halves(900, 600).jpeg({ quality: 50 }).toBuffer()
const asset = { type: 'JPG', width: 900, height: 600, size: photo.length, name: 'Hero' }
const sha256 = (bytes: Uint8Array) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

function source(query = '', given: object = {}) {
  const { src } = planned({ ...asset, ...given }, query)
  if (!src) throw new Error('no src')
  return src
}

/** Returns every content file in the store. */
async function contents(cacheDir: string): Promise<string[]> {
  const entries = await readdir(cacheDir, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) =>
    entry.isFile() && /files-v3.content/.test(entry.parentPath) ? [join(entry.parentPath, entry.name)] : [],
  )
}

describe('the store', () => {
  test('downloads once for several requests, and returns the downloaded bytes', async () => {
    const files = await openFiles({ JPG: photo })
    const all = await Promise.all(Array.from({ length: 8 }, () => files.bytes(source())))
    for (const bytes of all) expect(Buffer.compare(bytes, photo)).toBe(0)
    expect(files.downloads).toEqual(['JPG'])
    expect(files.read.filter(({ cached }) => !cached)).toEqual([{ integrity: sha256(photo), cached: false }])
  })

  test('is shared by later runs, and is readable only by the user', async () => {
    const cacheDir = join(await tempFolder(), 'cache')
    await (await openFiles({ JPG: photo }, { cacheDir })).bytes(source('w=90'))
    const later = await openFiles({ JPG: photo }, { cacheDir, offline: true })
    expect((await later.bytes(source('w=90'))).length).toBeGreaterThan(0)
    expect(later.downloads).toEqual([])
    expect((await stat(cacheDir)).mode & 0o777).toBe(0o700)
  })

  test('downloads damaged content again', async () => {
    const cacheDir = await tempFolder()
    await (await openFiles({ JPG: photo }, { cacheDir })).bytes(source())
    for (const file of await contents(cacheDir)) await writeFile(file, Buffer.alloc(photo.length))
    for (const downloads of [['JPG'], []]) {
      const files = await openFiles({ JPG: photo }, { cacheDir })
      expect(Buffer.compare(await files.bytes(source()), photo)).toBe(0)
      expect(files.downloads).toEqual(downloads)
    }
  })

  test('keeps spaces, revisions and cuts separate', async () => {
    const cacheDir = await tempFolder()
    await (await openFiles({ JPG: photo }, { cacheDir })).bytes(source('', { fileHash: 'aa' }))
    const files = await openFiles({ JPG: other, PNG: await halves(9, 9).png().toBuffer() }, { cacheDir })
    expect(Buffer.compare(await files.bytes(source('', { fileHash: 'bb' })), other)).toBe(0)
    await files.bytes(source('cut=png', { fileHash: 'aa' }))
    expect(files.downloads).toEqual(['JPG', 'PNG'])
  })

  test('is skipped when the disk cannot be written, with one warning', async () => {
    const cacheDir = join(await tempFolder(), 'file')
    await writeFile(cacheDir, '')
    const files = await openFiles({ JPG: photo }, { cacheDir })
    expect(Buffer.compare(await files.bytes(source()), photo)).toBe(0)
    expect((await files.bytes(source('w=90'))).length).toBeGreaterThan(0)
    expect(files.warnings).toEqual([expect.stringContaining('Continuing without it')])
  })

  test('stores empty files', async () => {
    const files = await openFiles({ JPG: Buffer.alloc(0) })
    expect(await files.bytes(source('', { size: 0 }))).toHaveLength(0)
  })
})

describe('the lock', () => {
  test('rejects an original that differs, and names both hashes and the solution', async () => {
    const files = await openFiles({ JPG: other }, { locked: () => sha256(photo) })
    await expect(files.bytes(source())).rejects.toMatchObject({
      code: 'integrity',
      message: expect.stringMatching(/Hero.*content-space update/s),
    })
    await expect(files.bytes(source('w=90'))).rejects.toThrow(sha256(photo))
    await expect(files.bytes(source('w=90'))).rejects.toThrow(sha256(other))
  })

  test('warns about a cut that differs, and rejects it under strict or frozen', async () => {
    const png = await halves(9, 9).png().toBuffer()
    const locked = () => sha256(photo)
    const files = await openFiles({ JPG: photo, PNG: png }, { locked })
    expect(Buffer.compare(await files.bytes(source('cut=png')), png)).toBe(0)
    expect(files.warnings).toEqual([expect.stringContaining('Hero (PNG cut) has changed')])
    for (const firm of [{ strict: true }, { frozen: true }]) {
      const refusing = await openFiles({ JPG: photo, PNG: png }, { locked, ...firm })
      await expect(refusing.bytes(source('cut=png'))).rejects.toMatchObject({ code: 'integrity' })
    }
  })

  test('uses the locked bytes of a cut when they are in the cache', async () => {
    const [cacheDir, first, second] = [
      await tempFolder(),
      await halves(9, 9).png().toBuffer(),
      await halves(8, 8).png().toBuffer(),
    ]
    await (await openFiles({ JPG: photo, PNG: first }, { cacheDir })).bytes(source('cut=png', { fileHash: 'aa' }))
    const files = await openFiles({ JPG: photo, PNG: second }, { cacheDir, locked: () => sha256(first) })
    expect(Buffer.compare(await files.bytes(source('cut=png', { fileHash: 'bb' })), first)).toBe(0)
    expect(files.warnings).toEqual([])
  })
})

describe('the file_hash of the service', () => {
  test.each(['md5', 'sha1', 'sha256'])('is checked as %s', async (algorithm) => {
    const fileHash = createHash(algorithm).update(photo).digest('hex')
    const files = await openFiles({ JPG: photo })
    await files.bytes(source('', { fileHash }))
    expect(files.warnings).toEqual([])
  })

  test('causes a warning when it differs, and an error under strict', async () => {
    const fileHash = createHash('md5').update(other).digest('hex')
    const files = await openFiles({ JPG: photo })
    await files.bytes(source('', { fileHash }))
    expect(files.warnings).toEqual([expect.stringContaining('file_hash')])
    const strict = await openFiles({ JPG: photo }, { strict: true })
    await expect(strict.bytes(source('', { fileHash }))).rejects.toMatchObject({
      code: 'contentMismatch',
      hint: expect.stringContaining('Upload the file again'),
    })
  })

  test('far beyond the listed size is an error with the next step', async () => {
    const files = await openFiles({ JPG: Buffer.alloc(2e6) })
    await expect(files.bytes(source('', { size: 1 }))).rejects.toMatchObject({
      code: 'truncated',
      hint: expect.stringContaining('Upload the file again'),
    })
  })
})

test("a cut of the wrong type doesn't make users upload the file again", async () => {
  const files = await openFiles({ JPG: photo, PNG: photo })
  await expect(files.bytes(source('cut=png'))).rejects.toMatchObject({
    code: 'contentMismatch',
    message: expect.stringMatching(
      /\(PNG cut\) was requested as PNG, but contains image\/jpeg\.\n.* ask the people who run/,
    ),
  })
})

describe('values', () => {
  test('are data URIs and texts', async () => {
    const files = await openFiles({ JPG: photo })
    const { value } = planned(asset, 'inline')
    expect(value && (await files.value(value))).toBe(`data:image/jpeg;base64,${photo.toString('base64')}`)
  })

  test.each([
    ['TXT', 'text/plain'],
    ['Sketch', 'application/zip'],
    ['TTF', 'font/ttf'],
    ['Blend', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
  ])('state that %s is %s', async (type, mediaType) => {
    const bytes = Buffer.from(`PK\x03\x04\x14\0\0\0\0\0PK\x05\x06${'\0'.repeat(18)}`, 'latin1')
    const files = await openFiles({ [type]: bytes })
    const { value } = planned({ type, size: bytes.length }, 'inline')
    expect(value && (await files.value(value))).toBe(`data:${mediaType};base64,${bytes.toString('base64')}`)
  })

  test("don't have a text for a file that isn't text", async () => {
    const files = await openFiles({ JPG: photo })
    const { value } = planned(asset, 'raw')
    await expect(value && files.value(value)).rejects.toMatchObject({ code: 'contentMismatch' })
  })

  test('accept an unknown type', async () => {
    const files = await openFiles({ TTF: Buffer.from('words') })
    const { src, value } = planned({ type: 'TTF' }, 'raw')
    expect(src?.ext).toBe('ttf')
    expect(value && (await files.value(value))).toBe('words')
  })
})

test('list missing content when offline', async () => {
  const files = await openFiles({ JPG: photo }, { offline: true })
  await expect(files.bytes(source('w=90'))).rejects.toMatchObject({
    code: 'offline',
    message: expect.stringContaining('Hero'),
  })
  expect(files.downloads).toEqual([])
})
