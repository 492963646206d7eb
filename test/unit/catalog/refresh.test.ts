import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { compareKits, hasSameStructure, isChange } from '../../../src/catalog/changes.js'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { loadKit } from '../../../src/kit/load.js'
import { httpSpace } from '../../../src/space/http/client.js'
import { readAddress } from '../../../src/space/http/credentials.js'
import { assetItem, contentService, headingItem, kitUuid, upload, type Asked } from '../../support/content-service.js'
import { envelope, faultServer, refusal } from '../../support/fault-server.js'
import { runs } from '../../support/long.js'
import { plainCatalog } from '../../support/memory.js'
import { fc } from '../../support/random.js'

/** What a test can edit. None of it changes a date or the record of the kit. */
const draft = {
  asset: 'Acme Logo',
  last: 'Hero Photo',
  heading: 'Marks',
  section: 'Logos',
  outline: '',
  field: 'Rights',
}
type Draft = typeof draft

const steps: (() => unknown)[] = []
afterEach(async () => {
  for (const step of steps.splice(0)) await step()
})

/**
 * Follows a draft of three pages. Each listing that is read causes one warning, because the draft has an item of an
 * unknown type.
 * @param instead as in `contentService`, called for each request
 */
async function follow(instead: (asked: Asked) => boolean = () => false) {
  const state = { ...draft, query: () => '' }
  let count = 0
  const records = () => [
    { ...upload(1, state.asset).record, fields: { 1: 'Web' }, permalink: `https://content.example/1${state.query()}` },
    upload(2, state.last).record,
  ]
  const content = () => {
    const items = [
      assetItem(1, records()[0]),
      headingItem(2, { data: { content: state.heading } }),
      { uuid: kitUuid, type: 'chart', status: 'active' },
      assetItem(4, records()[1]),
      headingItem(5),
    ]
    // The clock is different in each response.
    const [clock, version] = [++count, 0]
    const outline = { notes: state.outline }
    const kit = { images: { cover: `https://content.example/cover${state.query()}` } }
    return {
      kit,
      items,
      version,
      clock,
      outline,
      section: { name: state.section },
      pages: { base: 1 as const, size: 2 },
    }
  }
  const service = await faultServer(
    contentService(content, (asked) => {
      if (instead(asked)) return true
      if (asked.path !== 'fields') return false
      envelope(asked.response, { fields: [{ id: 1, name: state.field, type: 'text', public: true }] }, ++count)
      return true
    }),
  )
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-refresh-'))
  let warnings = 0
  const warn = () => void warnings++
  const space = httpSpace({
    ...readAddress(service.url, 7, 'canary'),
    timeout: 5000,
    concurrency: 4,
    rateLimit: false,
    cacheDir,
    insecure: false,
    strict: false,
    warn,
    onRequest() {},
    onWait() {},
  })
  steps.push(
    () => space.close(),
    service.close,
    () => rm(cacheDir, { recursive: true }),
  )
  const catalog = openCatalog({
    space,
    ...plainCatalog,
    warn,
  })
  const load = async () => (await catalog.load({ kit: kitUuid, version: 0 })).kit
  await load()
  return {
    state,
    load,
    kits: catalog.kits,
    /** Returns whether the draft is what the service has now. */
    isCurrent: async (): Promise<boolean> => {
      const now = await loadKit(await space.kit(kitUuid, 'use_versions'), 0, { space, strict: false, warn() {} })
      const kept = await load()
      return !isChange(compareKits(kept, now)) && hasSameStructure(kept, now)
    },
    /** Checks for changes. Returns the numbers of listings that were read, and of requests. */
    poll: async () => {
      const before = { warnings, requests: service.requests.length }
      const { changed, error } = await catalog.refresh()
      if (error !== undefined) throw error
      return { changed, read: warnings - before.warnings, requests: service.requests.length - before.requests }
    },
  }
}

