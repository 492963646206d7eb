import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Milliseconds to respond to pending requests after the input has ended. The agent may no longer exist. */
const patience = 5000

/**
 * Opens a transport over stdin and stdout that responds to all requests of its input. The SDK's own transport aborts
 * pending requests when the input ends.
 * @returns `ended` resolves when the input has ended and all requests have a response, or when the signal is aborted
 */
export function answeringTransport(
  stdin: Readable | undefined,
  stdout: Writable,
  signal: AbortSignal,
): { transport: Transport; ended: Promise<void> } {
  const input = new PassThrough()
  const wire = new StdioServerTransport(input, stdout)
  const pending = new Set<unknown>()
  let isLast = false
  const end = new AbortController()
  const finish = (): void => end.abort()

  const settle = (id: unknown): void => {
    pending.delete(id)
    if (isLast && pending.size === 0) finish()
  }

  const transport: Transport = {
    async start() {
      Object.assign(wire, {
        onclose() {
          transport.onclose?.()
          finish()
        },
        onerror: (error: Error) => transport.onerror?.(error),
        onmessage(message: JSONRPCMessage) {
          if ('method' in message && 'id' in message) pending.add(message.id)
          if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.['requestId'])
          transport.onmessage?.(message)
        },
      })
      await wire.start()
    },
    async send(message) {
      await wire.send(message)
      if (!('method' in message)) settle(message.id)
    },
    close: () => wire.close(),
  }

  stdin?.pipe(input, { end: false })
  for (const event of ['end', 'close'])
    stdin?.once(event, () => {
      // The last message arrives in another turn of the event loop.
      setImmediate(() => {
        isLast = true
        if (pending.size === 0) finish()
        void sleep(patience, undefined, { ref: false }).then(() => finish())
      })
    })
  const ended = once(AbortSignal.any([signal, end.signal]), 'abort').then(() => {})
  return { transport, ended }
}
