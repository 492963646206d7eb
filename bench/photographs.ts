import sharp from 'sharp'

const width = 3000
const height = 2000

/**
 * Makes pictures that take about as long to convert as photos: soft shapes with grain, each different.
 * @returns JPEG files by name
 */
export async function photographs(count: number): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {}
  for (let index = 0; index < count; index++)
    files[`photo-${String(index).padStart(2, '0')}.jpg`] = await photograph(index)
  return files
}

/** Makes a picture whose bytes depend only on the index. */
async function photograph(index: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3)
  let seed = index + 1
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      const grain = (seed >>> 28) - 8
      const shape = Math.sin(x / (40 + index)) * Math.cos(y / 60) * 60
      data[at++] = clamp(128 + shape + grain)
      data[at++] = clamp(110 + shape / 2 + (y / height) * 90 + grain)
      data[at++] = clamp(90 + (x / width) * 120 + grain)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value))
}
