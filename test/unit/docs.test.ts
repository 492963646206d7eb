import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fillParts } from '../../docs/.vitepress/source-parts.js'
import { codes } from '../../src/errors.js'
import { parseQuery } from '../../src/request/query.js'
import { parseRequest } from '../../src/request/request.js'

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
    return !existsSync(file) || (heading !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(heading))
  })
  expect(dead).toEqual([])
})

test.each(pages)('%s has what is made from the source as the source describes it', (page) => {
  const text = readFileSync(page, 'utf8')
  expect(fillParts(text)).toBe(text)
})

test('the pages of errors, options and queries are made from the source', () => {
  const errors = readFileSync('docs/errors.md', 'utf8')
  const described = [...errors.matchAll(/^### `(\w+)`\n\n\S.*\.\n\n\S.*\.$/gm)]
  expect(described.map(([, code]) => code)).toEqual(Object.keys(codes))
  expect(readFileSync('docs/options.md', 'utf8')).toContain(
    '\n### `space`\n\n`string`, default: `CONTENT_SPACE_URL`\n\n',
  )
  const queries = readFileSync('docs/queries.md', 'utf8')
  expect(queries).toContain(
    '\n### `dpr`\n\nTakes a pixel density from 0.5 to 8; one or more.\n\nA `srcset` by pixel density',
  )
})

test('the page of ids has each field of an asset', () => {
  const page = readFileSync('docs/ids.md', 'utf8')
  const source = readFileSync('src/asset.ts', 'utf8')
  expect(fieldsOf('Asset', page)).toEqual(fieldsOf('Asset', source))
  const [, full = ''] = /^`metadata=full` adds ([\s\S]*?)\. /m.exec(page) ?? []
  expect([...full.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(fieldsOf('FullMetadata', source))
})

test('the skill is short, and names ids that are read and files that the package has', () => {
  const skill = readFileSync('skills/content-space/SKILL.md', 'utf8')
  expect(skill.length).toBeLessThanOrEqual(2000)
  const context = { kits: new Map(), query: (text: string) => parseQuery(text) }
  const ids = [...skill.matchAll(/'(content-space:[^']+)'/g)].map(([, id = '']) => parseRequest(id, context).kind)
  expect(ids).toEqual(['kit', 'asset', 'asset', 'tokens', 'asset'])
  const named = [...skill.matchAll(/`(?:docs\/)?([\w-]+\.md)`/g)].map(([, name = '']) => `docs/${name}`)
  expect(named).not.toEqual([])
  expect(named.filter((path) => !existsSync(path))).toEqual([])
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

/** Returns the anchors of a page's headings, as GitHub and the site make them. */
function anchorsOf(page: string): string[] {
  const code = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...code.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
