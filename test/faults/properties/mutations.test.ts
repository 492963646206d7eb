import { fc } from '../../support/random.js'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock } from '../../../src/lock/schema.js'
import { readDimensions } from '../../../src/space/folder/dimensions.js'
import { openFiles, planned } from '../../support/files.js'
import { arbitraryLock } from '../../support/lock.js'
import { halves, halvesSvg } from '../../support/pictures.js'

interface Change {
  at: number
  byte: number
  kind: 'flip' | 'cut' | 'drop' | 'put'
}
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    at: fc.nat(5000),
    byte: fc.nat(255),
    kind: fc.constantFrom<Change['kind'][]>('flip', 'flip', 'cut', 'drop', 'put'),
  }),
  { minLength: 1, maxLength: 4 },
)

/** @param header how many bytes from the beginning may be changed; by default, all */
function changed(bytes: Buffer, given: readonly Change[], header = bytes.length): Buffer {
  return given.reduce((now, { at, byte, kind }) => {
    const place = at % Math.max(1, Math.min(header, now.length))
    const [before, behind] = [now.subarray(0, place), now.subarray(place + 1)]
    if (kind === 'cut') return before
    return Buffer.concat(
      kind === 'flip'
        ? [before, Buffer.of(byte), behind]
        : kind === 'drop'
          ? [before, behind]
          : [before, Buffer.of(byte), now.subarray(place)],
    )
  }, bytes)
}

test('a lock with changed bytes is a lock, or refused with invalidLock', () => {
  fc.assert(
    fc.property(arbitraryLock, changes, (lock, given) => {
      const text = changed(Buffer.from(formatLock(lock)), given).toString()
      try {
        const written = formatLock(parseLock(text, 'lock.json'))
        expect(formatLock(parseLock(written, 'lock.json'))).toBe(written)
      } catch (error) {
        expect(error).toBeInstanceOf(ContentSpaceError)
        expect(error).toMatchObject({ code: 'invalidLock' })
      }
    }),
  )
})

const picture = halves(16, 12)
const pictures: [type: string, bytes: Buffer][] = [
  ['PNG', await picture.clone().png().toBuffer()],
  ['JPG', await picture.clone().jpeg().toBuffer()],
  ['GIF', await picture.clone().gif().toBuffer()],
  ['TIFF', await picture.clone().tiff().toBuffer()],
  ['WEBP', await picture.clone().webp().toBuffer()],
  ['SVG', halvesSvg],
]
const which = fc.constantFrom(...pictures)

test('the size of a picture with changed bytes is read, or absent', async () => {
  await fc.assert(
    fc.asyncProperty(which, changes, async ([type, bytes], given) => {
      const size = await readDimensions(type, changed(bytes, given))
      if (size !== undefined) expect(size).toMatch(/^\d+(\.\d+)?x\d+(\.\d+)?$/)
    }),
  )
})

test('a picture with a changed header is converted, or refused with a ContentSpaceError', async () => {
  const content: Record<string, Buffer> = {}
  const files = await openFiles(content, { type: 'PNG' })
  let count = 0
  await fc.assert(
    fc.asyncProperty(which, changes, async ([type, bytes], given) => {
      content[type] = changed(bytes, given, 64)
      const { src } = planned(
        { uuid: `A${count++}`, type, size: content[type].length, width: 16, height: 12 },
        'w=8&format=webp',
      )
      // This space serves an original only under its own type.
      content['PNG'] = content[type]
      // An empty file is a data file if the interface doesn't list its type.
      if (src === undefined) {
        expect([type, content[type].length]).toEqual(['WEBP', 0])
        return
      }
      try {
        const { format, width } = await sharp(await files.bytes(src)).metadata()
        expect(format).toBe('webp')
        expect(width).toBeLessThanOrEqual(8)
      } catch (error) {
        expect(error).toBeInstanceOf(ContentSpaceError)
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(contentMismatch|conversionFailed|truncated|unsafeSvg)$/),
        })
      }
    }),
  )
})
