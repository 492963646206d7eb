import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
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
  expect(stdout).toMatch(/^complete .*-F \S+ content-space$/m)
  expect(await work.runProcess('complete', 'tcsh')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('zsh, bash, fish or powershell'),
  })
})

test('completes npx content-space in bash, also when the script is loaded twice', async () => {
  const installed = 'node_modules/.bin/content-space'
  await work.write({ [installed]: `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n` })
  await chmod(join(work.root, installed), 0o755)
  const complete = `
    npx --no content-space complete bash > complete.bash
    offer() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); __npx_complete 2> /dev/null; echo "$*: \${COMPREPLY[*]}"; }
    source complete.bash && source complete.bash && complete -p npx content-space
    offer npx content-space pull brand --mod
    offer npx unplugin-content-space pull brand --mod
    offer npx cont
    offer npx unpl
    offer npx vite bu
  `
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', complete], { cwd: work.root, encoding: 'utf8' })
  expect({ stdout: stdout.trimEnd().split('\n'), stderr }).toEqual({
    stdout: [
      'complete -o default -F __npx_complete npx',
      'complete -o default -F __content_space_complete content-space',
      'npx content-space pull brand --mod: --module',
      'npx unplugin-content-space pull brand --mod: --module',
      'npx cont: content-space',
      'npx unpl: unplugin-content-space',
      'npx vite bu:',
    ],
    stderr: '',
  })
})
