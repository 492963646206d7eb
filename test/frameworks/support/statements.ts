import { dirname, join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import type { FrameworkProject } from './project.js'

const client = ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'].map((name) =>
  import.meta.resolve(name),
)

/** One asset of each kind. */
const assets = ['badge', 'coral', 'coast-at-dawn', 'outfit-semibold', 'brand-guide']

/** Prints the import statements that `content-space mcp` returns in a project, as JSON. */
const script = `
import { Client } from '${client[0]}'
import { StdioClientTransport } from '${client[1]}'

const client = new Client({ name: 'test', version: '1' })
const bin = 'node_modules/unplugin-content-space/dist/cli/bin.js'
await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], env: process.env }))
const statements = []
for (const asset of ${JSON.stringify(assets)}) {
  const { structuredContent } = await client.callTool({ name: 'get_asset', arguments: { kit: 'brand', asset } })
  statements.push(...structuredContent.statements.map(({ code }) => code).filter((code) => code.startsWith('import ')))
}
console.log(JSON.stringify(statements))
await client.close()
`

/**
 * Adds all statements that agents receive for this framework to a page, in a separate module.
 * @returns the statements
 */
export async function addStatements(project: FrameworkProject, page: string): Promise<string[]> {
  const statements: string[] = JSON.parse(await project.run('node', '--input-type=module', '--eval', script))
  const renamed = statements.map((code, at) =>
    code.replace(
      /^import (?:\{ (\w+) \}|(\w+))/,
      (_, name) => `import ${name ? `{ ${name} as used${at} }` : `used${at}`}`,
    ),
  )
  const used = statements.map((_, at) => `used${at}`).join(', ')
  const text = `${renamed.join('\n')}\n\nReflect.set(globalThis, 'used', [${used}])\n`
  await writeFile(join(project.root, dirname(page), 'statements.ts'), text)
  await project.edit(page, 'import ', "import './statements'\nimport ")
  return statements
}
