import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { freePort } from '../support/free-port.js'
import { startRedis } from './support/engines.js'
import { newFolder } from './support/process.js'
import { key } from './support/runner.js'
import { serve, start } from './support/setup.js'

const subject = ['-subj', '/CN=cache.internal', '-addext', 'subjectAltName=IP:127.0.0.1']
const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`

/** Creates a self-signed certificate. */
async function selfSigned() {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [certificate, secret] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', ...kind, ...subject, '-keyout', secret, '-out', certificate])
  return { certificate, secret }
}

test('rediss:// works with a certificate that NODE_EXTRA_CA_CERTS names, and with no other', async () => {
  const service = await serve(6)
  const { certificate, secret } = await selfSigned()
  const port = await freePort()
  const files = ['--tls-cert-file', certificate, '--tls-key-file', secret, '--tls-ca-cert-file', certificate]
  const { remote } = await start(() => startRedis('--tls-port', String(port), '--tls-auth-clients', 'no', ...files))
  const run = async (env: Record<string, string>, lock?: string) => {
    const work = await project(
      { 'main.ts': source, ...(lock !== undefined && { 'content-space.lock.json': lock }) },
      {
        CONTENT_SPACE_URL: service.url,
        CONTENT_SPACE_ID: String(service.spaceId),
        CONTENT_SPACE_TOKEN: service.token,
        CONTENT_SPACE_REMOTE: remote.replace('redis:', 'rediss:').replace(/\d+$/, String(port)),
        CONTENT_SPACE_REMOTE_KEY: key,
        ...env,
      },
    )
    onTestFinished(() => work.remove())
    const { code, stderr } = await work.runProcess('sync')
    expect(code).toBe(0)
    return { stderr, lock: await readFile(join(work.root, 'content-space.lock.json'), 'utf8') }
  }
  const trusted = { NODE_EXTRA_CA_CERTS: certificate }
  const { stderr, lock } = await run({ ...trusted, CONTENT_SPACE_REMOTE_WRITE: '1' })
  expect(stderr).toBe('')
  const asked = service.requests.length
  expect(await run({ ...trusted, CONTENT_SPACE_FROZEN: '1' }, lock)).toEqual({ stderr: '', lock })
  expect(service.requests.length).toBe(asked)
  expect((await run({}, lock)).stderr).toMatch(/The remote cache at \S+ .*: DEPTH_ZERO_SELF_SIGNED_CERT\./)
  expect(service.downloads().length).toBe(12)
})
