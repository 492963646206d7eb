import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const script = fileURLToPath(new URL('serve.js', import.meta.url))
const line = v.object({ space: v.string(), spaceId: v.number(), token: v.string() })

export interface Service {
  /** The plugin's options for this service. */
  options: v.InferOutput<typeof line>
  /** Returns the paths, including queries, of all requests since the last call, in order. */
  requests(): Promise<string[]>
  stop(): void
}

/**
 * Serves a space in a separate process, so that its work isn't measured. It doesn't have a rate limit, and reads its
 * folder only once for each path.
 * @param latency milliseconds that each response takes
 * @param encoding of listings
 */
export async function startService(
  folder: string,
  latency = 0,
  encoding: 'identity' | 'gzip' = 'identity',
): Promise<Service> {
  const child = spawn(process.execPath, [script, folder, String(latency), encoding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first]: unknown[] = await once(createInterface(child.stdout), 'line')
  const options = v.parse(line, JSON.parse(String(first)))
  return {
    options,
    async requests() {
      const response = await fetch(`${options.space}/requests`)
      return v.parse(v.array(v.string()), await response.json())
    },
    stop: () => void child.kill(),
  }
}
