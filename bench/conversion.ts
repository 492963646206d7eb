import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveSpace, writeSpace } from '../test/support/space.js'
import { inTurn, middle, ratio, type Side } from './compare.js'
import { photographs } from './photographs.js'
import { runScript } from './process.js'
import type { Row, Scale } from './report.js'
import { repository } from './settings.js'

const rounds = { full: 9, quick: 2 }
const engine = pathToFileURL(join(repository, 'build/engine/')).href

/**
 * Compares one conversion of a cached photo with the same work in sharp, and with reading the result. Each is the first
 * work of a new process. The start of the process and the engine isn't counted.
 */
export async function compareConversions(scale: Scale): Promise<Row[]> {
  const photos = await photographs(1)
  const [photo = Buffer.alloc(0)] = Object.values(photos)
  const files = Object.entries(photos).map(([name, bytes]) => [`photos/versions/1/01 All/${name}`, bytes])
  const kit = {
    name: 'Photos',
    use_version: 1,
    versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }],
  }
  const space = await writeSpace({ 'photos/kit.json': kit, ...Object.fromEntries(files) })
  const served = await serveSpace(space.folder)
  const root = await mkdtemp(join(tmpdir(), 'content-space-conversion-'))
  try {
    await writeFile(join(root, 'photo.jpg'), photo)
    const options = { ...served.options, cacheDir: join(root, 'cache'), types: false, rateLimit: false }
    await runScript(takeFile('', options), { cwd: root })
    const rows: Row[] = []
    for (const format of ['avif', 'webp']) {
      const measured = await inTurn(`one conversion to ${format}`, sides(format, root, options), rounds[scale], true)
      rows.push({
        work: `one conversion to ${format.toUpperCase()}: cold`,
        against: 'bare sharp with the same work',
        figures: [{ ...ratio(measured, 'cold', 'sharp'), target: 1.15 }],
      })
      rows.push({
        work: `one conversion to ${format.toUpperCase()}: from the store`,
        against: 'reading the file: time added',
        figures: [{ now: middle(measured, 'store') - middle(measured, 'file'), unit: 'ms', target: 3 }],
      })
    }
    return rows
  } finally {
    await served.close()
    await Promise.all([space.remove(), rm(root, { recursive: true, force: true })])
  }
}

/** Each round has a width that no earlier round has used. */
function sides(format: string, root: string, options: object): Side[] {
  let width = 1280
  const timedScript = (name: string, code: () => string): Side => ({
    name,
    run: async () => ({ wall: Number((await runScript(code(), { cwd: root })).stdout) }),
  })
  const query = (): string => `?w=${width}&format=${format}`
  return [
    timedScript('cold', () => takeFile(`?w=${++width}&format=${format}`, options)),
    timedScript('store', () => takeFile(query(), options)),
    timedScript('sharp', () => bareSharp(width, format)),
    timedScript('file', () => readResult(format)),
  ]
}

/** Prints the milliseconds until the file's bytes are available. */
function takeFile(query: string, options: object): string {
  return `import { openEngine } from ${JSON.stringify(`${engine}engine.js`)}
    import { planAddress, readFile } from ${JSON.stringify(`${engine}build.js`)}
    const engine = await openEngine(${JSON.stringify(options)}, { root: process.cwd() })
    const { src } = await planAddress(engine, ${JSON.stringify(`content-space:asset/photos/photo-00${query}`)})
    const started = performance.now()
    const bytes = await readFile(engine, src)
    console.log(performance.now() - started)
    await engine.close()`
}

function bareSharp(width: number, format: string): string {
  return `import { readFile, writeFile } from 'node:fs/promises'
    const started = performance.now()
    const { default: sharp } = await import('sharp')
    const picture = sharp(await readFile('photo.jpg')).autoOrient().resize({ width: ${width} })
    const bytes = await picture.${format}().toBuffer()
    console.log(performance.now() - started)
    await writeFile('result.${format}', bytes)`
}

function readResult(format: string): string {
  return `import { readFile } from 'node:fs/promises'
    const started = performance.now()
    await readFile('result.${format}')
    console.log(performance.now() - started)`
}
