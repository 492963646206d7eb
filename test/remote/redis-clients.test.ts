import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installPackage } from '../support/installed.js'
import { loadedModules } from '../support/loaded-modules.js'
import { hostileReplies, startHostileRedis } from './support/hostile-redis.js'
import { key } from './support/runner.js'
import { serve, start } from './support/setup.js'

const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`

/** Opens a project with version 5 of the Redis client. */
async function projectWithRedis5() {
  const service = await serve(6)
  const root = await installPackage({ redis: 'redis5', '@redis': undefined })
  await writeFile(join(root, 'main.ts'), source)
  const version: unknown = JSON.parse(await readFile(join(root, 'node_modules/redis/package.json'), 'utf8'))
  expect(version).toMatchObject({ version: expect.stringMatching(/^5\./) })
  const main = join(root, 'node_modules/unplugin-content-space/dist/cli/bin.js')
  const run = (env: Record<string, string>, ...args: string[]) =>
    promisify(execFile)(process.execPath, [main, ...args], {
      cwd: root,
      env: {
        CONTENT_SPACE_URL: service.url,
        CONTENT_SPACE_ID: String(service.spaceId),
        CONTENT_SPACE_TOKEN: service.token,
        CONTENT_SPACE_REMOTE_KEY: key,
        ...env,
      },
    })
  return { root, service, run }
}

test('version 5 of the client of Redis writes, lists and reads', async () => {
  const { root, service, run } = await projectWithRedis5()
  const { remote } = await start('redis')
  const writing = {
    CONTENT_SPACE_REMOTE: remote,
    CONTENT_SPACE_REMOTE_WRITE: '1',
    CONTENT_SPACE_CACHE: join(root, 'a'),
  }
  expect((await run(writing, 'sync')).stderr).toBe('')
  const reading = { CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_CACHE: join(root, 'b') }
  const { stdout } = await run(reading, 'cache', 'ls', '--remote')
  expect(stdout).toMatch(/^file: 6 entries, .*\nconversion: 0 entries, /)
  const asked = service.requests.length
  expect((await run(reading, 'sync', '--frozen')).stderr).toBe('')
  expect(service.requests.length).toBe(asked)
})

test.each(['a text of 90 GB', 'arrays within arrays', 'a flood of pushes', 'replies that nobody has asked for'])(
  'version 5 of the client of Redis survives %s',
  async (name) => {
    const { root, run } = await projectWithRedis5()
    const remote = await startHostileRedis(hostileReplies[name] ?? {})
    const env = { CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_CACHE: join(root, 'a') }
    const { stderr } = await run({ ...env, NODE_OPTIONS: '--max-old-space-size=200' }, 'sync')
    expect(stderr).toMatch(/The remote cache at \S+ .*its response was invalid/)
  },
)

const list = ['dist/cli/bin.js', 'cache', 'ls', '--remote']

test('the client of Redis loads without the commands of Redis modules', async () => {
  const { remote } = await start('redis')
  vi.stubEnv('CONTENT_SPACE_URL', '.')
  vi.stubEnv('CONTENT_SPACE_REMOTE', remote)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { packages } = await loadedModules(list)
  expect(packages.filter((name) => name.includes('redis'))).toEqual(['@redis/client'])
})

test('@redis/client may be installed under the name redis', async () => {
  const { remote } = await start('redis')
  const root = await installPackage({ redis: undefined, '@redis': undefined })
  await cp('node_modules/@redis/client', join(root, 'node_modules/redis'), { recursive: true })
  const [main = '', ...args] = list
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/unplugin-content-space', main), ...args],
    { cwd: root, env: { CONTENT_SPACE_URL: '.', CONTENT_SPACE_REMOTE: remote } },
  )
  expect(stdout).toContain('file: 0 entries')
})
