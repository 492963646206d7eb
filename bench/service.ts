import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

export interface Service {
  child: ChildProcess
  options: { space: string; spaceId: number; token: string }
}

/** Starts a service in a separate process. Its rate limit is never reached. */
export async function startService(folder: string): Promise<Service> {
  const child = spawn(process.execPath, [cli, 'serve', folder, '--json', '--rate-limit', '1000000/1s'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: unknown[] = await once(createInterface(child.stdout), 'line')
  const {
    url: space,
    spaceId,
    token,
  } = v.parse(v.object({ url: v.string(), spaceId: v.number(), token: v.string() }), JSON.parse(String(line)))
  return { child, options: { space, spaceId, token } }
}
