import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import contentSpace from 'unplugin-content-space/vite'
import { build, preview } from 'vite'
import { project } from '../support/cli.js'
import { writeSpace } from '../support/space.js'
import { launch } from './chromium.js'

const drawing = (color: string, path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><path fill="${color}" d="${path}"/></svg>\n`
const logo = drawing('#e5603f', 'M5 5h50v15H20v15h25v20H5z')
const star = drawing('#1f7a78', 'M30 5l8 18h18l-15 13 8 19-19-13-19 13 8-19-15-13h18z')

let browser: Browser

beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

test('every picture of a project renders the same after audit --fix', async () => {
  const space = await writeSpace({
    'brand/kit.json': { name: 'Brand' },
    'brand/Logos/logo.svg': logo,
    'brand/Logos/star.svg': star,
  })
  const work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, kits: { brand: 'brand' }, types: false }),
    '.gitignore': '.cache\ndist\n',
    'package.json': '{ "private": true, "type": "module", "devDependencies": { "vite": "^8" } }\n',
    'vite.config.js':
      "import contentSpace from 'unplugin-content-space/vite'\nexport default { plugins: [contentSpace()] }\n",
    'index.html':
      '<!doctype html><link rel="icon" href="data:,"><img src="./src/logo.svg" alt=""><i></i><img src="./src/words.svg" alt=""><img src="./src/small.svg" alt=""><img src="./src/free.svg" alt=""><img src="./src/wide.svg" alt=""><script type="module" src="/src/main.js"></script>\n',
    'src/main.js':
      "import star from './star.svg'\nimport './page.css'\nconst image = new Image()\nimage.src = star\ndocument.body.append(image)\n",
    'src/page.css': 'i { display: inline-block; width: 60px; height: 60px; background: url(./star.svg) }\n',
    'src/logo.svg': logo,
    'src/star.svg': star,
    // The same drawing written differently. Only the first one has the same size.
    'src/words.svg': star
      .replaceAll('M30 5l8 18', 'M 30.0 5.0 l 8.0 18.0')
      .replace('<path', '<g><path')
      .replace('/></', '/></g></'),
    'src/small.svg': star.replace('width="60" height="60"', 'viewBox="0 0 60 60" width="30" height="30"'),
    'src/free.svg': star.replace('width="60" height="60"', 'viewBox="0 0 60 60"'),
    'src/wide.svg': star.replace('width="60" height="60"', 'viewBox="-30 -30 120 120" width="60" height="60"'),
  })
  const settings = { root: work.root, configFile: false, logLevel: 'error' } as const
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: work.root })
  const look = async (): Promise<string[]> => {
    await build({
      ...settings,
      plugins: [contentSpace({ cacheDir: join(work.root, '.cache') })],
      build: { assetsInlineLimit: 0 },
    })
    const site = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
    const page = await browser.newPage()
    await page.goto(site.resolvedUrls?.local[0] ?? '', { waitUntil: 'networkidle' })
    const elements = await page.locator('img, i').all()
    const shots = await Promise.all(elements.map((element) => element.screenshot()))
    await page.close()
    await site.close()
    return shots.map((shot) => shot.toString('base64'))
  }
  try {
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'Begin')
    const before = await look()
    expect(before).toHaveLength(7)
    const files = readdirSync(join(work.root, 'src'))
    const { code, stderr } = await work.run('audit', '--fix')
    expect(code).toBe(0)
    expect(readdirSync(join(work.root, 'src'))).toEqual(files)
    expect(git('diff', '--name-only').toString()).toBe('index.html\nsrc/main.js\nsrc/page.css\n')
    // The page keeps the paths of drawings that have another size.
    const paths = readFileSync(join(work.root, 'index.html'), 'utf8').match(/(?<=img src=")[^"]+/g)
    expect(paths).toEqual([
      'content-space:asset/brand/logo',
      'content-space:asset/brand/star',
      './src/small.svg',
      './src/free.svg',
      './src/wide.svg',
    ])
    expect(await look()).toEqual(before)
    // The printed copies are no longer needed.
    const [, printed = ''] = /^ {2}git rm -- (.+)$/m.exec(stderr) ?? []
    const unnamed = printed.split(' ')
    expect(unnamed.toSorted()).toEqual(['src/logo.svg', 'src/star.svg', 'src/words.svg'])
    git('rm', '-q', '--', ...unnamed)
    expect(await look()).toEqual(before)
  } finally {
    await work.remove()
    await space.remove()
  }
})
