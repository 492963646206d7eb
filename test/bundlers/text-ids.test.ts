import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { build as buildWithVite, createLogger } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from './driver.js'
import { pageBuilders, styleSheetBuilders, type BuildSite } from './markup-builders.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const asset = `content-space:asset/${kits.brand}`

async function build(site: BuildSite | undefined, sources: Record<string, string>): Promise<string> {
  const project = await createProject(sources)
  try {
    const lockfile = join(project.root, 'content-space.lock.json')
    const options = { ...space.options(), types: false as const, lockfile }
    const warnings = await (site ?? expect.fail())({ root: project.root, options, base: '/app/' })
    return warnings.filter((warning) => warning.includes('remain plain text')).join('\n')
  } finally {
    await project.remove()
  }
}

const sources = {
  'main.js':
    `// See content-space:asset/${kits.brand}/nothing\n` +
    `import logo from '${asset}/acme-logo'\nimport data from './data.json'\nimport { names } from './names.js'\n` +
    `console.log(logo.src, data, names)\n`,
  'names.js': `\nexport const names = ['${asset}/hero-photo?w=20', '${asset}/acme-logo']\n`,
  'data.json': `{\n  "text": "",\n  "default": "${asset}/default"\n}\n`,
}

describe.each(['Vite', 'webpack with its own CSS', 'Rspack with its own CSS', 'esbuild'])('%s', (name) => {
  const site = styleSheetBuilders[name]

  test('names the places of ids that remain plain text, once, and ignores imports and comments', async () => {
    const warning = await build(site, sources)
    expect(warning.match(/\S+:\d+ content-space:\S+/g)).toEqual([
      `data.json:3 ${asset}/default`,
      `names.js:2 ${asset}/acme-logo`,
      `names.js:2 ${asset}/hero-photo?w=20`,
    ])
    expect(warning.match(/remain plain text/g)).toHaveLength(1)
  })

  test("doesn't warn if all ids are replaced", async () => {
    expect(
      await build(site, {
        'main.js': `import { acmeLogo } from 'content-space:kit/${kits.brand}'\nconsole.log(acmeLogo)\n`,
      }),
    ).toBe('')
  })
})

test("with Farm, which doesn't list its modules, the warning names the project's files", async () => {
  expect(await build(styleSheetBuilders['Farm'], sources)).toContain(`data.json:3 ${asset}/default`)
})

test('with Vite, pages and copied files are checked too', async () => {
  const warning = await build(pageBuilders['Vite'], {
    'main.js': `console.log('main')`,
    'index.html': `<!doctype html>\n<p>${asset}/default</p>\n<script type="module" src="./main.js"></script>\n`,
    'public/site.webmanifest': `{ "icons": [{ "src": "${asset}/acme-logo" }] }\n`,
  })
  expect(warning).toContain(`index.html:2 ${asset}/default`)
  expect(warning).toContain(`public/site.webmanifest:1 ${asset}/acme-logo`)
})

test('Vite names the places of ids in pages that a framework has written after its build', async () => {
  const page =
    `<!doctype html>\n<img src="${asset}/acme-logo">\n<img src="${asset}/hero-photo">\n` +
    `<pre>\n<code>import photo from '${asset}/default'</code></pre>\n<img src="${asset}/paper">\n`
  const project = await createProject({ ...sources, 'content/data.yaml': `title: Photo\nphoto: ${asset}/hero-photo\n` })
  const warnings: string[] = []
  const framework = {
    name: 'framework',
    closeBundle: { sequential: true, handler: () => writeFile(join(project.root, 'dist/about.html'), page) },
  } as const
  try {
    const lockfile = join(project.root, 'content-space.lock.json')
    await buildWithVite({
      root: project.root,
      configFile: false,
      customLogger: { ...createLogger('silent'), warn: (message) => void warnings.push(message) },
      plugins: [framework, contentSpace({ ...space.options(), types: false, lockfile })],
      build: { rolldownOptions: { input: join(project.root, 'main.js') } },
    })
  } finally {
    await project.remove()
  }
  const [ofScripts, ofPages, ...others] = warnings.filter((warning) => warning.includes('remain plain text'))
  expect(ofScripts).toContain(`names.js:2 ${asset}/acme-logo`)
  // The logo has already been reported, and code samples aren't uses.
  expect(ofPages?.match(/\S+:\d+ content-space:\S+/g)).toEqual([
    `content/data.yaml:2 ${asset}/hero-photo`,
    `dist/about.html:6 ${asset}/paper`,
  ])
  expect(others).toEqual([])
})
