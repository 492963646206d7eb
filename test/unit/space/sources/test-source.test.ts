import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineSource, type Source } from '../../../../src/space/sources/source.js'
import { testSource } from '../../../../src/space/sources/test-source.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns a source that works correctly, unless one of its functions is replaced. */
function sourceWith(more: Partial<Source> = {}) {
  const files = new Map([
    ['a', '<svg/>'],
    ['b', '<svg><g/></svg>'],
  ])
  const source = defineSource({
    name: 'example',
    revision: async () => sha256(JSON.stringify([...files])),
    list: async () => ({
      name: 'Example',
      assets: [...files].map(([id, text]) => ({ id, name: id, type: 'SVG', hash: sha256(text), size: text.length })),
    }),
    read: async ({ id }) => Buffer.from(files.get(id) ?? ''),
    ...more,
  })
  return { source, change: () => files.set('b', '<svg><path/></svg>') }
}

const asset = (id: string, more: object = {}) => ({ id, name: id, type: 'SVG', ...more })
const listing = (...assets: ReturnType<typeof asset>[]) => ({ name: 'Example', assets })

test('a correct source passes', async () => {
  const { source, change } = sourceWith()
  expect(await testSource(source, { change })).toEqual({ assets: 2, files: 2 })
})

let count = 0
const faults: [string, Partial<Source>, RegExp][] = [
  [
    'ids that are not unique',
    { list: async () => listing(asset('a'), asset('a')) },
    /`assets\.1\.id` is "a", which another/,
  ],
  [
    'another value than bytes',
    { read: async () => Object('<svg/>') },
    /from read\(\): the result must be bytes, a stream or \{ url \}\./,
  ],
  ['other ids each time', { list: async () => listing(asset(`a${count++}`)) }, /list\(\) returns different ids/],
  [
    'a different order each time',
    { list: async () => listing(...(count++ % 2 ? [asset('a'), asset('b')] : [asset('b'), asset('a')])) },
    /list\(\) returns a different order/,
  ],
  ['another revision each time', { revision: async () => `r${count++}` }, /revision\(\) differs between two calls/],
  [
    'a wrong size',
    { list: async () => listing(asset('a', { size: 7 })) },
    /read\(\) of a returns 6 bytes, but list\(\) says 7/,
  ],
  ['a wrong hash', { list: async () => listing(asset('a', { hash: sha256('') })) }, /read\(\) of a has the hash/],
  [
    'a call that no abort ends',
    { list: () => new Promise((end) => void setTimeout(end, 400, listing())) },
    /of an abort: pass/,
  ],
  ['a revision that stays the same', { revision: async () => 'r1' }, /revision\(\) returns the same after a change/],
  [
    'what the lockfile does not have',
    {
      read: async ({ width }) => Buffer.from(width === undefined ? '' : 'x'),
      list: async () => listing(asset('a', { width: 1 })),
    },
    /returns different bytes when the asset has only id, name, type, hash and size/,
  ],
]

test.each(faults)('%s are found', async (_, more, message) => {
  const { source, change } = sourceWith(more)
  await expect(testSource(source, { change, patience: 100 })).rejects.toMatchObject({
    code: 'sourceFailed',
    message: expect.stringMatching(message),
  })
})

test('a source without read is rejected before it is called', async () => {
  const source = Object.assign(sourceWith().source, { read: undefined })
  await expect(testSource(source)).rejects.toMatchObject({
    code: 'sourceFailed',
    message: 'Source example has 1 problem:\n  read() is missing',
  })
})

test('a problem of each listing is said once', async () => {
  const { source } = sourceWith({ list: async () => listing(asset('a', { hash: 'etag' })) })
  await expect(testSource(source)).rejects.toThrow('Source example has 1 problem:')
})
