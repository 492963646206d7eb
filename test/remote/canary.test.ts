import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyPair } from '../../src/remote/keys.js'
import { project } from '../support/cli.js'
import { bearer, engineNames, password, type Engine, type EngineName } from './support/engines.js'
import { key as secretKey } from './support/runner.js'
import { s3Secret } from './support/s3.js'
import { serve, start } from './support/setup.js'

const serviceToken = 'service-Canary+Token/2?'

const secrets: Record<EngineName, string> = { redis: password, nginx: bearer, s3: s3Secret }

function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [secret, base64, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), JSON.stringify(secret)]
}

async function filesIn(folder: string): Promise<[path: string, text: string][]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, (await readFile(path)).toString('latin1')]),
  )
}

const leaks = (texts: [string, string][], all: string[]): string[] =>
  texts.filter(([name, text]) => all.some((one) => text.includes(one) || name.includes(one))).map(([name]) => name)

async function breakEngine(engine: Engine): Promise<void> {
  engine.signal('SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 200))
}

test.each(engineNames)('no output shows credentials of %s', async (name) => {
  const service = await serve(4, { token: serviceToken })
  const engine = await start(name)
  const aws = Object.entries(process.env).filter(([variable]) => variable.startsWith('AWS_'))
  // With one engine, the key is the private key of a pair, and its last 32 bytes are the secret.
  const key = name === 'nginx' ? createKeyPair().key : secretKey
  const seed = Buffer.from(key, 'base64url').subarray(-32)
  const seeds = (['base64url', 'base64', 'hex', 'latin1'] as const).map((encoding) => seed.toString(encoding))
  const own = [...spellings(secrets[name]), ...spellings(key), ...seeds]
  const work = await project(
    { 'main.ts': `import logos from 'content-space:section/brand/logos?w=16&format=webp'\nexport default logos\n` },
    {
      ...Object.fromEntries(aws.map(([variable, value = '']) => [variable, value])),
      CONTENT_SPACE_URL: service.url,
      CONTENT_SPACE_ID: String(service.spaceId),
      CONTENT_SPACE_TOKEN: serviceToken,
      CONTENT_SPACE_REMOTE: engine.remote,
      CONTENT_SPACE_REMOTE_KEY: key,
      CONTENT_SPACE_REMOTE_WRITE: '1',
      DEBUG: '*',
    },
  )
  onTestFinished(() => work.remove())
  const printed: [string, string][] = []
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await work.runProcess(...args)
    printed.push([`output of ${args.join(' ')}`, stdout + stderr])
    return code
  }
  expect(await run('sync')).toBe(0)
  expect(await run('cache', 'ls', '--json')).toBe(0)
  expect(leaks(await filesIn(engine.folder), spellings(serviceToken))).toEqual([])
  await run('sync', '--cache-dir', 'cold')
  await breakEngine(engine)
  expect(await run('sync', '--cache-dir', 'other')).toBe(0)
  expect(printed.at(-1)?.[1]).toContain('The remote cache at')
  expect(leaks([...printed, ...(await filesIn(work.root))], own)).toEqual([])
})

test.each([
  ['not an address', 'nothing://user:engine-canary@host'],
  ['an s3 address with credentials', 's3://user:engine-canary@bucket'],
  ['http beyond this machine', 'http://user:engine-canary@192.0.2.1/'],
])('an error about %s does not repeat it', async (_, remote) => {
  const work = await project({}, { CONTENT_SPACE_URL: '.', CONTENT_SPACE_REMOTE: remote })
  onTestFinished(() => work.remove())
  const { code, stdout, stderr } = await work.runProcess('sync')
  expect(code).toBe(1)
  expect(stderr).toMatch(/remote/)
  expect(stdout + stderr).not.toContain('engine-canary')
})
