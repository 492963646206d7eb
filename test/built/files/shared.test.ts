import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { soon } from '../../support/long.js'
import { makingLockPath } from '../../../src/disk/cache-layout.js'
import { contentOf, readContent } from '../../../src/disk/content.js'
import { takeLock } from '../../../src/disk/process-lock.js'
import { openMakingLocks } from '../../../src/files/store.js'
import { openStore } from '../../../src/files/store.js'
import { createImporter } from '../../../src/importer.js'
import { tempFolder } from '../../support/files.js'
import { serveSpace, svg, writeSpace } from '../../support/space.js'

const aborted = { code: 'aborted' }

test('a pull gets the file whose download another pull has started and aborted', async () => {
  const space = await writeSpace({
    'space.json': { space_id: 7 },
    'brand/kit.json': { name: 'Brand' },
    'brand/Logos/mark.svg': svg('mark'),
  })
  const service = await serveSpace(space.folder, { faults: [{ with: 'stall', on: 'download', times: 1 }] })
  const root = await tempFolder()
  const importer = await createImporter({ ...service.options, cacheDir: 'cache' }, { root, env: {} })
  onTestFinished(async () => {
    await importer.close()
    await service.close()
    await space.remove()
  })
  const abort = new AbortController()
  const first = importer.pull({ kits: ['brand'], out: 'first', signal: abort.signal })
  await expect.poll(() => service.downloads().length, soon).toBe(1)
  let isPlanned = false
  const second = importer.pull({
    kits: ['brand'],
    out: 'second',
    onProgress: ({ type }) => void (isPlanned ||= type === 'plan'),
  })
  await expect.poll(() => isPlanned, soon).toBe(true)
  // The second pull now waits for the download of the first.
  await sleep(300)
  expect(service.downloads()).toHaveLength(1)
  abort.abort()
  await expect(first).rejects.toMatchObject(aborted)
  await second
  expect(await readFile(join(root, 'second/logos/mark.svg'), 'utf8')).toBe(svg('mark'))
  expect(service.downloads()).toHaveLength(2)
})

test('work is started again once for all callers that have not aborted, and a failure is passed to all', async () => {
  const store = openStore(await tempFolder(), (message) => expect.fail(message))
  const abort = new AbortController()
  let made = 0
  const make = async () => {
    made++
    return contentOf(Buffer.from('made'))
  }
  const use = (signal: AbortSignal | undefined, work: typeof make) =>
    store.use({ key: 'key', signal }, work, readContent)
  let fail: ((reason: Error) => void) | undefined
  const first = use(abort.signal, () => new Promise((_, reject) => (fail = reject)))
  const also = use(abort.signal, make)
  const others = [use(undefined, make), use(new AbortController().signal, make), use(undefined, make)]
  await expect.poll(() => fail).toBeDefined()
  abort.abort()
  fail?.(new Error('any reason'))
  await expect(first).rejects.toThrow('any reason')
  await expect(also).rejects.toThrow('any reason')
  for (const bytes of await Promise.all(others)) expect(Buffer.from(bytes).toString()).toBe('made')
  expect(made).toBe(1)

  const fails = (key: string) => store.use({ key }, () => Promise.reject(new Error('no bytes')), readContent)
  for (const failed of [fails('other'), fails('other')]) await expect(failed).rejects.toThrow('no bytes')
})

test('a caller that ends its wait for a lock does not end the wait of others', async () => {
  const cacheDir = await tempFolder()
  const release = await takeLock(makingLockPath(cacheDir, 'name'))
  const { run } = openMakingLocks(cacheDir)
  const abort = new AbortController()
  const ran: string[] = []
  const wait = (name: string, signal: AbortSignal) => run('name', { signal }, async () => void ran.push(name))
  const first = wait('first', abort.signal)
  const second = wait('second', new AbortController().signal)
  abort.abort()
  await expect(first).rejects.toMatchObject(aborted)
  expect(ran).toEqual([])
  release?.()
  await second
  expect(ran).toEqual(['second'])
})

test("a lock isn't taken if all callers have stopped waiting", async () => {
  const cacheDir = await tempFolder()
  const release = await takeLock(makingLockPath(cacheDir, 'name'))
  const { run } = openMakingLocks(cacheDir)
  const abort = new AbortController()
  const waits = ['first', 'second'].map(() =>
    run('name', { signal: abort.signal }, () => Promise.reject(new Error('ran'))),
  )
  abort.abort()
  for (const wait of waits) await expect(wait).rejects.toMatchObject(aborted)
  release?.()
  expect(await takeLock(makingLockPath(cacheDir, 'name'), { patience: 0 })).toBeDefined()
})

test('the caller that starts the work gets its result first, and counts as the one that made it', async () => {
  const store = openStore(await tempFolder(), (message) => expect.fail(message))
  const order: boolean[] = []
  const use = () =>
    store.use(
      { key: 'key' },
      async () => contentOf(Buffer.from('made')),
      async ({ cached }) => void order.push(cached),
    )
  await Promise.all([use(), use(), use()])
  expect(order).toEqual([false, true, true])
})
