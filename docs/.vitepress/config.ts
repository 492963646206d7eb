import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineConfig, type DefaultTheme, type SiteConfig } from 'vitepress'
import { typesOnHover } from './hovers.js'

/** The repository from which the site is built, as `owner/name`. Unknown outside of a workflow. */
const repository = process.env['GITHUB_REPOSITORY']

const base = process.env['SITE_BASE'] ?? '/'

// The logo and the icons of the site come from a kit of its own.
const docs = fileURLToPath(new URL('..', import.meta.url))
const appIcons = ['app-icons', 'site/mark', '--config', join(docs, 'brand/content-space.config.json')]
const command = join(docs, '../dist/cli/bin.js')
await promisify(execFile)(process.execPath, [command, ...appIcons, '--out', join(docs, 'public/icons')])

/** The pages, in the order in which they are read. */
const pages: Record<string, Record<string, string>> = {
  Guide: {
    why: 'Why',
    start: 'Getting started',
    lingo: 'Use with Lingo',
    'coming-from': 'Coming from another tool',
    import: 'Import content',
    pictures: 'Pictures',
    dark: 'Light and dark',
    components: 'Components',
    tokens: 'Colors and fonts',
    'css-html': 'Style sheets and pages',
    development: 'Development',
    browser: 'The kit browser',
  },
  'Bundlers and frameworks': {
    bundlers: 'Bundlers',
    frameworks: 'Frameworks and runtimes',
    nextjs: 'Next.js',
    nuxt: 'Nuxt',
    astro: 'Astro',
    sveltekit: 'SvelteKit',
    'react-router': 'React Router',
    'tanstack-start': 'TanStack Start',
    vitepress: 'VitePress',
    'electron-vite': 'electron-vite',
    rsbuild: 'Rsbuild',
    storybook: 'Storybook',
    docusaurus: 'Docusaurus',
    eleventy: 'Eleventy',
    parcel: 'Parcel',
    angular: 'Angular',
    'react-native': 'React Native',
    vitest: 'Vitest',
    jest: 'Jest',
    node: 'Node',
    bun: 'Bun',
    libraries: 'Component libraries',
    tools: 'Tools that read imports',
  },
  'Without a bundler': {
    pull: 'Files on disk',
    'icon-sets': 'Icon sets',
    folder: 'A folder as a space',
    sources: 'Several sources',
    script: 'From a script',
    leaving: 'Leaving',
  },
  'Teams and CI': {
    ci: 'In CI',
    'update-bot': 'The update bot',
    audit: 'Audit a codebase',
    'remote-cache': 'Many machines',
    network: 'Proxies, certificates, offline',
  },
  Recipes: {
    'app-icons': 'Application icons',
    favicons: 'Favicons and social cards',
    'icons-by-name': 'Icons named in a CMS',
    'press-page': 'A page for the press',
    agents: 'Agents',
  },
  Reference: {
    ids: 'Ids and modules',
    queries: 'Queries',
    options: 'Options',
    cli: 'The command line',
    diff: 'What a new version changes',
    errors: 'Errors',
    limits: 'Limits',
  },
  'See it': { demo: 'The demo' },
}

export default defineConfig({
  title: 'unplugin-content-space',
  description: 'Import brand content from Lingo, a service like it, or a folder as typed, locked code, in any bundler',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: `${base}icons/favicon.ico`, sizes: '32x32' }],
    ['link', { rel: 'icon', href: `${base}icons/icon.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'apple-touch-icon', href: `${base}icons/apple-touch-icon.png` }],
  ],
  base,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubSlug },
    codeTransformers: [await typesOnHover(fileURLToPath(new URL('../..', import.meta.url)))],
    config(markdown) {
      const { fence } = markdown.renderer.rules
      if (fence === undefined) return
      // Shows the name of the file that follows the language.
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const [, file] = tokens[index]?.info.split(' ') ?? []
        const code = fence(tokens, index, ...rest)
        return file === undefined ? code : `<p class="file">${markdown.utils.escapeHtml(file)}</p>\n${code}`
      }
      const { code_inline: inline } = markdown.renderer.rules
      markdown.renderer.rules['code_inline'] = (tokens, index, ...rest) => {
        const token = tokens[index]
        if (token && token.content.length < 20) token.attrJoin('class', 'short')
        const code = inline?.(tokens, index, ...rest) ?? ''
        return code.replaceAll(/ (--[\w-]+)(?=[ <])/g, ' <span class="short">$1</span>')
      }
    },
  },
  // A file of its own, because VitePress has the types of another Vite than our plugin.
  vite: { configFile: join(docs, '.vitepress/vite.config.ts'), plugins: [withRepository()] },
  themeConfig: {
    logo: '/icons/icon.svg',
    search: {
      provider: 'local',
      // Without the types of code.
      options: {
        _render: (page, env, markdown) => markdown.render(page, env).replaceAll(/<template>[\s\S]*?<\/template>/g, ''),
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/start' },
      { text: 'Reference', link: '/ids' },
      { text: 'Demo', link: '/demo' },
    ],
    sidebar: Object.entries(pages).map(([text, items]): DefaultTheme.SidebarItem => ({
      text,
      items: Object.entries(items).map(([page, title]) => ({ text: title, link: `/${page}` })),
    })),
    ...(repository !== undefined && { socialLinks: [{ icon: 'github', link: `https://github.com/${repository}` }] }),
  },
  buildEnd: writeTexts,
})

/** The anchors of headings are those of GitHub, where the pages are read as well. */
function githubSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Names the repository in examples that refer to it, and removes the sentence that explains its placeholder. */
function nameRepository(text: string): string {
  if (repository === undefined) return text
  return text.replace(/\s+Replace\s+`OWNER`[^.]*\./, '').replaceAll('OWNER/unplugin-content-space', repository)
}

/** Names the repository, and leads links that leave `docs` there. */
function withRepository() {
  return {
    name: 'repository',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => {
      if (!id.endsWith('.md')) return undefined
      const web = repository === undefined ? undefined : `https://github.com/${repository}/blob/HEAD/`
      const linked = code.replaceAll(/\[([^\]]*)\]\(\.\.\/([^)]*)\)/g, (_, text: string, path: string) =>
        web === undefined ? text : `[${text}](${web}${path})`,
      )
      return nameRepository(linked)
    },
  }
}

/** Writes `llms.txt`, a list of the pages, and `llms-full.txt`, the text of all of them. */
async function writeTexts({ outDir, srcDir, site }: SiteConfig): Promise<void> {
  const names = Object.values(pages).flatMap((group) => Object.entries(group))
  const texts = await Promise.all(
    names.map(([page]) => readFile(join(srcDir, `${page}.md`), 'utf8').then(nameRepository)),
  )
  const list = names.map(([page, title]) => `- [${title}](${site.base}${page}.html)`)
  await writeFile(join(outDir, 'llms.txt'), `# ${site.title}\n\n> ${site.description}\n\n${list.join('\n')}\n`)
  await writeFile(join(outDir, 'llms-full.txt'), texts.join('\n'))
}
