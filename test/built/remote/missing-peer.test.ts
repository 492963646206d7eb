import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { installPackage } from '../../support/installed.js'

const failure = v.object({ code: v.literal(1), stderr: v.string() })
const failed = (error: unknown) => v.parse(failure, error)

test.each([
  ['redis://127.0.0.1:1', 'redis'],
  ['s3://bucket/prefix', '@aws-sdk/client-s3'],
])('an installation that uses %s without %s is told to install it', async (remote, name) => {
  const root = await installPackage({ redis: undefined, '@redis': undefined, '@aws-sdk': undefined })
  const main = join(root, 'node_modules/unplugin-content-space/dist/cli/bin.js')
  const env = { CONTENT_SPACE_URL: '.', CONTENT_SPACE_CACHE: join(root, 'cache'), CONTENT_SPACE_REMOTE: remote }
  const { stderr } = await promisify(execFile)(process.execPath, [main, 'sync'], { cwd: root, env }).catch(failed)
  expect(stderr).toContain(`The remote cache at ${remote}`)
  expect(stderr).toContain(` needs the package ${name}.`)
  expect(stderr).toContain(`npm install --save-dev ${name}`)
})
