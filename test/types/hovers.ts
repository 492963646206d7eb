import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript5'
import { messages } from './messages.js'

const tsc7 = fileURLToPath(new URL('../../node_modules/typescript/lib/tsc.js', import.meta.url))

/**
 * Returns what TypeScript 5.9 displays for each identifier in a file: its type and the comment.
 * @param file in the project folder, which doesn't contain any other source
 */
export async function hovers5(folder: string, file: string): Promise<string[]> {
  const text = await readFile(join(folder, file), 'utf8')
  const files = [join(folder, file), join(folder, 'content-space.d.ts')]
  const service = ts.createLanguageService({
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot(path) {
      const content = ts.sys.readFile(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => settings,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
  })
  return identifiers(text).map(({ name, offset }) => {
    const { displayParts, documentation } = service.getQuickInfoAtPosition(join(folder, file), offset) ?? {}
    return `${name}: ${ts.displayPartsToString(displayParts)} | ${ts.displayPartsToString(documentation)}`
  })
}

const settings: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
}

/** Returns what the language server of TypeScript 7 displays for each identifier in a file. */
export async function hovers7(folder: string, file: string): Promise<string[]> {
  const child = spawn(process.execPath, [tsc7, '--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const { request, notify } = messages(child)
    await request('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
    notify('initialized', {})
    const text = await readFile(join(folder, file), 'utf8')
    const uri = pathToFileURL(join(folder, file)).href
    notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } })
    const found: string[] = []
    for (const { name, offset } of identifiers(text)) {
      const position = positionOf(text, offset)
      const result = await request('textDocument/hover', { textDocument: { uri }, position })
      found.push(`${name}: ${JSON.stringify(result)}`)
    }
    await request('shutdown')
    notify('exit')
    return found
  } finally {
    child.stdin.end()
    await ended
  }
}

function identifiers(text: string): { name: string; offset: number }[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022)
  const found: { name: string; offset: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push({ name: node.text, offset: node.getStart(file) })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function positionOf(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}
