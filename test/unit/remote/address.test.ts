import { inspect } from 'node:util'
import { expect, test } from 'vitest'
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
  ['https://:p%2Fw@host/', undefined, 'Bearer p/w'],
  ['https://user:pw@host/', undefined, `Basic ${Buffer.from('user:pw').toString('base64')}`],
  ['https://user:pw@host/', 'token', 'Bearer token'],
  ['https://host/', undefined, undefined],
])('%s with token %s sends %s', (text, token, header) => {
  const address = readRemoteAddress(text, { token, insecure: false })
  expect(address.kind === 'http' && address.authorization()).toBe(header)
})

test.each(['', 'host:6379', 'ftp://host', 's3://user:canary@bucket', 'http://host.example', 'redis://'])(
  '%j is an error that does not repeat credentials',
  (text) => {
    expect(() => readRemoteAddress(text, options)).toThrow(
      expect.objectContaining({ code: 'invalidOption', message: expect.not.stringContaining('canary') }),
    )
  },
)
