import { expect, test } from 'vitest'
import { s3Leases, type LeaseObjects } from '../../../src/remote/engines/s3-leases.js'

const call = { signal: new AbortController().signal, progress: () => {}, answered: () => {} }

/** Returns an object store with S3's conditional requests. */
function bucket(): LeaseObjects {
  const objects = new Map<string, { etag: string; holder: string }>()
  let count = 0
  return {
    read: async (name) => objects.get(name),
    async write(name, holder, { IfMatch, IfNoneMatch }) {
      const etag = objects.get(name)?.etag
      if (IfNoneMatch === '*' ? etag !== undefined : IfMatch !== undefined && IfMatch !== etag) return undefined
      const written = { etag: String(count++), holder }
      objects.set(name, written)
      return written.etag
    },
    remove: async (name) => void objects.delete(name),
    list: async () => new Map([...objects].map(([name, { etag }]) => [name, etag])),
  }
}

test('gives a lease to one holder, until it is released', async () => {
  const objects = bucket()
  const [one, two] = [s3Leases(objects), s3Leases(objects)]
  const taken = await Promise.all([one.take('x', 'one', 1000, call), two.take('x', 'two', 1000, call)])
  expect(taken.filter(Boolean).length).toBe(1)
  expect([...(await two.held(['x', 'y'], 1000, call))]).toEqual(['x'])
  await (taken[0] ? one : two).release('x', '', call)
  expect([...(await two.held(['x', 'y'], 1000, call))]).toEqual([])
  expect(await two.take('x', 'two', 1000, call)).toBe(true)
})

test('gives an expired lease to one of its watchers', async () => {
  const objects = bucket()
  let time = 0
  const clock = () => time
  const [gone, two, three] = [s3Leases(objects, clock), s3Leases(objects, clock), s3Leases(objects, clock)]
  expect(await gone.take('x', 'gone', 1000, call)).toBe(true)
  for (const other of [two, three]) expect(await other.take('x', 'other', 1000, call)).toBe(false)
  time = 900
  await gone.renew('x', 'gone', 1000, call)
  expect([...(await two.held(['x', 'y'], 1000, call))]).toEqual(['x'])
  expect([...(await three.held(['x', 'y'], 1000, call))]).toEqual(['x'])
  time = 1800
  expect([...(await two.held(['x', 'y'], 1000, call))]).toEqual(['x'])
  time = 2000
  const taken = await Promise.all([two, three].map((other) => other.take('x', 'other', 1000, call)))
  expect(taken.filter(Boolean).length).toBe(1)
  // The first holder has lost its lease and must not remove the other holder's.
  await gone.renew('x', 'gone', 1000, call)
  await gone.release('x', 'gone', call)
  expect(await objects.read('x', call)).toMatchObject({ holder: 'other' })
})

test('renews hundreds of leases with one write, so that a slow store has time for entries', async () => {
  const objects = bucket()
  let time = 0
  const clock = () => time
  let writes = 0
  const counted: LeaseObjects = { ...objects, write: (...args) => (writes++, objects.write(...args)) }
  const [one, two] = [s3Leases(counted, clock), s3Leases(objects, clock)]
  const names = Array.from({ length: 300 }, (_, at) => `x${at}`)
  for (const name of names) expect(await one.take(name, 'one', 1000, call)).toBe(true)
  expect(writes).toBe(300)
  for (; time <= 3000; time += 250) {
    await Promise.all(names.map((name) => one.renew(name, 'one', 1000, call)))
    expect([...(await two.held(names, 1000, call))]).toEqual(names)
  }
  expect(writes).toBe(300 + 3000 / 250 + 1)
  for (const name of names) await one.release(name, 'one', call)
  expect([...(await objects.list(call))]).toEqual([])
})

test("doesn't give a lease if the store rejects conditions, and doesn't try again", async () => {
  let reads = 0
  const objects: LeaseObjects = {
    ...bucket(),
    async read() {
      reads++
      return undefined
    },
    write: async () => false,
  }
  const leases = s3Leases(objects)
  expect(await leases.take('x', 'one', 1000, call)).toBe(undefined)
  expect(await leases.take('y', 'one', 1000, call)).toBe(undefined)
  expect(reads).toBe(1)
})

test("doesn't give a lease if the store never meets the condition that a lease doesn't exist", async () => {
  const leases = s3Leases({ ...bucket(), write: async () => undefined })
  const taken = []
  for (const name of ['a', 'b', 'c', 'd']) taken.push(await leases.take(name, 'one', 1000, call))
  expect(taken).toEqual([false, false, undefined, undefined])
})

test('a process that has seen a lease loses as many leases as others take and release in the meantime', async () => {
  const objects = bucket()
  let isLost = false
  const leases = s3Leases({ ...objects, write: async (...args) => (isLost ? undefined : objects.write(...args)) })
  expect(await leases.take('a', 'one', 1000, call)).toBe(true)
  isLost = true
  for (const name of ['b', 'c', 'd', 'e']) expect(await leases.take(name, 'one', 1000, call)).toBe(false)
  isLost = false
  expect(await leases.take('f', 'one', 1000, call)).toBe(true)
})
