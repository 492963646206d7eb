import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../support/cli.js'
import { loadedModules } from '../support/loaded-modules.js'
import { halves } from '../support/pictures.js'
import { serveSpace, writeSpace } from '../support/space.js'

/** Counts the calls of the file system that name a path, without the calls that Node makes inside another call. */
const recorder = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { writeFileSync } = fs
  const counts = {}
  let depth = 0
  const wrap = (of, name) => {
    const call = of[name]
    of[name] = function (path, ...rest) {
      if (depth === 0 && typeof path === 'string') counts[name] = (counts[name] ?? 0) + 1
      depth++
      try {
        return call.call(this, path, ...rest)
      } finally {
        depth--
      }
    }
  }
  const names = ['access', 'appendFile', 'chmod', 'copyFile', 'exists', 'link', 'lstat', 'mkdir', 'open', 'readFile',
    'readdir', 'rename', 'rm', 'rmdir', 'stat', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile']
  for (const name of names) {
    wrap(fs, name + 'Sync')
    if (name !== 'exists') wrap(fs.promises, name)
  }
  syncBuiltinESMExports()
  process.on('exit', () => writeFileSync(process.env.COUNTS, JSON.stringify(counts)))`

const kit = (count: number, picture: Buffer) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      // Bytes after the end of a PNG don't change the picture.
      return [`brand/01 Photos/photo-${1000 + at}.png`, Buffer.concat([picture, Buffer.from(`${1000 + at}`)])]
    }),
  )

type Calls = Record<string, number>

/** Pulls a kit, then verifies the cache. Returns the calls of both runs. */
async function callsOf(count: number): Promise<Record<'pull' | 'cache', Calls>> {
  const picture = await halves(8, 8).png().toBuffer()
  const space = await writeSpace({ 'space.json': { space_id: 7 }, ...kit(count, picture) })
  const service = await serveSpace(space.folder, { rateLimit: false })
  const counts = join(space.folder, 'counts.json')
  const work = await project(
    { 'package.json': '{}', 'content-space.config.json': '{ "rateLimit": false }' },
    { ...service.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`, COUNTS: counts },
  )
  const callsIn = async (...args: string[]): Promise<Calls> => {
    expect(await work.runProcess(...args)).toMatchObject({ code: 0 })
    return JSON.parse(await readFile(counts, 'utf8'))
  }
  try {
    return {
      pull: await callsIn('pull', 'brand', '--out', 'content'),
      cache: await callsIn('cache', 'verify'),
    }
  } finally {
    await work.remove()
    await service.close()
    await space.remove()
  }
}

test('each file takes few calls of the file system when it is pulled and verified', async () => {
  // The difference doesn't contain the calls that a run makes once.
  const [few, many] = [await callsOf(50), await callsOf(150)]
  const perFile = (run: keyof typeof few) =>
    Object.fromEntries(
      Object.entries(many[run]).flatMap(([name, count]) => {
        const calls = Math.round((count - (few[run][name] ?? 0)) / 100)
        return calls === 0 ? [] : [[name, calls]]
      }),
    )
  expect(perFile('pull')).toEqual({
    // A line of the index.
    openSync: 1,
    // The content, and the file beside its module and its declarations.
    writeFileSync: 4,
    // From the folder of unverified content.
    renameSync: 1,
    // The lock of the download, and a check that the lock belongs to this process.
    linkSync: 1,
    unlinkSync: 1,
    // Also the index before the download, before the lock, and under the lock; and the stamps of the written files.
    lstatSync: 7,
  })
  expect(perFile('cache')).toEqual({ lstatSync: 2, lstat: 1, open: 1 })
})

test('pictures are recognized without loading a library of signatures', async () => {
  const [png, jpg, gif] = await Promise.all([
    halves(8, 8).png().toBuffer(),
    halves(8, 8).jpeg().toBuffer(),
    halves(8, 8).gif().toBuffer(),
  ])
  const space = await writeSpace({ 'brand/01/a.png': png, 'brand/01/b.jpg': jpg, 'brand/01/c.gif': gif })
  const work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, lockfile: false, cacheDir: 'cache' }),
  })
  const pull = ['dist/cli/bin.js', 'pull', 'brand', '--out', join(work.root, 'content')]
  try {
    const { bundled } = await loadedModules([...pull, '--config', join(work.root, 'content-space.config.json')])
    expect(bundled).not.toContain('file-type')
    expect(await readdir(join(work.root, 'content'), { recursive: true })).toContain('01/c.gif')
  } finally {
    await work.remove()
    await space.remove()
  }
})
