import { readFile } from 'node:fs/promises'
import glob from 'fast-glob'
import { expect, test } from 'vitest'

/** Returns the files whose code, without comments, matches a pattern. */
async function filesWith(pattern: RegExp, globs: string[]): Promise<string[]> {
  const files = await glob(globs)
  const matching = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(file, 'utf8')).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      return pattern.test(text) ? [file] : []
    }),
  )
  return matching.flat()
}

test('only the printer writes to the terminal, and the first file for a Node that cannot load the printer', async () => {
  const writes = /process\s*(?:\.|\[\s*['"])std(?:out|err)|\bconsole\s*[.[]|writeSync\((?:1|2)\b|\/dev\/(?:tty|std)/
  expect((await filesWith(writes, ['src/**/*.ts'])).toSorted()).toEqual(['src/cli/bin.ts', 'src/print.ts'])
})

test('commands reach their process only through the terminal', async () => {
  const uses = /\bprocess\s*(?:\.(?!platform\b|versions\b|js')|\[)|node:process/
  const files = await filesWith(uses, ['src/{cli,commands,terminal}/**/*.ts'])
  expect(files.toSorted()).toEqual(['src/cli/bin.ts', 'src/cli/start.ts'])
})

test('commands in messages begin with npx, except in scripts of package.json', async () => {
  const commands = 'audit|cache|catalog|diff|doctor|init|ls|mirror|mcp|pull|sync|tokens|update|usage|verify'
  const command = new RegExp(`(?<!npx (?:unplugin-)?|Written by )(?<![\\w-])content-space (?:${commands})\\b`)
  const files = await filesWith(command, ['src/**/*.{ts,mjs}'])
  expect(files.toSorted()).toEqual(['bundlers', 'run', 'templates'].map((name) => `src/commands/init/${name}.ts`))
})
