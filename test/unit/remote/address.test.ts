import { once } from 'node:events'
import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readRemoteAddress } from '../../../src/remote/address.js'

const options = { token: undefined, insecure: false }

test.each([
  ['redis://user:canary@host:6379/2', 'redis://host:6379/2'],
  ['rediss://:canary@host', 'rediss://host'],
  ['s3://bucket/some/prefix/', 's3://bucket/some/prefix/'],
  ['s3://bucket', 's3://bucket/'],
  ['https://user:canary@host/path?token=canary#canary', 'https://host/path/'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
])('%s is shown without credentials', (text, label) => {
  const address = readRemoteAddress(text, options)
  expect(address.label).toBe(label)
  expect(JSON.stringify({ address }) + inspect({ address }, { depth: 9, showHidden: true })).not.toContain('canary')
})

test.each([
  [':p%2Fw@', undefined, 'Bearer p/w'],
  ['user:pw@', undefined, `Basic ${Buffer.from('user:pw').toString('base64')}`],
  ['user:pw@', 'token', 'Bearer token'],
  ['', undefined, undefined],
])('the address http://%s… with token %s sends %s', async (credentials, token, header) => {
  const received: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    received.push(headers.authorization)
    response.writeHead(404).end()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const place = server.address()
  const port = typeof place === 'object' ? place?.port : undefined
  const address = readRemoteAddress(`http://${credentials}127.0.0.1:${port}/`, { token, insecure: false })
  const { signal } = new AbortController()
  const engine = await address.open(signal, (error) => expect.fail(error.message))
  expect(await engine.has('v1/name', { signal, progress: () => {}, answered: () => {} })).toBe(false)
  engine.close()
  expect(received).toEqual([header])
})

test.each(['', 'host:6379', 'ftp://host', 's3://user:canary@bucket', 'http://host.example', 'redis://'])(
  '%j is an error that does not repeat credentials',
  (text) => {
    expect(() => readRemoteAddress(text, options)).toThrow(
      expect.objectContaining({ code: 'invalidOption', message: expect.not.stringContaining('canary') }),
    )
  },
)
