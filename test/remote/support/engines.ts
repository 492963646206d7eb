import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startS3 } from './s3.js'

/** A server with a cache, as a test starts it. */
export interface Engine {
  /** Option `remote`. */
  remote: string
  /** Sends a signal to its process. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
  /** The folder with its files, if it has one. */
  folder: string
}

export type EngineName = 'redis' | 'nginx' | 's3'

export const password = 'engine-Canary+Pass/1?'
export const bearer = 'engine-bearer-canary-token'

/** Whether what `apt-get install redis-server nginx-light` installs is here is not asked: without it, a test fails. */
export const engines: Record<EngineName, () => Promise<Engine>> = { redis: startRedis, nginx: startNginx, s3: startS3 }

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Waits until a port accepts connections. */
export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await wait(50)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

export const newFolder = () => mkdtemp(join(tmpdir(), 'content-space-remote-'))

export function stopProcess(child: ChildProcess, folder: string): () => Promise<void> {
  return async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    // A stopped process ends only when it continues.
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

export async function startRedis(...more: string[]): Promise<Engine> {
  const port = await freePort()
  const folder = await newFolder()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...options, '--requirepass', password, ...more], { stdio: 'ignore' })
  child.on('error', () => {})
  await listening(port)
  return {
    remote: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    signal: (name) => void child.kill(name),
    stop: stopProcess(child, folder),
    folder,
  }
}

/** nginx with WebDAV, behind a bearer token. */
export async function startNginx(more = ''): Promise<Engine> {
  const port = await freePort()
  const folder = await newFolder()
  await mkdir(join(folder, 'data', 'cache'), { recursive: true })
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/data;
    client_max_body_size 0;
    location / {
      if ($http_authorization != "Bearer ${bearer}") { return 401; }
      dav_methods PUT;
      create_full_put_path on;
      ${more}
    }
  }
}
`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  child.on('error', () => {})
  await listening(port)
  return {
    remote: `http://:${bearer}@127.0.0.1:${port}/cache`,
    signal: (name) => void child.kill(name),
    stop: stopProcess(child, folder),
    folder: join(folder, 'data', 'cache'),
  }
}
