import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'

let work: Project
beforeAll(async () => {
  work = await project({})
})
afterAll(() => work.remove())

const offered = async (...words: string[]) =>
  (await work.runProcess('complete', '--', ...words)).stdout.split('\n').map((line) => line.split('\t')[0])

test('offers commands, flags and their values to a shell', async () => {
  expect(await offered('')).toEqual(expect.arrayContaining(['sync', 'pull', 'mirror', 'cache', 'init']))
  expect(await offered('cache', '')).toEqual(expect.arrayContaining(['ls', 'prune', 'clear', 'verify']))
  expect(await offered('pull', 'brand', '--mo')).toContain('--module')
})

test('prints a script that bash can parse, and lists the supported shells', async () => {
  const { stdout } = await work.runProcess('complete', 'bash')
  expect(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^complete -F \S+ content-space$/m)
  expect(await work.runProcess('complete', 'tcsh')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('zsh, bash, fish, powershell'),
  })
})
