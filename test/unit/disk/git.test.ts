import { tmpdir } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { git } from '../../../src/disk/git.js'

afterEach(() => void vi.unstubAllEnvs())

test('git, and what a repository lets it run, does not get the token', async () => {
  vi.stubEnv('CONTENT_SPACE_TOKEN', 'a-token')
  vi.stubEnv('OTHER', 'a-value')
  const variables = await git(tmpdir(), '-c', 'alias.variables=!env', 'variables')
  expect(variables).toContain('OTHER=a-value')
  expect(variables).not.toContain('a-token')
})
