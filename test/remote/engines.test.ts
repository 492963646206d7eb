import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { engineNames, type EngineName } from './support/engines.js'
import { key } from './support/runner.js'
import { startS3 } from './support/s3.js'
import { lockOf, runner, serve, start, withoutHashes } from './support/setup.js'

describe.each(engineNames)('%s', (name) => {
  test('gives a cold runner everything, without a request to the service', async () => {
    const service = await serve(12)
    const { remote } = await start(name)
    const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
    const written = await first.build()
    expect(written.warnings).toEqual([])
    expect(written.summary).toContain('0 local, 0 remote, 14 downloaded')
    const asked = service.requests.length
    const second = await runner(service.options, { remote, remoteKey: key }, await lockOf(first))
    const read = await second.build({ frozen: true })
    expect(read).toMatchObject({ output: written.output, warnings: [] })
    expect(read.summary).toContain('0 local, 14 remote, 0 downloaded')
    expect((await second.build()).summary).toContain('14 local, 0 remote, 0 downloaded')
    expect(service.requests.slice(asked)).toEqual([])
  })

  test('without the key, gives only what the lockfile pins', async () => {
    const service = await serve(4)
    const { remote } = await start(name)
    const first = await runner(service.options, { remote, remoteWrite: true })
    const written = await first.build()
    const lock = await lockOf(first)
    const pinned = await runner(service.options, { remote }, lock)
    const before = service.downloads().length
    expect(await pinned.build()).toMatchObject({ output: written.output, warnings: [] })
    expect(service.downloads().length).toBe(before)
    const free = await runner(service.options, { remote }, withoutHashes(lock))
    expect((await free.build()).summary).toContain('0 local, 0 remote, 6 downloaded')
  })

  test('with the key, gives files that the lockfile does not pin yet', async () => {
    const service = await serve(4)
    const { remote } = await start(name)
    const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
    const written = await first.build()
    const second = await runner(service.options, { remote, remoteKey: key })
    const read = await second.build()
    expect(read).toMatchObject({ output: written.output, warnings: [] })
    expect(read.summary).toContain('0 local, 6 remote, 0 downloaded')
    expect(await lockOf(second)).toBe(await lockOf(first))
    const stranger = await runner(service.options, { remote, remoteKey: `${key}!` })
    const own = await stranger.build()
    expect(own.output).toEqual(written.output)
    expect(own.summary).toContain('0 local, 0 remote, 6 downloaded')
    expect(own.warnings).toEqual([expect.stringContaining('damaged or not signed with this key')])
  })

  test('is filled from the local cache', async () => {
    const service = await serve(4)
    const { remote } = await start(name)
    const first = await runner(service.options, { remoteKey: key })
    const written = await first.build()
    await first.build({ remote, remoteWrite: true })
    const asked = service.requests.length
    const second = await runner(service.options, { remote, remoteKey: key }, await lockOf(first))
    expect(await second.build()).toMatchObject({ output: written.output, warnings: [] })
    expect(service.requests.slice(asked)).toEqual([])
  })
})

describe.each<EngineName>(['redis', 's3'])('ten writing runners with a cold kit on %s', (name) => {
  test.each(['with hashes in the lockfile', 'without'])('request each file once, %s', async (hashes) => {
    const service = await serve(12, { latency: 20 })
    const { remote } = await start(name)
    const reference = await runner(service.options, {})
    const { output } = await reference.build()
    const lock = await lockOf(reference)
    const before = service.downloads().length
    const runners = await Promise.all(
      Array.from({ length: 10 }, () =>
        runner(
          service.options,
          { remote, remoteKey: key, remoteWrite: true },
          hashes === 'without' ? withoutHashes(lock) : lock,
        ),
      ),
    )
    const built = await Promise.all(runners.map((one) => one.build()))
    for (const one of built) expect(one).toMatchObject({ output, warnings: [] })
    expect(service.downloads().slice(before).length).toBe(12)
  })
})

test("a warm build fills a new cache, with which a cold build doesn't need the service", async () => {
  const service = await serve(6)
  const { remote } = await start('nginx')
  const main = `import { mark1, mark2 } from 'content-space:kit/brand'\nconsole.log(mark1, mark2)\n`
  const first = await runner(service.options, {})
  await writeFile(join(first.root, 'main.js'), main)
  const { output } = await first.build()
  await first.build()
  await first.build({ remote, remoteKey: key, remoteWrite: true })
  const asked = service.requests.length
  const second = await runner(service.options, { remote, remoteKey: key }, await lockOf(first))
  await writeFile(join(second.root, 'main.js'), main)
  expect(await second.build()).toMatchObject({ output, warnings: [] })
  expect(service.requests.slice(asked)).toEqual([])
})

test("a cold runner doesn't fetch an original if its conversions are cached", async () => {
  const service = await serve(6)
  const { remote, folder } = await start('nginx')
  const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const { output } = await first.build()
  const all = await readdir(join(folder, 'v1', 'sha256'), { recursive: true, withFileTypes: true })
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const photos = []
  for (const path of paths) if ((await readFile(path)).includes('PNG')) photos.push(path)
  expect(photos.length).toBe(2)
  await Promise.all(photos.map((path) => rm(path)))
  const asked = service.requests.length
  const second = await runner(service.options, { remote, remoteKey: key }, await lockOf(first))
  const built = await second.build()
  expect(built).toMatchObject({ output, warnings: [] })
  expect(built.summary).toContain('0 local, 8 remote, 0 downloaded')
  expect(service.requests.slice(asked)).toEqual([])
})

test('a server that ignores conditions costs more downloads only', async () => {
  const service = await serve(6, { latency: 20 })
  const { remote } = await start(() => startS3(false))
  const runners = await Promise.all(
    Array.from({ length: 3 }, () => runner(service.options, { remote, remoteKey: key, remoteWrite: true })),
  )
  const built = await Promise.all(runners.map((one) => one.build()))
  for (const one of built) expect(one).toMatchObject({ output: built[0]?.output, warnings: [] })
})
