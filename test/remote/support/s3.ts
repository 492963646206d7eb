import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/free-port.js'
import { listening, newFolder, stopProcess, type Engine } from './process.js'

const script = fileURLToPath(new URL('s3-server.cjs', import.meta.url))

/** The credentials that s3rver accepts. */
export const s3Secret = 'S3RVER'

/**
 * Starts s3rver in a separate process and sets this process's AWS variables for it.
 * @param conditions whether it obeys `If-None-Match` and `If-Match` for writes, as S3 does; or the status with which it
 *   answers such a write
 * @param writes the status with which it answers every write, if it rejects writes
 * @param rate how many requests per second it answers, if it is busy
 */
export async function startS3(conditions: boolean | number = true, writes?: number, rate?: number): Promise<Engine> {
  const port = await freePort()
  const folder = await newFolder()
  await mkdir(join(folder, 'bucket'))
  const args = [script, String(port), folder, String(conditions), String(writes ?? ''), String(rate ?? '')]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  await listening(port, child)
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: s3Secret,
    AWS_SECRET_ACCESS_KEY: s3Secret,
    AWS_REGION: 'us-east-1',
  })
  return {
    remote: 's3://bucket/some/prefix',
    signal: (name) => void child.kill(name),
    stop: stopProcess(child, folder),
    folder,
  }
}
