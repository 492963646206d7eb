/**
 * Joins PNG files to an ICO file.
 * https://learn.microsoft.com/windows/win32/menurc/about-icons
 * @param pictures squares of at most 256 pixels
 */
export function joinIco(pictures: readonly { side: number; png: Buffer }[]): Buffer {
  const [headerBytes, entryBytes] = [6, 16]
  const directory = Buffer.alloc(headerBytes + entryBytes * pictures.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(pictures.length, 4)
  let offset = directory.length
  for (const [at, { side, png }] of pictures.entries()) {
    const entry = headerBytes + entryBytes * at
    // A byte each; 0 stands for 256.
    directory.writeUInt8(side % 256, entry)
    directory.writeUInt8(side % 256, entry + 1)
    directory.writeUInt16LE(1, entry + 4)
    directory.writeUInt16LE(32, entry + 6)
    directory.writeUInt32LE(png.length, entry + 8)
    directory.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)])
}
