import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { faultServer } from '../../../support/fault-server.js'

const inlined = (code: string): string => JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`)

test('requests are sent with the whole of undici if a version has its agent in another file', async () => {
  const answer = JSON.stringify({ success: true, server_clock: 1, result: { kits: [] } })
  const service = await faultServer((response) => void response.end(answer))
  onTestFinished(() => service.close())
  const hooks = `export function resolve(specifier, context, next) {
    if (specifier.startsWith('undici/lib/')) throw new Error('moved')
    return next(specifier, context)
  }`
  const script = `import { register } from 'node:module'
    register(${inlined(hooks)})
    const { httpSpace } = await import(${JSON.stringify(import.meta.resolve('../../../../build/space/http/client.js'))})
    const { readAddress } = await import(${JSON.stringify(import.meta.resolve('../../../../build/space/http/credentials.js'))})
    const ignore = () => {}
    const space = httpSpace({ ...readAddress('${service.url}', 7, 'canary'), timeout: 5000, concurrency: 1,
      rateLimit: false, warn: ignore, onRequest: ignore, onWait: ignore })
    console.log(JSON.stringify(await space.kits()))
    await space.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(JSON.parse(stdout)).toEqual([])
})
