import { fileTypeFromBuffer } from 'file-type'
import { expect, test } from 'vitest'
import { contentOf } from '../../../src/disk/content.js'
import { findTypeMismatch } from '../../../src/files/file-signature.js'
import { signaturesOf } from '../../../src/space/asset-type.js'
import { halves } from '../../support/pictures.js'

const picture = halves(9, 6)
const gif = await picture.clone().gif().toBuffer()
const jpg = await picture.clone().jpeg().toBuffer()
const png = await picture.clone().withMetadata().png().toBuffer()

/** Inserts a chunk before the first chunk of image data. */
function withChunk(name: string, length: number): Buffer {
  const at = png.indexOf('IDAT') - 4
  const head = Buffer.alloc(8)
  head.writeUInt32BE(length)
  head.write(name, 4)
  return Buffer.concat([png.subarray(0, at), head, Buffer.alloc(Math.min(length, 5000) + 4), png.subarray(at)])
}

const samples: Record<string, Buffer> = {
  gif,
  jpg,
  png,
  apng: withChunk('acTL', 8),
  'large profile': withChunk('iCCP', 5000),
  'second header': withChunk('IHDR', 12),
  'negative length': withChunk('tEXt', 0xff_ff_ff_ff),
}

/** Damages the first bytes in every way that might matter: shorter, and with other bits. */
function variants(bytes: Buffer): Buffer[] {
  const starts = Array.from({ length: 48 }, (_, at) => at)
  return [
    bytes,
    ...starts.map((end) => bytes.subarray(0, end + 1)),
    ...starts.flatMap((at) =>
      [0x08, 0x80].map((bit) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ bit
        return changed
      }),
    ),
  ]
}

test.each(Object.keys(samples))(
  'the start of a picture (%s) is recognized as file-type recognizes it',
  async (name) => {
    for (const bytes of variants(samples[name] ?? Buffer.alloc(0))) {
      const found = (await fileTypeFromBuffer(bytes))?.mime ?? 'unknown data'
      for (const type of ['GIF', 'JPG', 'PNG'])
        expect(await findTypeMismatch(contentOf(bytes), type)).toBe(
          signaturesOf(type)?.includes(found) ? undefined : found,
        )
    }
  },
)
