import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import contentSpace from 'unplugin-content-space/vite'
import webpackPlugin from 'unplugin-content-space/webpack'
import { build, preview } from 'vite'
import { webpack, type Configuration } from 'webpack'
import { runCompiler } from '../bundlers/drivers/pack.js'
import { project, type Project } from '../support/cli.js'
import { commitAll } from '../support/git.js'
import { launch } from './chromium.js'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const modules = join(repository, 'node_modules')

let browser: Browser

beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

/** Builds a project into `dist`, with the plugin or without it. */
type Build = (work: Project, hasPlugin: boolean) => Promise<unknown>

const withVite: Build = ({ root }, hasPlugin) =>
  build({
    root,
    configFile: false,
    logLevel: 'error',
    // If a small file is a data URI, the browser takes a larger candidate from a srcset.
    build: { assetsInlineLimit: 0 },
    plugins: hasPlugin ? [contentSpace({ cacheDir: join(root, '.cache') })] : [],
  })

const withWebpack: Build = ({ root }, hasPlugin) => {
  const configuration: Configuration = {
    context: root,
    mode: 'production',
    entry: './src/main.js',
    output: { path: join(root, 'dist'), filename: 'main.js', publicPath: '/', clean: true },
    performance: false,
    resolveLoader: { modules: [modules] },
    resolve: { modules: ['node_modules'] },
    module: {
      rules: [
        { test: /\.css$/, use: ['style-loader', 'css-loader'] },
        { test: /\.(?:svg|jpg|webp)$/, type: 'asset/resource' },
      ],
    },
    plugins: hasPlugin ? [webpackPlugin({ cacheDir: join(root, '.cache') })] : [],
  }
  return runCompiler(webpack(configuration)).then(() =>
    writeFile(join(root, 'dist/index.html'), '<link rel="icon" href="data:,"><body><script src="/main.js"></script>'),
  )
}

const configuration = JSON.stringify({
  space: './space',
  kits: { brand: { kit: 'solvane-brand', dark: { 'solvane-mark': 'solvane-mark-reversed' } } },
  tokens: [{ kit: 'brand', file: 'src/tokens.css' }],
})
const page = (entry: string): string =>
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body><div id="app"></div>' +
  '<img src="content-space:asset/brand/solvane-logo" srcset="content-space:asset/brand/coast-at-dawn?w=200;400" alt="">' +
  `<script type="module" src="/src/${entry}"></script></body></html>\n`
const styles = `@import './tokens.css';
i { display: inline-block; width: 90px; height: 90px; font-family: Outfit; color: var(--brand-coral) }
.pair { background: url('content-space:asset/brand/solvane-mark') center / contain no-repeat }
.set { background-image: image-set("content-space:asset/brand/compass" 1x) }
`
const script = `import { solvaneMark, compass as needle } from 'content-space:kit/brand'
import photo from 'content-space:asset/brand/dunes-at-noon?w=160;320&format=webp;jpg&placeholder=color'
import address from 'content-space:asset/brand/flame?url'
import text from 'content-space:asset/brand/drop?raw'
import { colors } from 'content-space:tokens/brand'
import { picture } from 'unplugin-content-space/picture'
import './page.css'
const { cloudRain } = await import('content-space:kit/brand')
const images = [solvaneMark, needle, cloudRain].map(({ src, width, height }) => \`<img src="\${src}" width="\${width * 2}">\`)
document.body.insertAdjacentHTML('beforeend', [
  ...images, picture(photo, { sizes: '160px' }), \`<img src="\${address}" width="40">\`, text,
  '<i class="pair"></i><i class="set">Solvane</i>', \`<i style="background: \${colors.coral?.hex ?? colors.coral?.value ?? 'red'}"></i>\`,
].join(''))
`

const templates: Record<string, { build: Build; files: Record<string, string>; count: number; manifest: object }> = {
  'the template vanilla-ts of Vite': {
    build: withVite,
    count: 10,
    manifest: { devDependencies: { vite: '^8', typescript: '^5' } },
    files: {
      'index.html': page('main.ts'),
      'src/main.ts': script,
      'src/page.css': styles,
      'tsconfig.json': '{}',
    },
  },
  'a template of React': {
    build: withVite,
    count: 6,
    manifest: { dependencies: { react: '*', 'react-dom': '*' }, devDependencies: { vite: '^8' } },
    files: {
      'index.html': page('main.tsx'),
      'src/main.tsx': `import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import Logo from 'content-space:asset/brand/solvane-logo?as=react'
import Photo from 'content-space:asset/brand/dunes-at-noon?w=160&format=webp;jpg&as=react'
import { Compass, SolvaneMark } from 'content-space:kit/brand?as=react'
import './page.css'
const children = [h(Logo, { width: 120 }), h(Photo, { alt: '' }), h(Compass), h(SolvaneMark, { title: 'Solvane' })]
createRoot(document.getElementById('app')!).render(h('div', {}, ...children))
`,
      'src/page.css': '.none { color: red }\n',
      'tsconfig.json': '{}',
    },
  },
  webpack: {
    build: withWebpack,
    count: 9,
    manifest: { devDependencies: { webpack: '^5', 'css-loader': '*' } },
    files: { 'src/main.js': script, 'src/page.css': styles },
  },
}

