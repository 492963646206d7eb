import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { emittedAssets, readContent } from '../frameworks/support/content.js'
import { addBadge } from '../frameworks/support/drawings.js'
import { openProject, type FrameworkProject } from '../frameworks/support/project.js'
import { engines, type EngineName } from '../remote/support/engines.js'
import { key } from '../remote/support/runner.js'

/** How to test the lowest supported version of a peer dependency. */
interface Floor {
  /** A folder in `test/frameworks/projects`. */
  project: string
  /** Other packages that must be from the same time. Undefined if the project omits the package. */
  others?: Record<string, string | undefined>
  use: (project: FrameworkProject) => Promise<void>
}

type Command = [string, ...string[]]

/** Builds a page and expects its picture in the output. */
const builds =
  (command: Command, output = 'dist') =>
  async (project: FrameworkProject) => {
    expect(await project.run(...command)).toMatch(/files?\b.* from Solvane Brand/)
    expect(await emittedAssets(join(project.root, output), await readContent(project.space))).toContain('solvane-logo')
  }

const bundler = (name: string): Floor => ({ project: 'floors', use: builds(['node', 'build.js', name]) })

/** Shares files through a remote cache, so that a second machine doesn't download anything from the service. */
const shares = (engine: EngineName) => async (project: FrameworkProject) => {
  const started = await engines[engine]()
  try {
    for (const [name, value = ''] of Object.entries(process.env))
      if (name.startsWith('AWS_')) project.setEnv({ [name]: value })
    project.setEnv({ CONTENT_SPACE_REMOTE: started.remote })
    project.setEnv({ CONTENT_SPACE_REMOTE_KEY: key, CONTENT_SPACE_REMOTE_WRITE: '1' })
    await project.run('content-space', 'sync')
    const { length } = project.downloads
    expect(length).toBeGreaterThan(0)
    project.setEnv({ CONTENT_SPACE_CACHE: join(project.root, 'other-cache') })
    expect(await project.run('content-space', 'sync', '--frozen')).not.toContain('remote cache')
    expect(project.downloads).toHaveLength(length)
  } finally {
    await started.stop()
  }
}

const frameworks = fileURLToPath(new URL('../frameworks', import.meta.url))

/** One row for each peer dependency. A missing row is a type error. */
const floors: Record<keyof typeof manifest.peerDependencies, Floor> = {
  '@aws-sdk/client-s3': { project: 'floors', use: shares('s3') },
  '@farmfe/core': bundler('farm'),
  '@iconify/tools': {
    project: 'floors',
    async use(project) {
      await project.run('content-space', 'pull', 'brand', '--module', 'iconify', '--prefix', 'brand', '--out', 'icons')
      expect(JSON.parse(await project.read('icons/brand.json')).icons).toHaveProperty('leaf.body')
    },
  },
  '@nuxt/kit': {
    project: 'nuxt',
    others: { nuxt: '3.17.0', '@nuxt/schema': '3.17.0', '@nuxt/image': undefined, 'vue-tsc': undefined },
    async use(project) {
      await writeFile(join(project.root, 'tsconfig.json'), '{ "extends": "./.nuxt/tsconfig.json" }')
      await project.edit('nuxt.config.ts', '})', '  future: { compatibilityVersion: 4 },\n})')
      await builds(['nuxt', 'build'], '.output/public')(project)
    },
  },
  '@rsbuild/core': { project: 'rsbuild', use: builds(['rsbuild', 'build']) },
  '@rspack/core': bundler('rspack'),
  '@types/react': {
    project: 'react-18',
    others: { '@types/scheduler': '0.16.8' },
    async use(project) {
      await project.run('content-space', 'sync')
      await project.run('tsc', '-p', '.')
    },
  },
  astro: {
    project: 'astro',
    others: { '@astrojs/check': undefined, '@astrojs/node': undefined },
    async use(project) {
      await builds(['astro', 'build'])(project)
      const page = '<p>Styled</p><style>p { background: url("content-space:asset/brand/leaf") }</style>'
      await writeFile(join(project.root, 'src/pages/styled.astro'), page)
      const args = ['astro', 'dev', '--host', '127.0.0.1', '--port'] as const
      const { url } = await project.serve((port) => [...args, `${port}`], '/shop/styled')
      expect(await (await fetch(url)).text()).toMatch(/<style[^]*url\("?[^)]*\/leaf\.svg/)
    },
  },
  esbuild: bundler('esbuild'),
  next: { project: 'next', use: builds(['next', 'build'], '.next/static') },
  preact: { project: 'preact', others: { 'preact-render-to-string': '6.0.0' }, use: builds(['vite', 'build']) },
  react: { project: 'react-18', others: { 'react-dom': '18.2.0' }, use: builds(['vite', 'build']) },
  redis: { project: 'floors', use: shares('redis') },
  rolldown: bundler('rolldown'),
  rollup: bundler('rollup'),
  'solid-js': { project: 'solid', use: builds(['vite', 'build']) },
  storybook: {
    project: 'storybook',
    others: {
      '@storybook/react-vite': '9.0.0',
      '@storybook/react-webpack5': undefined,
      typescript: '5.9.3',
      vite: '6.4.1',
    },
    use: builds(['storybook', 'build', '--quiet', '--disable-telemetry', '-o', 'dist']),
  },
  svelte: {
    project: 'sveltekit-2',
    others: { '@sveltejs/kit': '2.20.0', '@sveltejs/vite-plugin-svelte': '5.0.3', vite: '6.4.1' },
    async use(project) {
      for (const folder of ['projects', 'components'])
        await cp(join(frameworks, folder, 'sveltekit/src'), join(project.root, 'src'), { recursive: true })
      await builds(['vite', 'build'], 'build/client')(project)
    },
  },
  vite: bundler('vite'),
  vue: {
    project: 'floors',
    others: { vite: '8.3.8' },
    async use(project) {
      await project.run('node', 'build.js', 'vite', 'vue.js')
      expect(await project.run('node', 'dist/vue.js')).toMatch(/^<svg .*role="img".*><title>The best<\/title>/)
    },
  },
  webpack: bundler('webpack'),
}

/** Returns the lowest version in a range. */
const lowest = (range: string): string => {
  const [version = ''] = /\d[\d.]*/.exec(range) ?? []
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.')
}

const ranges: Record<string, string> = manifest.peerDependencies

test.each(Object.entries(floors))('the lowest version of %s works', async (peer, floor) => {
  const versions = { ...floor.others, [peer]: lowest(ranges[peer] ?? '') }
  const project = await openProject(floor.project, versions)
  try {
    const installed: { version: string } = JSON.parse(await project.read(`node_modules/${peer}/package.json`))
    expect(installed.version).toBe(versions[peer])
    await addBadge(project.space)
    await floor.use(project)
  } finally {
    await project.close()
  }
})
