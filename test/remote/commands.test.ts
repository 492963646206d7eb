import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import type { EngineName } from './support/engines.js'
import { key } from './support/runner.js'
import { serve, start } from './support/setup.js'

const source = `import logos from 'content-space:section/brand/logos'
import photos from 'content-space:section/brand/photos?w=16&format=webp'
export default [logos, photos]
`

async function newProject(env: Record<string, string>, files: Record<string, string> = {}): Promise<Project> {
  const made = await project({ 'main.ts': source, ...files }, env)
  onTestFinished(() => made.remove())
  return made
}

test.each<EngineName>(['redis', 'nginx', 's3'])('push, ls --remote and pull with %s', async (name) => {
  const service = await serve(6)
  const engine = await start(name)
  const aws = Object.entries(process.env).filter(([variable]) => variable.startsWith('AWS_'))
  const env = {
    ...Object.fromEntries(aws.map(([variable, value = '']) => [variable, value])),
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const filled = await newProject(env)
  expect(await filled.run('sync')).toMatchObject({ code: 0 })
  const convert = ['--section', 'photos', '--query', 'w=16&format=webp', '--out', 'small']
  expect(await filled.run('pull', 'brand', ...convert)).toMatchObject({ code: 0 })
  const remote = { CONTENT_SPACE_REMOTE: engine.remote }
  const lock = await readFile(join(filled.root, 'content-space.lock.json'), 'utf8')
  const reading = await newProject({ ...env, ...remote }, { 'content-space.lock.json': lock })
  const writing = await newProject({ ...env, ...remote, CONTENT_SPACE_REMOTE_WRITE: '1' })
  await writing.write({ 'content-space.lock.json': lock })
  const cache = ['--cache-dir', `${filled.root}/.cache`]
  const push = async () => (await writing.run('cache', 'push', '--json', ...cache)).stdout
  // 6 files and 2 conversions. Listings are written with them and not counted.
  expect(JSON.parse(await push())).toMatchObject({ moved: 8, present: 0, missing: 0 })
  expect(JSON.parse(await push())).toMatchObject({ moved: 0, present: 8, missing: 0 })
  const listed = await reading.run('cache', 'ls', '--remote')
  expect(listed.stdout).toMatch(/: 6 of 6 files of the lockfile/)
  if (name !== 'nginx')
    expect(listed.stdout).toMatch(/^file: 6 entries, .*\nconversion: 2 entries, .*\nlisting: 1 entry, /)
  const asked = service.requests.length
  expect((await reading.run('cache', 'pull')).stdout).toMatch(/: pulled 6 entries, 0 up to date\n/)
  expect((await reading.run('cache', 'pull')).stdout).toMatch(/: pulled 0 entries, 6 up to date\n/)
  await engine.stop()
  expect(await reading.run('sync', '--offline')).toMatchObject({ code: 0 })
  expect(service.requests.length).toBe(asked)
  expect(await reading.run('cache', 'ls', '--remote')).toMatchObject({ code: 1 })
  expect(await writing.run('cache', 'push', ...cache)).toMatchObject({ code: 1 })
})

test('push needs remoteWrite, and each needs a remote', async () => {
  const service = await serve(3)
  const env = {
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
  }
  const without = await newProject(env)
  for (const args of [['push'], ['pull'], ['ls', '--remote']]) {
    const { code, stderr } = await without.run('cache', ...args)
    expect(code).toBe(1)
    expect(stderr).toContain('CONTENT_SPACE_REMOTE')
  }
  const reading = await newProject({ ...env, CONTENT_SPACE_REMOTE: 'http://127.0.0.1:9/' })
  const { code, stderr } = await reading.run('cache', 'push')
  expect(code).toBe(1)
  expect(stderr).toContain('CONTENT_SPACE_REMOTE_WRITE=1')
})

test('each fails where nothing listens, also without a lockfile', async () => {
  const service = await serve(3)
  const reading = await newProject({
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    CONTENT_SPACE_REMOTE: 'http://:secret-of-the-cache@127.0.0.1:9/',
    CONTENT_SPACE_REMOTE_WRITE: '1',
  })
  for (const args of [['push'], ['pull'], ['ls', '--remote']]) {
    const { code, stderr } = await reading.run('cache', ...args)
    expect([args, code]).toEqual([args, 1])
    expect(stderr).toContain('The remote cache at http://127.0.0.1:9/ cannot be used.')
    expect(stderr).not.toContain('secret-of-the-cache')
  }
})
