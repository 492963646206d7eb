import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { project } from '../support/cli.js'
import { logo } from '../support/drawings.js'
import { writeSpace } from '../support/space.js'

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
/** Prints the peak memory of a process in KB. */
const peak = 'data:text/javascript,process.on("exit",()=>console.error("peak",process.resourceUsage().maxRSS))'

test('reads hostile trees in 700 MB, and compares files of any size', async () => {
  const space = await writeSpace({ 'brand/kit.json': { name: 'Brand' }, 'brand/Logos/logo.svg': logo })
  const work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, kits: { brand: 'brand' } }),
    'logo.svg': logo,
  })
  const blank = { create: { width: 7000, height: 7000, channels: 4, background: '#e5603f' } } as const
  // To read one of its pixels, all of them have to be decoded: 196 MB. All of these pictures together would take 1.6
  // GB.
  const large = await sharp(blank).png({ progressive: true }).toBuffer()
  await mkdir(join(work.root, 'hostile'))
  const write = (name: string, data: string | Buffer) => writeFile(join(work.root, 'hostile', name), data)
  for (let count = 0; count < 8; count++) {
    await write(`${count}.png`, Buffer.concat([large, Buffer.from([count])]))
    await write(`${count}.html`, `<img src="data:image/png;base64,${'A'.repeat(12e6)}">${count}`)
    await write(`${count}.js`, `${'<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'.repeat(1e5)}${count}`)
    await write(`${count}.css`, `${'url(data:image/svg+xml,<svg'.repeat(1e5)}${count}`)
    await write(`${count}.txt`, Buffer.alloc(5e7))
  }
  const env = { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(work.root, '.cache') }
  const child = spawn(process.execPath, ['--import', peak, bin, 'audit', '--json'], { cwd: work.root, env })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(JSON.parse(stdout)).toMatchObject({ findings: [{ finding: 'copy', file: 'logo.svg' }], files: 42, large: 8 })
  expect(Number(/peak (\d+)/.exec(stderr)?.[1])).toBeLessThan(700_000)
  await work.remove()
  await space.remove()
})
