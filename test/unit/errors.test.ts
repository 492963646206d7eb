import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { Client } from 'undici'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError, sanitizeError, summaryAndHint } from '../../src/errors.js'
import { oneLine } from '../../src/text/display.js'
import { everything, hostileTexts, steered } from '../support/hostile-texts.js'

describe('the message of an error', () => {
  test.each(hostileTexts)('is safe with %j in every text, and has only the intended lines', (text) => {
    const error = new ContentSpaceError('frozen', `Summary ${text}`, {
      hint: `Hint ${text}`,
      lines: [text, text],
      import: `id:${text}`,
      importer: `file ${text}`,
      cause: { text, [text]: text },
    })
    const again = error.with({ kit: text })
    for (const one of [error, again]) {
      expect(steered(one.message)).toEqual([])
      for (const customInspect of [true, false]) expect(steered(inspect(one, { customInspect }))).toEqual([])
      expect(one.message.split('\n')).toHaveLength(6)
      expect(steered(summaryAndHint(one))).toEqual([])
    }
    expect(again.message).toBe(error.message)
    expect(again.facts).toMatchObject({ kit: oneLine(text), import: oneLine(`id:${text}`) })
  })

  test('has each list item on a line under the summary', () => {
    const error = new ContentSpaceError('offline', 'Missing:', { lines: ['a', 'b'], hint: 'Do this.' })
    expect(error.message).toBe('Missing:\n  a\n  b\nDo this.')
    expect(error.summary).toBe('Missing:\n  a\n  b')
    expect(summaryAndHint(error)).toBe(error.message)
  })
})

test("an error is printed without its stack, which bundlers would show below the project's mistake", () => {
  const error = new ContentSpaceError('invalidId', 'Wrong.', { hint: 'Do this.' }).with({ importer: 'a.js' })
  expect(error.stack).toBe('ContentSpaceError: Wrong.\nDo this.\n  imported by: a.js')
})

test('errors that concern the people who run the service include the request', () => {
  const facts = { endpoint: 'GET /1/kits/', address: 'https://space.example/1/kits/' }
  expect(new ContentSpaceError('truncated', 'Empty.', facts).message).toBe('Empty.\n  request: GET /1/kits/')
  expect(new ContentSpaceError('kitNotFound', 'No kit.', facts).message).toBe('No kit.')
  const ofFile = { ...facts, file: 'Acme Logo', endpoint: 'GET /1/assets/7/download' }
  expect(new ContentSpaceError('truncated', 'Empty.', ofFile).message).toBe(
    'Empty.\n  file: Acme Logo (GET /1/assets/7/download)',
  )
})

/** Returns a line of a stack. */
const line = (file: string): string => `\n    at read (${file}:1:2)`

describe('causes', () => {
  test('are safe to print at every depth, and stay the same errors', () => {
    const deep = Object.assign(new TypeError(everything), {
      code: 'EODD',
      data: everything,
      issues: [{ input: everything }],
    })
    const all = new AggregateError([new Error(everything)], everything, { cause: deep })
    const error = new ContentSpaceError('unreachable', 'Away.', { cause: all })
    expect(error.cause).toBe(all)
    expect(all.cause).toMatchObject({ code: 'EODD' })
    expect(deep.issues).toHaveLength(1)
    expect(steered(inspect(error, { depth: null }))).toEqual([])
    expect(steered(String(deep.stack))).toEqual([])
  })

  test('keep only the lines of the stack that belong to the project', () => {
    const cause = new SyntaxError('Wrong.')
    const own = [
      import.meta.resolve('../../src/errors.ts'),
      fileURLToPath(import.meta.resolve('../../src/disk/stats.ts')),
    ]
    const foreign = [
      'node:internal/modules/esm/loader',
      '/a/node_modules/jiti/lib/jiti.mjs',
      'C:\\a\\node_modules\\b.js',
    ]
    const kept = ['/a/src/content-space.config.ts', 'file:///a/dist/content.config.mjs'].map(line).join('')
    const others = [...own, ...foreign].map(line).join('')
    cause.stack = `SyntaxError: Wrong.\n    at JSON.parse (<anonymous>)${kept}${others}\n    at async /a/node_modules/b.js:1:2`
    const all = new AggregateError([cause], 'Several.')
    const error = new ContentSpaceError('invalidId', 'Wrong.', { cause: all })
    expect(error.cause).toBe(all)
    expect(cause.stack).toBe(`SyntaxError: Wrong.${kept}`)
  })

  test('can be circular', () => {
    const error = new Error('a')
    error.cause = error
    sanitizeError(error)
    expect(error.message).toBe('a')
  })

  test("don't contain raw answers of a service that violates the protocol", async () => {
    const server = createServer(
      (socket) => void socket.on('error', () => {}).end(`HTTP/1.1 200 OK\r\nbad header ${everything}\r\n\r\n`),
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = new Client(`http://127.0.0.1:${port}`)
    const cause: unknown = await client.request({ path: '/', method: 'GET' }).catch((reason: unknown) => reason)
    await client.destroy()
    server.close()
    const raw = inspect(cause)
    expect(raw).toContain('evil.example')
    const error = new ContentSpaceError('unreachable', 'Away.', { cause })
    expect(steered(inspect(error, { depth: null }))).toEqual([])
  })
})

test('cuts long lines of its message, but not of its texts and facts', () => {
  const name = 'x'.repeat(5000)
  const error = new ContentSpaceError('contentMismatch', `${name} is damaged.`, { hint: 'Replace it.', asset: name })
  expect(error.message).toBe(`${'x'.repeat(600)}…${'x'.repeat(288)} is damaged.\nReplace it.`)
  expect(error).toMatchObject({ summary: `${name} is damaged.`, facts: { asset: name } })
})

test('recognizes errors of another copy of the class, and no others', async () => {
  // The query creates a separate module instance.
  const copy: typeof import('../../src/errors.js') = await import(
    `${new URL('../../src/errors.ts', import.meta.url)}?copy`
  )
  expect(copy.ContentSpaceError).not.toBe(ContentSpaceError)
  expect(new copy.ContentSpaceError('offline', 'Logo is not in the cache.')).toBeInstanceOf(ContentSpaceError)
  expect(new Error('Logo is not in the cache.')).not.toBeInstanceOf(ContentSpaceError)
})
