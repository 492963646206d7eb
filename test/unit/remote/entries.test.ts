import { expect, onTestFinished, test } from 'vitest'
import { receiveInMemory } from '../../../src/files/receive.js'
import { contentOf } from '../../../src/disk/content.js'
import { systemClock } from '../../../src/async/clock.js'
import { openConnection } from '../../../src/remote/connection.js'
import { openEntries } from '../../../src/remote/entries.js'
import { createSigner } from '../../../src/remote/signature.js'

const entry = { kind: 'made', key: 'a key' } as const
const signer = createSigner('a-secret-of-the-entries-of-tests')
const content = contentOf('the bytes of a picture')
const stored = Buffer.concat([signer.sign(entry, content) ?? new Uint8Array(), content.bytes])

/** Reads the entry from an engine that sends it in the given chunks. */
async function read(chunks: Buffer[]) {
  const connection = openConnection({
    label: 'redis://cache',
    open: async () => ({
      async get() {
        return (async function* () {
          yield* chunks
        })()
      },
      has: async () => true,
      put: async () => {},
      close: () => {},
    }),
    warn: (message) => expect.fail(message),
    clock: systemClock,
  })
  onTestFinished(() => connection.close())
  return openEntries(connection, signer).read(entry, receiveInMemory)
}

test('an entry that arrives in one chunk is not copied', async () => {
  const found = await read([stored])
  expect(found).toEqual(content)
  expect(found && 'bytes' in found && found.bytes.buffer).toBe(stored.buffer)
})

test.each([1, 3, 100])('reads an entry in chunks of %d bytes', async (size) => {
  const count = Math.ceil(stored.length / size)
  const chunks = Array.from({ length: count }, (_, at) => stored.subarray(at * size, (at + 1) * size))
  expect(await read(chunks)).toEqual(content)
})
