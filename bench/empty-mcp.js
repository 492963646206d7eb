// Serves no tools over stdin and stdout, with as little code as the SDK allows: node empty-mcp.js
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(() => new McpServer({ name: 'empty', version: '1.0.0' }))
