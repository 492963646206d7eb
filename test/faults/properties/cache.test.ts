import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { fc } from '../../support/random.js'
import { afterAll, expect, test } from 'vitest'
import { clearCache, pruneCache, verifyCache } from '../../../src/commands/cache/run.js'
import { openFiles, planned, tempFolder, type TestFiles } from '../../support/files.js'
import { downloadSpace } from '../../support/one-asset.js'
import { filesIn } from '../bench.js'

const root = await tempFolder()
afterAll(() => rm(root, { recursive: true, force: true }))

/** Each asset's revision on the service, and the assets that must be in the cache. */
interface Model {
  revisions: Map<number, number>
  kept: Set<number>
}

interface Real {
  cacheDir: string
  files: TestFiles
  revisions: Map<number, number>
  downloads: number
}

type Command = fc.AsyncCommand<Model, Real>

const bytesOf = (asset: number, revision: number): Buffer =>
  Buffer.from(`asset ${asset} of revision ${revision} `.repeat(20))

async function open(real: Pick<Real, 'cacheDir' | 'revisions'>, downloaded: () => void): Promise<TestFiles> {
  return openFiles(
    {},
    {
      cacheDir: real.cacheDir,
      space: downloadSpace(({ uuid }, _cut, receive) => {
        downloaded()
        const asset = Number(uuid)
        return receive(Readable.from([bytesOf(asset, real.revisions.get(asset) ?? 0)]))
      }),
    },
  )
}

/** A command without a precondition. */
function command(name: string, run: Command['run']): Command {
  return { check: () => true, run, toString: () => name }
}

/**
 * Asserts the current bytes, and that an asset isn't downloaded if it has been read before and hasn't changed since.
 */
const read = (asset: number): Command =>
  command(`read ${asset}`, async (model, real) => {
    const bytes = bytesOf(asset, model.revisions.get(asset) ?? 0)
    const fileHash = createHash('sha256').update(bytes).digest('hex')
    const { src } = planned({ uuid: String(asset), type: 'DATA', size: bytes.length, fileHash }, '')
    const before = real.downloads
    expect(src && Buffer.from(await real.files.bytes(src)).toString()).toBe(bytes.toString())
    if (model.kept.has(asset)) expect(real.downloads - before, 'downloads of what is kept').toBe(0)
    model.kept.add(asset)
  })

/** Replaces the file on the service. */
const change = (asset: number): Command =>
  command(`change ${asset}`, async (model, real) => {
    const next = (model.revisions.get(asset) ?? 0) + 1
    model.revisions.set(asset, next)
    real.revisions.set(asset, next)
    model.kept.delete(asset)
  })

/** The content of a cache file that a bad disk or a killed process has damaged. Undefined if the file is removed. */
const damages: Record<string, (bytes: Buffer, at: number, other: Buffer) => Buffer | undefined> = {
  'a byte': (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.of((bytes[at] ?? 0) ^ 1), bytes.subarray(at + 1)]),
  'cut off': (bytes, at) => bytes.subarray(0, at),
  empty: () => Buffer.alloc(0),
  gone: () => undefined,
  'another file': (_bytes, _at, other) => other,
  'half a line more': (bytes, at) => Buffer.concat([bytes, Buffer.from('\n'), bytes.subarray(0, at)]),
}

/** @param kind one of `damages`, a folder in place of the file, or an incomplete temporary file */
const damage = (kind: string, which: number, at: number): Command =>
  command(`damage ${kind} ${which} ${at}`, async (model, real) => {
    const paths = (await filesIn(real.cacheDir))
      .filter((path) => /files-v3.(content|index)/.test(path))
      .map((path) => join(real.cacheDir, path))
    const path = paths[which % Math.max(1, paths.length)]
    if (path === undefined) return
    const [bytes, other] = [await readFile(path), await readFile(paths[at % paths.length] ?? path)]
    const place = at % Math.max(1, bytes.length)
    if (kind === 'half a file') {
      const left = join(real.cacheDir, 'files-v3/tmp', String(at))
      await mkdir(dirname(left), { recursive: true })
      return writeFile(left, bytes.subarray(0, place))
    }
    model.kept.clear()
    const damaged = damages[kind]?.(bytes, place, other)
    if (damaged) return writeFile(path, damaged)
    await rm(path)
    if (kind === 'a folder') await mkdir(path)
  })

/** Reopens the cache, as another process would. */
const restart = command('restart', async (_model, real) => {
  real.files.close()
  real.files = await open(real, () => real.downloads++)
})

const clean: Record<string, Command> = {
  prune: command('prune', async (model, real) => {
    await pruneCache(real.cacheDir, 0)
    model.kept.clear()
  }),
  clear: command('clear', async (model, real) => {
    await clearCache(real.cacheDir)
    model.kept.clear()
  }),
  verify: command('verify', async (_model, real) => void (await verifyCache(real.cacheDir))),
}

const asset = fc.nat(3)
const commands = fc.commands(
  [
    asset.map(read),
    asset.map(read),
    asset.map(change),
    fc
      .tuple(fc.constantFrom(...Object.keys(damages), 'a folder', 'half a file'), fc.nat(50), fc.nat(1000))
      .map((given) => damage(...given)),
    fc.constant(restart),
    fc.constantFrom(...Object.values(clean)),
  ],
  { maxCommands: 30 },
)

test("a cache returns the service's files despite any damage, and doesn't download a file twice", async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      await fc.asyncModelRun(async () => {
        const real: Real = {
          cacheDir: join(root, String(count++)),
          revisions: new Map(),
          downloads: 0,
          files: await openFiles({}),
        }
        await mkdir(real.cacheDir)
        real.files.close()
        real.files = await open(real, () => real.downloads++)
        return { model: { revisions: new Map<number, number>(), kept: new Set<number>() }, real }
      }, given)
    }),
  )
})