test('the listing of a draft is read once more, and then only requested until a response changes', async () => {
  const { state, poll, load } = await follow()
  // The kit, its outline, three pages and the custom fields.
  expect(await poll()).toEqual({ changed: false, read: 1, requests: 6 })
  const before = await load()
  expect(await poll()).toEqual({ changed: false, read: 0, requests: 6 })
  expect(await poll()).toEqual({ changed: false, read: 0, requests: 6 })
  expect(await load()).toBe(before)
  state.last = 'Hero'
  expect(await poll()).toMatchObject({ changed: true, read: 1 })
  expect(Object.values((await load()).assets).map(({ name }) => name)).toEqual(['Acme Logo', 'Hero'])
  expect(await poll()).toEqual({ changed: false, read: 0, requests: 6 })
})

test.each(Object.keys(draft))('a change of %s is found, and so is its end', async (key) => {
  const { state, poll, isCurrent } = await follow()
  await poll()
  Object.assign(state, { [key]: 'Other' })
  expect(await poll()).toMatchObject({ changed: true })
  expect(await isCurrent()).toBe(true)
  expect(await poll()).toMatchObject({ changed: false })
  Object.assign(state, draft)
  expect(await poll()).toMatchObject({ changed: true })
  expect(await isCurrent()).toBe(true)
})

test('a listing whose addresses are different each time is read each time, without more requests', async () => {
  let signature = 0
  const { state, poll } = await follow()
  state.query = () => `?signature=${++signature}`
  expect(await poll()).toEqual({ changed: false, read: 1, requests: 6 })
  // The one attempt to do without reading it.
  expect(await poll()).toMatchObject({ changed: false, read: 1 })
  expect(await poll()).toEqual({ changed: false, read: 1, requests: 6 })
  state.asset = 'Logo'
  expect(await poll()).toMatchObject({ changed: true, read: 1 })
  state.query = () => '?signature=0'
  await poll()
  await poll()
  await poll()
  expect(await poll()).toEqual({ changed: false, read: 0, requests: 6 })
})

test('new signatures of the covers in the list of kits are not a change', async () => {
  let signature = 0
  const { state, poll, kits } = await follow()
  state.query = () => `?signature=${++signature}`
  const [before] = await kits()
  expect(await poll()).toMatchObject({ changed: false })
  const [after] = await kits()
  expect(after?.coverPreview).not.toBe(before?.coverPreview)
})

test('a draft that was gone is compared with the listing that was read when it came back', async () => {
  let isGone = false
  const { state, poll, load, isCurrent } = await follow(({ path, response }) => {
    if (isGone && path === `kits/${kitUuid}`) refusal(response, 1100, 404)
    return isGone && path === `kits/${kitUuid}`
  })
  await poll()
  isGone = true
  expect(await poll()).toMatchObject({ changed: true })
  isGone = false
  state.asset = 'Logo'
  await load()
  state.asset = draft.asset
  expect(await poll()).toMatchObject({ changed: true })
  expect(await isCurrent()).toBe(true)
})

test('whenever somebody edits a draft, the next check after the last edit leaves the current state', async () => {
  const edit = fc.record({
    key: fc.constantFrom(...Object.keys(draft)),
    text: fc.constantFrom('A', 'B'),
    at: fc.nat(7),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 2 }), { maxLength: 6 }), async (rounds) => {
      let due: { at: number; change: Partial<Draft> }[] = []
      let sent = 0
      const { state, poll, isCurrent } = await follow(() => {
        sent++
        for (const { at, change } of due) if (at === sent) Object.assign(state, change)
        return false
      })
      for (const round of rounds) {
        await poll()
        due = round.map(({ key, text, at }) => ({ at, change: { [key]: text } }))
        sent = 0
        await poll()
        due = []
        await poll()
        expect(await isCurrent()).toBe(true)
      }
      for (const step of steps.splice(0)) await step()
    }),
    { numRuns: runs(20, 2000) },
  )
})
