import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { writeSpace, type Files, type SpaceFolder } from '../../test/support/space.js'

/** Writes a space with the kit `small`, which contains different PNG files of about 12 kB, 250 in each section. */
export async function smallSpace(assets: number): Promise<SpaceFolder> {
  const noise = await sharp(randomBytes(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer()
  const files: Files = {
    'space.json': { space_id: 7 },
    'small/00 Draft/asset.png': noise,
    'small/kit.json': {
      name: 'small',
      use_version: 1,
      versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }],
    },
  }
  for (let index = 0; index < assets; index++) {
    const name = `asset-${String(index).padStart(5, '0')}`
    const path = `0${Math.floor(index / 250)} Section ${Math.floor(index / 250)}/${name}.png`
    // Bytes after the end of a PNG don't change the picture.
    files[`small/versions/1/${path}`] = Buffer.concat([noise, Buffer.from(name)])
  }
  return writeSpace(files)
}
