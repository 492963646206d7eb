import { Command } from 'commander'
import { withoutStdout } from '../../print.js'
import type { CommonFlags, FlagExceptions } from '../../terminal/flags.js'
import { keepEngine } from './kept-engine.js'
import { readPackage } from '../../terminal/package.js'
import type { Terminal } from '../../terminal/terminal.js'

const help = `
Example, which agents start in the folder of the project:
  npx unplugin-content-space mcp

Configuration of most agents:
  { "mcpServers": { "content-space":
    { "command": "npx", "args": ["unplugin-content-space", "mcp"] } } }`

export const flagExceptions: FlagExceptions = { json: { refused: 'its output is the protocol' }, frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('mcp')
    .summary('serve the content of this project to agents: Model Context Protocol over stdin and stdout')
    .description(help)
    .action(async (flags: CommonFlags) => {
      const { serveMcp } = await import('./server.js')
      const { version } = readPackage()
      const { stdin } = terminal
      if (terminal.ask) {
        const what = 'This server is for agents, which start it themselves and send requests to its stdin.'
        terminal.note(`${what} To configure one, see: npx unplugin-content-space mcp --help. Ctrl-C ends the server.`)
      }
      const project = keepEngine(terminal, flags)
      // Project code may run while responses to other requests are being written.
      await withoutStdout(async (stdout) => {
        await serveMcp({ version, signal: terminal.signal, stdin, stdout, withEngine: project.use })
        await project.close()
      })
    })
}
