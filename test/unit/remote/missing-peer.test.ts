import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as v from 'valibot'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const clients = ['redis', '@redis', '@aws-sdk']

/** Installs the built package in an empty project, with its dependencies and without the clients of engines. */
async function install(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-peers-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const modules = join(root, 'node_modules')
  const target = join(modules, 'unplugin-content-space')
  await mkdir(target, { recursive: true })
  for (const part of ['dist', 'package.json']) await cp(join(repository, part), join(target, part), { recursive: true })
  for (const name of await readdir(join(repository, 'node_modules')))
    if (!name.startsWith('.') && !clients.includes(name))
      await symlink(join(repository, 'node_modules', name), join(modules, name))
  return root
}

const failure = v.object({ code: v.literal(1), stderr: v.string() })
const failed = (error: unknown) => v.parse(failure, error)

test.each([
  ['redis://127.0.0.1:1', 'redis'],
  ['s3://bucket/prefix', '@aws-sdk/client-s3'],
])('an installation that uses %s without %s is told to install it', async (remote, name) => {
  const root = await install()
  const main = join(root, 'node_modules/unplugin-content-space/dist/cli/main.js')
  const env = { CONTENT_SPACE_URL: '.', CONTENT_SPACE_CACHE: join(root, 'cache'), CONTENT_SPACE_REMOTE: remote }
  const { stderr } = await promisify(execFile)(process.execPath, [main, 'sync'], { cwd: root, env }).catch(failed)
  expect(stderr).toContain(`The remote cache at ${remote}`)
  expect(stderr).toContain(` needs the package ${name}.`)
  expect(stderr).toContain(`npm install --save-dev ${name}`)
})
