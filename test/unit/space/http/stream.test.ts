import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../../src/errors.js'
import { readAddress } from '../../../../src/space/http/credentials.js'
import { httpSpace, type HttpOptions } from '../../../../src/space/http/client.js'
import type { Body, Space } from '../../../../src/space/space.js'
import { downloadBytes } from '../../../support/download.js'

const asset = { uuid: '3BD9AAAA-0000-4000-8000-000000000001' }
const head = (status = '200 OK', ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n')
const whole = (text: string) => `${head('200 OK', `content-length: ${text.length}`)}${text}`
const nothing = () => undefined

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/** Opens a space whose service writes each answer to the socket manually. The last answer is repeated. */
async function speaking(
  answers: ((socket: Socket) => unknown)[],
  options: Partial<HttpOptions> = {},
): Promise<{ space: Space; requests: string[] }> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', nothing))
    socket.on('data', (request) => {
      requests.push(String(request).split('\r\n')[0] ?? '')
      answers[Math.min(requests.length, answers.length) - 1]?.(socket)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-stream-'))
  const space = httpSpace({
    ...readAddress(`http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`, 7, 'a-token-of-tests'),
    timeout: 500,
    concurrency: 4,
    rateLimit: false,
    cacheDir,
    insecure: false,
    strict: false,
    warn: nothing,
    onRequest: nothing,
    onWait: nothing,
    ...options,
  })
  cleanups.push(
    () => space.close(),
    () => sockets.forEach((socket) => socket.destroy()),
    () => server.close(),
    () => rmSync(cacheDir, { recursive: true, force: true }),
  )
  return { space, requests }
}

const closing = (socket: Socket) => socket.end(`${head()}file`)
/** Sends a text repeatedly until the connection is closed. */
const trickle = (start: string, text: string, milliseconds: number) => (socket: Socket) => {
  socket.write(start)
  const timer = setInterval(() => socket.write(text), milliseconds)
  socket.on('close', () => clearInterval(timer))
}

/** Returns the text of a successful download and whether its end is unconfirmed. */
async function received(size: number | undefined, cut?: string, answer: (socket: Socket) => unknown = closing) {
  const { space } = await speaking([answer])
  return space.download({ ...asset, size }, cut, async (body: Body) => [String(await buffer(body)), body.unconfirmed])
}

describe('a download', () => {
  test('is read as it arrives, no further ahead than its reader', async () => {
    let sent = 0
    const { space } = await speaking([
      (socket) => {
        socket.write(head('200 OK', 'content-length: 50000000'))
        const go = (): void => {
          let taken = true
          for (; taken && sent < 50e6; sent += 50_000) taken = socket.write(Buffer.alloc(50_000))
          if (!taken) socket.once('drain', go)
        }
        go()
      },
    ])
    const ahead = await space.download(asset, undefined, async (body) => {
      for await (const chunk of body) {
        await sleep(300)
        return sent - chunk.length
      }
      return Infinity
    })
    // The system's buffers for both ends of a connection.
    expect(ahead).toBeLessThan(20e6)
  })

  test('may take longer than the time-out in its reader', async () => {
    const { space } = await speaking([(socket) => socket.write(whole('x'.repeat(300_000)))])
    const size = await space.download(asset, undefined, async (body) => {
      let read = 0
      for await (const chunk of body) {
        if (read === 0) await sleep(1200)
        read += chunk.length
      }
      return read
    })
    expect(size).toBe(300_000)
  })

  test('calls its reader again when the reader throws a retryable error, and not for other errors', async () => {
    const { space, requests } = await speaking([(socket) => socket.write(whole('file'))])
    let calls = 0
    const read = (code: 'truncated' | 'contentMismatch') =>
      space.download(asset, 'PNG', async (body) => {
        const text = String(await buffer(body))
        if (calls++ === 0) throw new ContentSpaceError(code, 'Not whole.')
        return text
      })
    expect(await read('truncated')).toBe('file')
    expect(requests).toHaveLength(2)
    calls = 0
    await expect(read('contentMismatch')).rejects.toMatchObject({ code: 'contentMismatch' })
    expect(requests).toHaveLength(3)
  })

  test('stops at the listed size, and is rejected at once when its declared length differs', async () => {
    for (const headers of [['transfer-encoding: chunked'], ['content-length: 100000']]) {
      const { space, requests } = await speaking([
        (socket) => void socket.write(`${head('200 OK', ...headers)}2710\r\n${'x'.repeat(10_000)}\r\n`),
        (socket) => socket.write(whole('file')),
      ])
      const lengths: number[] = []
      const bytes = await space.download({ ...asset, size: 4 }, undefined, async (body) => {
        const read = await buffer(body)
        lengths.push(read.length)
        return read
      })
      expect([String(bytes), lengths, requests.length]).toEqual(['file', [4], 2])
    }
  })

  test.each([
    '204 No Content',
    '205 Reset Content',
    '304 Not Modified',
    '206 Partial Content',
    '202 Accepted',
    '203 Non-Authoritative Information',
  ])('with the status %s is not a file', async (status) => {
    const { space, requests } = await speaking([
      (socket) => socket.write(head(status, 'content-length: 0')),
      (socket) => socket.write(whole('file')),
    ])
    expect(String(await downloadBytes(space, asset))).toBe('file')
    expect(requests).toHaveLength(2)
  })

  test.each([
    [
      'chunks that never end',
      (socket: Socket) =>
        socket.end(`${head('200 OK', 'transfer-encoding: chunked', 'connection: close')}3\r\nfil\r\n`),
    ],
    [
      'a length that is not reached',
      (socket: Socket) => socket.end(`${head('200 OK', 'content-length: 9', 'connection: close')}file`),
    ],
    ['no byte of a cut', (socket: Socket) => socket.write(whole(''))],
  ])('with %s is retried', async (_, broken: (socket: Socket) => unknown) => {
    const { space, requests } = await speaking([broken, (socket) => socket.write(whole('file'))])
    expect(String(await downloadBytes(space, asset, 'PNG'))).toBe('file')
    expect(requests).toHaveLength(2)
  })

  test('that is an HTML page of another size is told from a file', async () => {
    const page = head('200 OK', 'content-type: text/html; charset=utf-8', 'content-length: 4')
    const { space } = await speaking([(socket) => socket.write(`${page}page`)])
    const hint = expect.stringContaining('a proxy or a login page')
    await expect(downloadBytes(space, { ...asset, size: 100 })).rejects.toMatchObject({ code: 'truncated', hint })
  })

  test('that ends with the connection is confirmed by its listed size, or left to its reader', async () => {
    expect(await received(4)).toEqual(['file', undefined])
    expect(await received(undefined)).toEqual(['file', true])
    expect(await received(4, 'PNG')).toEqual(['file', true])
    expect(await received(undefined, 'PNG', (socket) => socket.write(whole('file')))).toEqual(['file', undefined])
  })

  test.each([
    ['behind blanks', ' \n'],
    ['behind a byte order mark', '\uFEFF'],
  ])('that is an error in an envelope %s fails with that error', async (_, before) => {
    const body = Buffer.from(`${before}{"success":false,"error":{"code":3304,"message":"no"}}`)
    const { space } = await speaking([
      (socket) => {
        socket.write(head('200 OK', `content-length: ${body.length}`))
        // Sent in two chunks, because the first one alone is ambiguous.
        socket.write(body.subarray(0, 5), () => setTimeout(() => socket.write(body.subarray(5)), 50))
      },
    ])
    await expect(downloadBytes(space, asset, 'PNG')).rejects.toMatchObject({ code: 'fileCutUnavailable' })
  })

  test('with JSON that is too long for an envelope is the file', async () => {
    const text = `{"success":true,"result":{"url":"/other"},"server_clock":1,"frames":"${'x'.repeat(2e6)}"}`
    const { space, requests } = await speaking([(socket) => socket.write(whole(text))])
    expect(String(await downloadBytes(space, { ...asset, size: text.length }))).toBe(text)
    expect(requests).toHaveLength(1)
  })
})

describe('a service that is too slow', () => {
  const kits = '{"success":true,"result":{"kit":[]},"server_clock":1}'

  test.each([
    ['a byte of the body', trickle(head('200 OK', 'content-length: 1000'), ' ', 100)],
    [
      'chunks of more than 1,024 bytes in the time-out, and too few in a second',
      trickle(head('200 OK', 'transfer-encoding: chunked'), `64\r\n${' '.repeat(100)}\r\n`, 200),
    ],
    ['a byte of the headers', trickle('HTTP/1.1 200 OK\r\n', 'x', 100)],
    ['one header', trickle('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 100)],
  ])('is given up and retried: now and then %s', async (_, slow) => {
    const { space, requests } = await speaking([slow, (socket) => socket.write(whole(kits))], { timeout: 1000 })
    expect(await space.kits()).toEqual([])
    expect(requests).toHaveLength(2)
  })

  test('is given up when it sends endless interim answers', async () => {
    const { space, requests } = await speaking([
      trickle('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 100),
      (socket) => socket.write(whole(kits)),
    ])
    expect(await space.kits()).toEqual([])
    expect(requests).toHaveLength(2)
  })
})

describe('a kept-alive connection', () => {
  test('costs one safe retry when the service closes it at the moment of its reuse', async () => {
    const kits = '{"success":true,"result":{"kit":[]},"server_clock":1}'
    const { space, requests } = await speaking(
      [(socket) => socket.write(whole(kits)), (socket) => void socket.destroy(), (socket) => socket.write(whole(kits))],
      { concurrency: 1 },
    )
    await space.kits()
    expect(await space.kits()).toEqual([])
    expect(requests).toHaveLength(3)
  })
})

describe('unrequested encodings', () => {
  test.each([
    `content-encoding: ${Array.from({ length: 50 }, () => 'gzip').join(', ')}`,
    Array.from({ length: 50 }, () => 'content-encoding: gzip').join('\r\n'),
    'transfer-encoding: gzip, chunked',
  ])('are refused: %s', async (header) => {
    const { space } = await speaking([(socket) => socket.write(`${head('200 OK', header)}0\r\n\r\n`)])
    await expect(downloadBytes(space, asset)).rejects.toMatchObject({ code: 'invalidResponse' })
  })

  test('are accepted when they are identity or empty', async () => {
    for (const header of ['content-encoding: Identity', 'content-encoding:']) {
      const { space } = await speaking([(socket) => socket.write(`${head('200 OK', header, 'content-length: 4')}file`)])
      expect(String(await downloadBytes(space, asset))).toBe('file')
    }
  })
})
