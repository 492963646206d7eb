import { readFile } from 'node:fs/promises'
import glob from 'fast-glob'
import { expect, test } from 'vitest'

test('only one module writes to the terminal', async () => {
  const files = await glob('src/**/*.ts')
  const writing = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(file, 'utf8')).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      return /process\s*(?:\.|\[\s*['"])std(?:out|err)|\bconsole\s*[.[]|writeSync\((?:1|2)\b|\/dev\/(?:tty|std)/.test(
        text,
      )
        ? [file]
        : []
    }),
  )
  expect(writing.flat()).toEqual(['src/print.ts'])
})
