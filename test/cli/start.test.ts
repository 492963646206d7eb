import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { loadedModules } from '../support/loaded-modules.js'

test.each(['--version', '-V'])('%s loads no library and no command', async (flag) => {
  const { packages, own } = await loadedModules(['dist/cli/bin.js', flag])
  expect(packages).toEqual([])
  expect(own).toEqual([
    'cli/bin',
    'cli/main',
    'cli/package',
    'cli/terminal',
    'errors',
    'print',
    'text/display',
    'text/omit-undefined',
  ])
})

test('a command loads commander, and no other command', async () => {
  const { packages, bundled, own } = await loadedModules(['dist/cli/bin.js', 'verify', '--help'])
  expect(packages).toEqual([])
  expect(bundled).toContain('commander')
  expect(own).toContain('cli/verify')
  expect(own).not.toContain('cli/pull')
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
  // The lockfile and the declarations are written: it has done its work.
  expect(await readdir(work.root)).toEqual(expect.arrayContaining(['content-space.lock.json', 'content-space.d.ts']))
  for (const name of ['sharp', 'unplugin', 'jiti', 'undici']) expect(packages).not.toContain(name)
  for (const name of ['svgo', 'css-tree', 'chokidar', 'fontkitten', 'culori', 'tldts'])
    expect(bundled).not.toContain(name)
  expect(
    own.filter((name) => /^(?:frameworks|remote\/engines|commands\/(?:browse|serve|pull|diff|mirror))\//.test(name)),
  ).toEqual([])
})