/**
 * What we compare of a page: a picture's natural size with a digest of its bytes, its markup, or how its background
 * looks.
 */

/** Opens the build output in both color schemes. */
async function look(root: string): Promise<string[]> {
  const site = await preview({ root, configFile: false, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } })
  try {
    const seen: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await browser.newPage({
        colorScheme,
        viewport: { width: 1000, height: 900 },
        reducedMotion: 'reduce',
      })
      await tab.goto(site.resolvedUrls?.local[0] ?? '', { waitUntil: 'networkidle' })
      await tab.evaluate(() => {
        for (const image of document.images) image.loading = 'eager'
        return Promise.all([...document.images].map((image) => image.decode()))
      })
      for (const element of await tab.locator('img, svg, i').all()) {
        const found = await element.evaluate(async (one) => {
          if (!(one instanceof HTMLImageElement)) return one instanceof SVGElement ? one.outerHTML : undefined
          const bytes = await (await fetch(one.currentSrc)).arrayBuffer()
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
          return `${one.naturalWidth} × ${one.naturalHeight}: ${digest.join()}`
        })
        seen.push(found ?? (await element.screenshot()).toString('base64'))
      }
      await tab.close()
    }
    return seen
  } finally {
    await site.close()
  }
}

async function open(files: Record<string, string>, manifest: object): Promise<Project> {
  const work = await project({
    ...files,
    '.gitignore': '.cache\ndist\nnode_modules\n',
    'package.json': JSON.stringify({ private: true, type: 'module', ...manifest }),
  })
  await mkdir(join(work.root, 'node_modules'))
  for (const name of ['react', 'react-dom', 'scheduler', 'preact'])
    await symlink(join(modules, name), join(work.root, 'node_modules', name))
  return work
}

/**
 * Ejects a project and removes what remains of the package.
 * @returns the output of the command
 */
async function eject(work: Project): Promise<string> {
  commitAll(work.root)
  const { stdout, stderr } = await work.run('eject', '--yes')
  expect(stderr + stdout).toMatch(/^(?:✓ )?wrote \d+ files in /m)
  for (const name of ['space', '.cache', 'node_modules/unplugin-content-space'])
    await rm(join(work.root, name), { recursive: true, force: true })
  return stderr
}

test.each(Object.entries(templates))(
  '%s shows the same pictures after eject, without the package',
  async (_name, { build: builds, files, count, manifest }) => {
    const work = await open({ ...files, 'content-space.config.json': configuration }, manifest)
    try {
      await cp(join(repository, 'playground/space'), join(work.root, 'space'), { recursive: true })
      const link = join(work.root, 'node_modules/unplugin-content-space')
      await symlink(repository, link)
      await builds(work, true)
      const before = await look(work.root)
      expect(before.length / 2).toBe(count)
      expect(await eject(work)).not.toMatch(/^left: (?!content-space.config)/m)
      await builds(work, false)
      expect(await look(work.root)).toEqual(before)
    } finally {
      await work.remove()
    }
  },
)

test('the playground shows the same pictures after eject, without the package', async () => {
  const manifest = { dependencies: { preact: '*' }, devDependencies: { vite: '^8' } }
  const work = await open({}, manifest)
  try {
    await cp(join(repository, 'playground'), work.root, {
      recursive: true,
      filter: (path) => !/playground\/(?:dist|demo\.ts|dev\.ts|stage\.ts)/.test(path),
    })
    const read = (file: string) => readFile(join(work.root, file), 'utf8')
    // The playground's tsconfig extends the repository's, and its page displays its own imports of content.
    const code = (await read('code.ts')).replace("from 'content-space:", String.raw`from '(?:content-space:|\.\/src)`)
    await work.write({ 'tsconfig.json': '{}', 'code.ts': code })
    await symlink(repository, join(work.root, 'node_modules/unplugin-content-space'))
    await withVite(work, true)
    const before = await look(work.root)
    const left = await eject(work)
    expect(left.match(/^left: .*?:\d+/gm)).toEqual(['left: content-space.config.ts:1', 'left: index.html:8'])
    // The page's icon is the only import without a plain form.
    await work.write({ 'index.html': (await read('index.html')).replace(/^.*content-space:app-icons.*\n/m, '') })
    await withVite(work, false)
    expect(await look(work.root)).toEqual(before)
  } finally {
    await work.remove()
  }
})
