import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { loadedModules } from '../support/loaded-modules.js'

test.each(['--version', '-V'])("%s doesn't load any library or command", async (flag) => {
  const { packages, own, files } = await loadedModules(['dist/cli/bin.js', flag])
  expect(packages).toEqual([])
  expect(files).toBe(3)
  expect(own).toEqual([
    'async/attempt',
    'cli/bin',
    'cli/commands',
    'cli/main',
    'cli/start',
    'disk/compile-cache',
    'disk/user-cache',
    'errors',
    'print',
    'terminal/package',
    'terminal/terminal',
    'text/display',
    'text/omit-undefined',
  ])
})

test('a command loads commander but no other command', async () => {
  const { packages, bundled, own } = await loadedModules(['dist/cli/bin.js', 'verify', '--help'])
  expect(packages).toEqual([])
  expect(bundled).toContain('commander')
  expect(own).toContain('commands/sync/verify')
  expect(own).not.toContain('commands/pull/command')
})

test('sync loads only what reads the source and the space', async () => {
  const work = await project({
    'content-space.config.json': JSON.stringify({ space: './space', cacheDir: '.cache' }),
    'space/brand/01 Logos/acme-logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    'main.js': "import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo)",
  })
  onTestFinished(() => work.remove())
  const args = ['dist/cli/bin.js', 'sync', '--config', join(work.root, 'content-space.config.json')]
  const { packages, bundled, own } = await loadedModules(args)
  // The command has done its work: the lockfile and the declarations exist.
  expect(await readdir(work.root)).toEqual(expect.arrayContaining(['content-space.lock.json', 'content-space.d.ts']))
  for (const name of ['sharp', 'unplugin', 'jiti', 'undici']) expect(packages).not.toContain(name)
  for (const name of ['svgo', 'css-tree', 'chokidar', 'fontkitten', 'culori', 'tldts'])
    expect(bundled).not.toContain(name)
  const others = /^(?:frameworks|remote\/engines|commands\/(?:browse|serve|pull|diff|mirror|shared\/changes))\//
  expect(own.filter((name) => others.test(name))).toEqual([])
})

/** Runs the command line in a Node that reports another version. */
function runAs(version: string) {
  const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(code)}`, 'dist/cli/bin.js', '--version']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('an older Node', () => {
  test.each(['16.20.2', '18.20.8', '20.18.3'])('%s: one line says which Node is needed', async (version) => {
    const [, engine = ''] = /"node": "(\^.*)"/.exec(await readFile('package.json', 'utf8')) ?? []
    const needed = engine.replaceAll(/\^|>=/g, '').replaceAll(' || ', ', ')
    expect(runAs(version)).toEqual({
      status: 1,
      stdout: '',
      stderr: `content-space needs Node ${needed} or newer, but this is Node ${version}. Install a newer Node.\n`,
    })
  })

  test.each(['20.19.0', '22.13.0', '24.0.0', '100.0.0'])('%s starts', (version) => {
    expect(runAs(version)).toMatchObject({ status: 0, stderr: '' })
  })

  test('reaches the line: the first file imports nothing, and has the syntax of Node 16', async () => {
    const code = await readFile('dist/cli/bin.js', 'utf8')
    const lowered = await transform(code, { target: 'node16', minify: true, format: 'esm' })
    const same = await transform(code, { target: 'esnext', minify: true, format: 'esm' })
    expect(lowered.code).toBe(same.code)
    expect(code).not.toMatch(/^import\b(?!\()/m)
  })
})
