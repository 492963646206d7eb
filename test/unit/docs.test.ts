import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codes } from '../../src/errors.js'

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/RESULTS.md'].concat(
  readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
)

test.each(pages)('the links of %s lead to files and headings', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"]+)"/g)]
    .map(([, link = '', attribute = link]) => attribute)
    .filter((link) => !/^[a-z]+:/.test(link))
  const dead = links.filter((link) => {
    const [path = '', heading] = link.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    return !existsSync(file) || (heading !== undefined && !anchorsOf(file).includes(heading))
  })
  expect(dead).toEqual([])
})

test('the page of errors has the meaning of each code, as the catalogue describes it', () => {
  const rows = readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)` \| (.*) \| .+ \|$/gm)
  const described = Object.fromEntries([...rows].map(([, code = '', meaning = '']) => [code, meaning]))
  expect(Object.keys(described)).toEqual(Object.keys(codes))
  const comments = readFileSync('src/errors.ts', 'utf8').matchAll(/\/\*\* (.*) \*\/\n  (\w+): \{/g)
  expect(described).toMatchObject(Object.fromEntries([...comments].map(([, comment, code = '']) => [code, comment])))
})

test('the page of options has a row for each option', () => {
  const rows = [...readFileSync('docs/options.md', 'utf8').matchAll(/^\| ((?:`\w+`,? ?)+)\| .+ \| .+ \|$/gm)]
  const described = rows.flatMap(([, cell = '']) => [...cell.matchAll(/\w+/g)].map(([name]) => name))
  const [, declared = ''] =
    /^export interface Options \{\n([\s\S]*?)^\}$/m.exec(readFileSync('src/config/options.ts', 'utf8')) ?? []
  const names = [...declared.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name = '']) => name)
  expect(names).toContain('space')
  expect(described.toSorted()).toEqual(names.toSorted())
})

test('the page of ids has each field of an asset', () => {
  const page = readFileSync('docs/ids.md', 'utf8')
  const source = readFileSync('src/asset.ts', 'utf8')
  expect(fieldsOf('Asset', page)).toEqual(fieldsOf('Asset', source))
  const [, full = ''] = /^`metadata=full` adds ([\s\S]*?)\. /m.exec(page) ?? []
  expect([...full.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(fieldsOf('FullMetadata', source))
})

/** Returns the fields of an interface in a text. */
function fieldsOf(name: string, text: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)^\\}$`, 'm').exec(text) ?? []
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field)
}

/** Returns the text of a page without its code. */
function textOf(page: string): string {
  return readFileSync(page, 'utf8')
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
}

/** Returns the anchors of the headings of a page, as GitHub and the site make them. */
function anchorsOf(page: string): string[] {
  const code = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...code.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
