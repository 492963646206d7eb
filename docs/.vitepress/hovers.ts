import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createTransformerFactory, rendererRich } from '@shikijs/twoslash/core'
import { createTwoslasher } from 'twoslash/core'
import ts from 'typescript5'
import { createImporter } from 'unplugin-content-space'
import { codeBlocks, exampleSpace } from './example.js'

/** Blocks of these files belong to one project, in which everything they import is declared. */
const typed = /^(?:src\/\S+|\S*\.?config)\.tsx?$/

/**
 * Returns a transformer of Shiki that adds its type to each name in a code block. The declarations are those that this
 * package writes for the code of the pages. A block with an error of a type ends the build.
 */
export async function typesOnHover(root: string) {
  const compiler: object = ts
  if (!isCompiler(compiler)) throw new Error('TypeScript 5 has no compiler.')
  const declarations = await declare(join(root, 'docs'))
  const twoslasher = createTwoslasher({
    tsModule: compiler,
    vfsRoot: root,
    tsLibDirectory: dirname(ts.getDefaultLibFilePath({})),
    extraFiles: { 'content-space.d.ts': declarations },
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2023,
      jsx: ts.JsxEmit.ReactJSX,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      types: [],
      strict: true,
      skipLibCheck: true,
    },
  })
  // VitePress renders each page several times.
  const known = new Map<string, ReturnType<typeof twoslasher>>()
  const once: typeof twoslasher = Object.assign((code: string, ...rest: [string?]) => {
    const types = known.get(code) ?? twoslasher(code, ...rest)
    known.set(code, types)
    return types
  }, twoslasher)
  return createTransformerFactory(once)({
    explicitTrigger: typed,
    renderer: rendererRich({
      // In a `template`, so that neither the text of the page nor a copy of the code has it.
      hast: {
        hoverCompose: ({ popup, token }) => [
          token,
          {
            type: 'element',
            tagName: 'template',
            properties: {},
            children: [],
            content: { type: 'root', children: [popup] },
          },
        ],
      },
    }),
  })
}

type Compiler = NonNullable<NonNullable<Parameters<typeof createTwoslasher>[0]>['tsModule']>

/** The type of the option is that of package `typescript`. Version 7 of it has no compiler, which version 5 has. */
function isCompiler(compiler: object): compiler is Compiler {
  return 'createLanguageService' in compiler
}

/** Returns the declarations of everything that the code of the pages imports. */
async function declare(docs: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'content-space-docs-'))
  try {
    const names = (await readdir(docs)).filter((name) => name.endsWith('.md'))
    const pages = await Promise.all(names.map((name) => readFile(join(docs, name), 'utf8')))
    const sources = pages.flatMap(codeBlocks).filter(({ file }) => file.startsWith('src/'))
    const files = Object.fromEntries(sources.map(({ file, code }) => [file, code]))
    for (const [path, content] of Object.entries({ ...files, ...(await exampleSpace()) })) {
      await mkdir(dirname(join(project, path)), { recursive: true })
      await writeFile(join(project, path), content)
    }
    const kits = { brand: '3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E' }
    const options = {
      space: join(project, 'space'),
      cacheDir: join(project, 'cache'),
      types: 'content-space.d.ts',
      kits,
    }
    const importer = await createImporter(options, { root: project })
    await importer.sync()
    await importer.close()
    return await readFile(join(project, 'content-space.d.ts'), 'utf8')
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}
