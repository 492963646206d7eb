import type { Readable, Writable } from 'node:stream'

/** Exchanges JSON-RPC messages with a process, as language servers do. */
export function messages({ stdin, stdout }: { stdin: Writable; stdout: Readable }): {
  request(this: void, method: string, params?: object): Promise<unknown>
  notify(this: void, method: string, params?: object): void
} {
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let last = 0

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  function receive({ id, method, result, error }: Message): void {
    // The server may request settings, but we don't have any.
    if (method !== undefined && id !== undefined) send({ id, result: null })
    else if (typeof id === 'number') waiting.get(id)?.(result ?? error ?? null)
  }

  stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const head = received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, Math.max(head, 0)))?.[1])
      const end = head + 4 + length
      if (head === -1 || received.length < end) return
      const message: Message = JSON.parse(received.toString('utf8', head + 4, end))
      received = received.subarray(end)
      receive(message)
    }
  })

  return {
    request(method, params) {
      const id = ++last
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ id, method, params })
      })
    },
    notify: (method, params) => send({ method, params }),
  }
}

interface Message {
  id?: number | string
  method?: string
  result?: unknown
  error?: unknown
}
